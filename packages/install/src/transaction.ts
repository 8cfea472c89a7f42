import { existsSync, lstatSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemClock } from '@skills/core'
import { isJsonObject, makeFolders, parseJson } from '@skills/files'
import {
  flushFolder,
  isTemporaryName,
  moveIntoPlace,
  readPrivateFile,
  removeAbandoned,
  temporaryName,
  withLock,
  writeNewFile,
} from '@skills/state'
import { InstallError } from './error.js'
import { privateFiles, refuseLinkedFolder, type InstallPlace } from './place.js'
import type { InstallContext } from './context.js'

/**
 * One change of the disk. Each can be done again when it was begun, or done, before: a journal has all of them, and the
 * next process after a kill does what is left.
 */
export type Step =
  /** A folder that is staged takes its place. */
  | { readonly do: 'place'; readonly from: string; readonly to: string }
  | { readonly do: 'remove'; readonly path: string }
  | { readonly do: 'link'; readonly path: string; readonly target: string }
  | { readonly do: 'write'; readonly path: string; readonly text: string }

type Committing = Pick<InstallContext, 'place' | 'host' | 'signal'>

const begun = '.skills-install.'
/** Milliseconds that another process is waited for. */
const lockMs = 60_000

/** A new folder beside those of the skills, for what is written before it takes its place. */
export function makeStaging(place: InstallPlace): string {
  refuseLinkedFolder(place, place.folder)
  makeFolders(place.folder)
  const staging = `${place.folder}/${temporaryName(begun)}`
  mkdirSync(staging)
  return staging
}

/**
 * Decides under the lock of the place what changes, and changes it. Other processes wait meanwhile; what one that was
 * killed had begun is finished first. `decide` is synchronous, and reads both files as they are then.
 * @returns what `decide` gave
 */
export async function commit<T extends { readonly steps: readonly Step[] }>(
  { place, host, signal }: Committing,
  decide: () => T,
): Promise<T> {
  const { journal, mutex } = privateFiles(place, host)
  return withLock(mutex, { clock: systemClock, limitMs: lockMs, signal }, () => {
    finish(journal, place)
    const decided = decide()
    if (decided.steps.length === 0) return decided
    const trash = makeStaging(place)
    replaceFile(journal, JSON.stringify({ trash, steps: decided.steps }), 0o600)
    finish(journal, place)
    return decided
  })
}

/** Finishes what a process that was killed had begun. */
export async function recover(context: Committing): Promise<void> {
  // No other writes the journal: where there is none, no lock is needed.
  if (existsSync(privateFiles(context.place, context.host).journal)) await commit(context, () => ({ steps: [] }))
}

function finish(journal: string, place: InstallPlace): void {
  const written = readPrivateFile(journal, process.geteuid?.())
  if (written === undefined) return
  const { trash, steps } = readJournal(journal, written.bytes)
  const folders = new Set<string>()
  steps.forEach((step, at) => {
    const path = step.do === 'place' ? step.to : step.path
    refuseLinkedFolder(place, dirname(path))
    folders.add(dirname(path))
    doStep(step, `${trash}/${at}`)
  })
  for (const folder of folders) if (existsSync(folder)) flushFolder(folder)
  rmSync(journal)
  rmSync(trash, { recursive: true, force: true })
  for (const step of steps) if (step.do === 'place') rmSync(dirname(step.from), { recursive: true, force: true })
  if (existsSync(place.folder)) removeAbandoned(place.folder, begun)
}

function doStep(step: Step, old: string): void {
  const stands = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined
  /** Out of the way in one step: a folder is there with all its files, or not at all. */
  const clear = (path: string): void => {
    if (!stands(path)) return
    mkdirSync(dirname(old), { recursive: true })
    rmSync(old, { recursive: true, force: true })
    renameSync(path, old)
  }
  switch (step.do) {
    case 'place':
      // Not there any more: it has taken its place.
      if (!stands(step.from)) return
      makeFolders(dirname(step.to))
      clear(step.to)
      return renameSync(step.from, step.to)
    case 'remove':
      return clear(step.path)
    case 'link': {
      const before = lstatSync(step.path, { throwIfNoEntry: false })
      if (before?.isSymbolicLink() === true && readlinkSync(step.path) === step.target) return
      makeFolders(dirname(step.path))
      clear(step.path)
      return symlinkSync(step.target, step.path, 'dir')
    }
    case 'write':
      return replaceFile(step.path, step.text)
  }
}

function readJournal(path: string, bytes: Buffer): { readonly trash: string; readonly steps: readonly Step[] } {
  const value: unknown = parseJson(bytes.toString('utf8'))
  const { trash, steps } = isJsonObject(value) ? value : {}
  if (typeof trash !== 'string' || !isTemporaryName(trash.slice(trash.lastIndexOf('/') + 1)) || !Array.isArray(steps))
    throw new InstallError(
      'E_INSTALL_FAILED',
      `${path} is no journal of this program.`,
      'Remove it, then run skills ci.',
    )
  return { trash, steps: steps.filter(isStep) }
}

function isStep(value: unknown): value is Step {
  return isJsonObject(value) && ['place', 'remove', 'link', 'write'].includes(String(value['do']))
}

/** Writes a file beside its place, to the disk, and renames it. */
function replaceFile(path: string, text: string, mode = 0o644): void {
  const folder = dirname(path)
  makeFolders(folder)
  removeAbandoned(folder, begun)
  const temporary = `${folder}/${temporaryName(begun)}`
  writeNewFile(temporary, text, mode)
  moveIntoPlace(temporary, path)
}
