import { setImmediate as turn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { abortError, type Diagnostic, type SourceName } from '@skills/core'
import { isUnchangedIdentity as isSameFile } from '../file-identity.js'
import { readWholeFile, readWholeFileSync, type WholeFile } from '../read-file.js'
import type { FoundFile } from '../tree-options.js'
import type { Stamp } from '../stamp.js'
import { commandReader } from '@skills/skill-md'
import type { SharedReading, SidecarFile, SkillCommand, SkillFile, SkillReading } from '@skills/skill-md/internal'
import { pathName } from './path-name.js'
import { sidecarPath, sidecarStamp } from './sidecar.js'
import type { StoreAnswer, Store, StoreContent, StoreStats } from '@skills/store'
import type { Layout, SkillRoot } from './layout.js'

/** Values that the entries of one root share. */
export interface ReadContext {
  readonly root: SkillRoot
  readonly layout: Layout
  /** Store that an invocation reads; it always reads its file. */
  readonly store: Store
  /** Store that a catalog reads; it may have read the files before. */
  readonly catalogStore: Store
  /** Returns an error if a file must not be loaded, otherwise undefined. */
  readonly refuse?: (file: FoundFile, stats: StoreStats) => Diagnostic | undefined
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number
  readonly read: ReturnType<typeof commandReader>
}

interface ContextParts extends Omit<ReadContext, 'read'> {
  readonly source: SourceName
  /** True if each whole file is read once and kept. */
  readonly keepsBodies: boolean
  readonly shared: SharedReading | undefined
  /** Called with the path of a file that is no longer as it was listed. */
  readonly onChanged: (path: string) => void
}

export function contextOf({ onChanged, source, keepsBodies, shared, ...common }: ContextParts): ReadContext {
  const { root, layout, store, catalogStore } = common
  const { plugin, adapt, within, qualifier = root.source ?? source, isScoped } = root
  const bodies = keepsBodies ? new Map<string, Promise<WholeFile>>() : undefined
  const read = commandReader({
    source: root.source ?? source,
    qualifier,
    isScoped,
    layout,
    plugin,
    adapt,
    isLocal: store.id === 'disk',
    shared,
    async read({ path = '', identity }, { signal, for: purpose }) {
      const from = purpose === 'invoke' ? store : catalogStore
      const reading =
        bodies?.get(path) ??
        readWholeFile(path, {
          within,
          signal,
          store: from,
          maxBytes: layout.fileBytes,
          isKept: shared && (bytes => shared.isKept(bytes)),
        })
      // Several ask at the same time.
      bodies?.set(path, reading)
      const file = await reading
      const isSame =
        file !== undefined && !('problem' in file) && identity !== undefined && isSameFile(file.identity, identity)
      if (purpose !== 'list' && !isSame) onChanged(path)
      if (file === undefined || 'problem' in file || root.hasSidecars !== true) return file
      return {
        ...file,
        sidecar: sidecarOf(
          folderOf(path),
          await readWholeFile(sidecarPath(folderOf(path)), { within, signal, store: from, maxBytes: sidecarBytes }),
        ),
      }
    },
  })
  return { ...common, read }
}

const sidecarBytes = 64 * 1024

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

function sidecarOf(folder: string, file: WholeFile): SidecarFile | undefined {
  return (
    file && { path: sidecarPath(folder), ...('problem' in file ? { problem: file.problem } : { bytes: file.bytes }) }
  )
}

function saidBy(file: WholeFile): string | undefined {
  return file !== undefined && 'bytes' in file ? file.bytes.toString('latin1') : file?.problem.message
}

/**
 * Item for one skill file: the command itself if the file was read at once and without problems, as most files are;
 * otherwise a {@link SkillEntry}.
 */
export type SkillItem = SkillCommand | SkillEntry

/** Reads the head of a skill file. */
export function readSkill(found: FoundFile, head: StoreContent, context: ReadContext): SkillItem {
  const { root, layout, refuse } = context
  const { path, identity } = found
  const refusal = refuse?.(found, head.stats)
  if (refusal !== undefined) return new SkillEntry(path, undefined, { command: undefined, diagnostics: [refusal] })
  const isNamedByPath = layout.holds === 'commands' || root.plugin !== undefined
  const file = {
    name: isNamedByPath ? pathName(root, path) : found.name,
    path,
    identity,
    size: head.isWhole ? head.length : Math.max(identity.size, head.length + 1),
  }
  const bytes = head.bytes.subarray(0, head.length)
  const stamp = root.hasSidecars === true ? sidecarStamp(found.folder, context) : undefined
  if (stamp !== undefined) return new EntryBeside(path, stamp, Buffer.from(bytes), file, context)
  const reading = context.read(bytes, file)
  const isSound = !(reading instanceof Promise) && reading.command !== undefined && reading.diagnostics.length === 0
  return isSound && reading.command !== undefined ? reading.command : new SkillEntry(path, undefined, reading)
}

/** Record of a skill file that has problems, or needs the YAML library, more of the file, or the sidecar. */
export class SkillEntry {
  protected reading: StoreAnswer<SkillReading>
  /** Stamp of the sidecar when this was read; undefined if there was none. */
  protected sidecar: Stamp | undefined

  /** @param path of the skill file */
  constructor(
    readonly path: string,
    sidecar: Stamp | undefined,
    reading: StoreAnswer<SkillReading>,
  ) {
    this.sidecar = sidecar
    this.reading = reading
    // `settle` reports a failure.
    if (reading instanceof Promise) reading.catch(() => {})
  }

  get isPending(): boolean {
    return this.reading instanceof Promise
  }

  get command(): SkillCommand | undefined {
    return this.reading instanceof Promise ? undefined : this.reading.command
  }

  get problems(): readonly Diagnostic[] {
    return this.reading instanceof Promise ? [] : this.reading.diagnostics
  }

  async settle(): Promise<void> {
    this.reading = await this.reading
  }

  /** Returns true if the sidecar with this stamp is the one that was read. */
  hasSidecar(stamp: Stamp | undefined): boolean {
    return this.sidecar?.text === stamp?.text && this.sidecar?.isSettled !== false
  }

  isSameReading(other: SkillEntry): boolean {
    return (
      !this.isPending &&
      !other.isPending &&
      this.sidecar?.text === other.sidecar?.text &&
      isDeepStrictEqual(this.command?.toJSON(), other.command?.toJSON()) &&
      isDeepStrictEqual(this.problems, other.problems)
    )
  }
}

/** Record of a skill file with a sidecar. */
class EntryBeside extends SkillEntry {
  readonly #saysStill: () => boolean

  constructor(
    path: string,
    stamp: StoreAnswer<Stamp | undefined>,
    bytes: Buffer,
    file: SkillFile,
    { root: { within }, store, catalogStore, read }: ReadContext,
  ) {
    const beside = sidecarPath(folderOf(path))
    const now = (): WholeFile => readWholeFileSync(beside, { within, maxBytes: sidecarBytes })
    let said: string | undefined
    const readWith = (content: WholeFile): StoreAnswer<SkillReading> => {
      said = saidBy(content)
      return read(bytes, { ...file, sidecar: sidecarOf(folderOf(path), content) })
    }
    const isAtHand = !(stamp instanceof Promise) && store === catalogStore && store.id === 'disk'
    super(
      path,
      stamp instanceof Promise ? undefined : stamp,
      isAtHand
        ? readWith(now())
        : (async () => {
            // The rest runs once the constructor has finished.
            const found = await stamp
            this.sidecar = found
            return readWith(
              found === undefined
                ? undefined
                : await readWholeFile(beside, { within, maxBytes: sidecarBytes, store: catalogStore }),
            )
          })(),
    )
    // A sidecar that had just been written when it was read may have changed without changing its stamp.
    this.#saysStill = () => store.id === 'disk' && saidBy(now()) === said
  }

  override hasSidecar(stamp: Stamp | undefined): boolean {
    return this.sidecar?.text === stamp?.text && (this.sidecar?.isSettled !== false || this.#saysStill())
  }
}

/** Returns true if the sidecar of a skill file has not changed since it was read. */
export function isCurrent(item: SkillItem, context: ReadContext): StoreAnswer<boolean> {
  if (context.root.hasSidecars !== true) return true
  const isEntry = item instanceof SkillEntry
  const stamp = sidecarStamp(folderOf(isEntry ? item.path : (item.filePath ?? '')), context)
  const answer = (now: Stamp | undefined): boolean => (isEntry ? item.hasSidecar(now) : now === undefined)
  return stamp instanceof Promise ? stamp.then(answer) : answer(stamp)
}

/** Returns true if `a` and `b` have the same result. Both must have been read from the same file. */
export function isSameReading(a: SkillItem, b: SkillItem): boolean {
  if (a instanceof SkillEntry) return b instanceof SkillEntry && a.isSameReading(b)
  return !(b instanceof SkillEntry) && isDeepStrictEqual(a.toJSON(), b.toJSON())
}

/**
 * Completes the entries that are not complete, in slices of time. Rejects with an `AbortError` if the signal aborts.
 * @param onTurn called after each slice
 */
export async function settleEntries(
  items: readonly SkillItem[],
  signal: AbortSignal,
  onTurn: () => void = () => {},
): Promise<void> {
  // Collecting so many took a slice of its own, and handling them takes another.
  if (items.length > many) await turn()
  const pending = items.filter(item => item instanceof SkillEntry).filter(entry => entry.isPending)
  let sliceEnd = performance.now() + sliceMs
  for (const entry of pending) {
    if (signal.aborted) throw abortError(signal)
    await entry.settle()
    if (performance.now() < sliceEnd) continue
    await turn()
    onTurn()
    sliceEnd = performance.now() + sliceMs
  }
  // The last wait may be the one in which the signal aborted.
  if (signal.aborted) throw abortError(signal)
}

/** Milliseconds of uninterrupted parsing. */
const sliceMs = 4

/** Number of entries that take a millisecond or more to go through. */
const many = 1000
