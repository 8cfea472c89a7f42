import { existsSync, lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { systemClock, SkillsError } from '@skills/core'
import { isJsonObject, parseJson } from '@skills/files/internal'
import { isTemporaryName, temporaryName } from '@skills/state/internal'
import { readPrivateFile, withLock } from '@skills/state'
import { isFolderLink } from '@skills/state/internal'
import { Root } from '@skills/state/writer'
import { PlaceWriter } from './place-writer.js'
import { privateFiles, type InstallPlace } from './place.js'
import { readRecord, textsIn, writeRecord } from './place-record.js'
import type { InstallContext } from './context.js'

/**
 * Change of the disk. Every step can be repeated, even if it was started or finished before. A journal lists all steps;
 * if the process is killed, the next process carries out the remaining ones.
 */
export type Step =
  /** Moves a staged folder into its place. */
  | { readonly do: 'place'; readonly from: string; readonly to: string }
  | { readonly do: 'remove'; readonly path: string }
  | { readonly do: 'link'; readonly path: string; readonly target: string }
  | { readonly do: 'write'; readonly path: string; readonly text: string }

interface Committing extends Pick<InstallContext, 'place' | 'host' | 'signal'> {
  /** Folders in which agents look, relative to the base of the place. */
  readonly folders?: readonly string[]
}

/** Changes to make, and the digests that the person agrees to with these changes, in addition to earlier digests. */
export interface Decided {
  readonly steps: readonly Step[]
  readonly agreed?: readonly string[]
}

const begun = '.skills-install.'
/** Milliseconds to wait for another process. */
const lockMs = 60_000

/** New folder beside the skills, for files before they are moved into place. */
export interface Staging {
  readonly path: string
  /**
   * Writes a new file below it.
   * @param path absolute
   */
  create(path: string, bytes: Uint8Array, mode: number): void
  remove(): void
}

export function makeStaging(place: InstallPlace): Staging {
  const writer = new PlaceWriter(place, [])
  const path = makeNewFolder(place, writer)
  const root = writer.folder(path)
  root.keep()
  return {
    path,
    create: (file, bytes, mode) => root.create(file.slice(path.length + 1), bytes, mode),
    remove: () => {
      root.release()
      writer.remove(path)
    },
  }
}

function makeNewFolder({ folder }: InstallPlace, writer: PlaceWriter): string {
  const path = `${folder}/${temporaryName(begun)}`
  writer.makeFolder(path)
  return path
}

/**
 * Decides and makes changes under the lock of the place, while other processes wait. First finishes the changes of a
 * process that was killed. `decide` is synchronous, and reads both files in their current state. Changes nothing if one
 * of the places must not be written.
 * @returns the result of `decide`
 */
export async function commit<T extends Decided>(
  { place, host, signal, folders = [] }: Committing,
  decide: () => T,
): Promise<T> {
  const files = privateFiles(place, host)
  return withLock(files.mutex, { clock: systemClock, limitMs: lockMs, signal }, () => {
    finish(place, host)
    const decided = decide()
    const { steps, agreed = [] } = decided
    if (steps.length > 0) {
      const writer = new PlaceWriter(place, folders)
      writer.keeping(() => {
        for (const step of steps) writer.check(pathOf(step))
      })
      const trash = makeNewFolder(place, writer)
      const text = JSON.stringify({ trash, folders, steps })
      new Root(files.folder, { kind: 'private' }).write(files.journal, text, { replaces: 'ours' })
      finish(place, host)
    }
    if (agreed.length > 0) {
      const record = readRecord(place, host)
      const all = new Set([...record.agreed, ...agreed])
      if (all.size > record.agreed.size) writeRecord(place, host, { ...record, agreed: all })
    }
    return decided
  })
}

/** Finishes the changes of a process that was killed, and removes what it left beside the skills. */
export async function recover(context: Committing): Promise<void> {
  const { folder, journal } = privateFiles(context.place, context.host)
  // Nothing else writes the journal, so no lock is needed if there is neither one nor a staged folder.
  if (existsSync(`${folder}/${journal}`) || hasStaged(context.place)) await commit(context, () => ({ steps: [] }))
}

function hasStaged({ folder }: InstallPlace): boolean {
  return existsSync(folder) && readdirSync(folder).some(name => name.startsWith(begun))
}

function finish(place: InstallPlace, host: InstallContext['host']): void {
  const { folder: own, journal } = privateFiles(place, host)
  const written = readPrivateFile(`${own}/${journal}`, process.geteuid?.())
  if (written === undefined) {
    // A process that was killed before it wrote a journal has changed nothing.
    if (hasStaged(place)) new PlaceWriter(place, []).removeAbandoned(place.folder, begun)
    return
  }
  const { trash, folders, steps } = readJournal(`${own}/${journal}`, written.bytes)
  const writer = new PlaceWriter(place, folders)
  const changed = new Set(steps.map(step => dirname(pathOf(step))))
  writer.keeping(() => {
    for (const [at, step] of steps.entries()) doStep(step, `${trash}/${at}`, writer)
    for (const folder of changed) if (existsSync(folder)) writer.flush(folder)
  })
  const record = readRecord(place, host)
  const placed = new Set(record.placed)
  for (const step of steps) {
    const at = relative(place.base, pathOf(step)).replaceAll('\\', '/')
    if (step.do === 'remove') placed.delete(at)
    else if (step.do !== 'write') placed.add(at)
  }
  writeRecord(place, host, { ...record, placed })
  new Root(own, { kind: 'private' }).remove(journal)
  writer.remove(trash)
  const staged = steps.flatMap(step => (step.do === 'place' ? [dirname(step.from)] : []))
  for (const folder of new Set(staged)) writer.remove(folder)
  if (existsSync(place.folder)) writer.removeAbandoned(place.folder, begun)
}

function pathOf(step: Step): string {
  return step.do === 'place' ? step.to : step.path
}

function doStep(step: Step, old: string, writer: PlaceWriter): void {
  const stands = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined
  /** Moves the old entry away in one step: a folder has all its files, or is gone. */
  const clear = (path: string): void => {
    if (!stands(path)) return
    writer.remove(old)
    writer.move(path, old)
  }
  switch (step.do) {
    case 'place':
      // It is missing because it has been moved already.
      if (!stands(step.from)) return
      clear(step.to)
      return writer.move(step.from, step.to)
    case 'remove':
      return clear(step.path)
    case 'link': {
      const before = lstatSync(step.path, { throwIfNoEntry: false })
      if (before?.isSymbolicLink() === true && isFolderLink(step.path, readlinkSync(step.path), step.target)) return
      clear(step.path)
      return writer.link(step.path, step.target)
    }
    case 'write':
      return writer.write(step.path, step.text)
  }
}

interface Journal {
  readonly trash: string
  readonly folders: readonly string[]
  readonly steps: readonly Step[]
}

function readJournal(path: string, bytes: Buffer): Journal {
  const value: unknown = parseJson(bytes.toString('utf8'))
  const { trash, folders, steps } = isJsonObject(value) ? value : {}
  if (typeof trash !== 'string' || !isTemporaryName(trash.slice(trash.lastIndexOf('/') + 1)) || !Array.isArray(steps))
    throw new SkillsError('E_INSTALL_FAILED', `${path} is not a journal of this program.`, {
      hint: 'Remove that file, then run skills ci.',
    })
  return { trash, folders: textsIn(folders), steps: steps.filter(isStep) }
}

function isStep(value: unknown): value is Step {
  return isJsonObject(value) && ['place', 'remove', 'link', 'write'].includes(String(value['do']))
}
