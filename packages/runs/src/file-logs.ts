import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  readdirSync,
  statSync,
  writeSync,
} from 'node:fs'
import { Root } from '@skills/state/writer'
import { makePrivateFolder, readPrivateFile, systemRefusal, withLock, type Hold } from '@skills/state'
import { FolderIndex, type RunsFolder } from './folder-index.js'
import { isToLast } from './journal-text.js'
import { runError } from './run-error.js'
import { isEnded, type RunEntry } from './run.js'
import type { RunFacts } from './run-record.js'
import type { IndexedRuns, RunLogs } from './run-logs.js'
import type { RunFilter } from './runs.js'

/** Number and bytes of the complete lines of a journal. */
interface Lines {
  readonly count: number
  readonly bytes: number
}

/** Most bytes of a journal. Results of tools can be large. */
const mostBytes = 1024 * 1024 * 1024
/** Milliseconds between two checks of a journal that others may write to. */
const lookMs = 250
/** Form of an id, which becomes a part of a path. */
const idForm = /^[0-9a-zA-Z][0-9a-zA-Z_-]{0,127}$/
const never = new AbortController().signal

/** Stores the journal of each run in a folder of its own, with a lock. */
export class FileLogs implements RunLogs {
  /** State after the last write of this process, so that an unchanged file is not read again. */
  readonly #written = new Map<string, Lines>()

  readonly #index: FolderIndex

  constructor(private readonly options: RunsFolder) {
    this.#index = new FolderIndex(options, () => this.ids())
  }

  async append(...[id, count, given, entries, facts]: Parameters<RunLogs['append']>): Promise<boolean> {
    const isAppended = await this.#locked(id, count === 0, (path, { isHeld }) => {
      try {
        const descriptor = this.#root.open(`${id}/journal`, constants.O_RDWR | constants.O_CREAT)
        try {
          const { size } = fstatSync(descriptor)
          const written = this.#written.get(id)
          const lines = written?.bytes === size ? written : this.#linesOf(path)
          if (lines.count !== count || !isHeld()) return false
          const text = given.map(line => `${line}\n`).join('')
          const bytes = lines.bytes + Buffer.byteLength(text)
          if (bytes > mostBytes)
            throw runError(
              'E_RUN_ENTRY',
              `The journal ${path} would have more than ${mostBytes} bytes.`,
              'Start a new run.',
            )
          this.#written.delete(id)
          if (facts !== undefined && entries.some(({ type }) => type === 'queued' || type === 'retried'))
            this.#index.open(id, count + given.length, facts)
          writeWhole(descriptor, text, lines.bytes, size)
          if (entries.some(isToLast)) fsyncSync(descriptor)
          if (entries.some(({ type }) => isForgotten.has(type))) return true
          this.#written.set(id, { count: count + given.length, bytes })
          return true
        } finally {
          closeSync(descriptor)
        }
      } catch (error) {
        throw systemRefusal(`The journal ${path} could not be written`, error)
      }
    })
    if (isAppended && facts !== undefined && isEnded(facts)) await this.#index.ended(id, count + given.length, facts)
    return isAppended
  }

  indexed(filter: RunFilter): Promise<IndexedRuns> {
    return this.#index.find(filter)
  }

  async learn(id: string, count: number, facts: RunFacts): Promise<void> {
    if (isEnded(facts)) await this.#index.ended(id, count, facts)
  }

  mark(): Promise<string> {
    return this.#index.mark(stampOf)
  }

  async removeAll(...[ids, mayRemove]: Parameters<NonNullable<RunLogs['removeAll']>>): Promise<readonly string[]> {
    const removed: string[] = []
    for (const id of ids) {
      const lines = this.read(id)
      const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
      if ((await mayRemove(id, lines)) && (await this.#removed(id, lines.length, bytes))) removed.push(id)
    }
    await this.#index.gone(removed)
    return removed
  }

  read(id: string, from = 0): readonly string[] {
    const path = this.#pathOf(id)
    const found = path === undefined ? undefined : readPrivateFile(path, this.options.owner, mostBytes)
    // Nothing, or a disk's zeros, in place of an entry: the reader of the journal reports it (E_RUN_JOURNAL).
    if (found !== undefined && from === 0 && found.bytes.every(byte => byte === 0) && !existsSync(`${path}.lock`))
      return ['']
    // The last line may be incomplete. Its entry never took effect.
    return found === undefined ? [] : found.bytes.toString('utf8').split('\n').slice(from, -1)
  }

  nameOf(id: string): string {
    return this.#pathOf(id) ?? id
  }

  ids(): readonly string[] {
    const { folder } = this.options
    try {
      return readdirSync(folder).filter(name => idForm.test(name))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
      throw systemRefusal(`The folder ${folder} could not be listed`, error)
    }
  }

  async remove(id: string, count: number): Promise<boolean> {
    const isRemoved = await this.#removed(id, count)
    if (isRemoved) await this.#index.gone([id])
    return isRemoved
  }

  /** @param bytes size of the file when it had this many lines; if it still has this size, it is not read again */
  #removed(id: string, count: number, bytes?: number): Promise<boolean> {
    this.#written.delete(id)
    return this.#locked(id, false, (path, { isHeld }) => {
      const isSame = bytes !== undefined && statSync(path, { throwIfNoEntry: false })?.size === bytes
      if (!isHeld() || !(isSame || this.#linesOf(path).count === count)) return false
      this.#root.remove(id)
      return true
    })
  }

  watch(id: string, changed: () => void): () => void {
    const path = this.#pathOf(id)
    if (path === undefined) return () => {}
    // The file is polled, because a closed watcher of Node keeps 18 KB of memory and each run would need one. The first
    // check always reports, because the file may have changed between reading it and this.
    let seen = ''
    const look = setInterval(() => {
      const found = stampOf(path)
      if (found === seen) return
      seen = found
      changed()
    }, lookMs)
    look.unref()
    return () => clearInterval(look)
  }

  /** Runs `work` with the lock of a journal. Returns false if there is none and none may be made. */
  async #locked(id: string, makes: boolean, work: (path: string, hold: Hold) => boolean): Promise<boolean> {
    const { owner, clock, lockMs } = this.options
    const path = this.#pathOf(id)
    if (path === undefined) return false
    if (makes) makePrivateFolder(folderOf(path), owner)
    try {
      return await withLock(`${path}.lock`, { clock, limitMs: lockMs, signal: never }, hold => work(path, hold))
    } catch (error) {
      // Another process has removed it.
      if (!makes && !existsSync(folderOf(path))) return false
      throw error
    }
  }

  get #root(): Root {
    return new Root(this.options.folder, { kind: 'private' })
  }

  #pathOf(id: string): string | undefined {
    return idForm.test(id) ? `${this.options.folder}/${id}/journal` : undefined
  }

  #linesOf(path: string): Lines {
    const { bytes } = readPrivateFile(path, this.options.owner, mostBytes) ?? { bytes: Buffer.alloc(0) }
    let [count, at] = [0, 0]
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, at)) [count, at] = [count + 1, end + 1]
    return { count, bytes: at }
  }
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))
/** Returns a text that changes with the file. An error is part of the text; the reader reports it. */
function stampOf(path: string): string {
  try {
    const { size, mtimeMs } = statSync(path)
    return `${size} ${mtimeMs}`
  } catch (error) {
    return `not there: ${error instanceof Error && 'code' in error ? String(error.code) : ''}`
  }
}

/** Entries after which a run is not written to for a long time. */
const isForgotten: ReadonlySet<RunEntry['type']> = new Set(['ended', 'delivered', 'parked', 'released'])

/**
 * Appends lines after the complete ones. An incomplete line of an ended process is removed. Lines that cannot be
 * written completely leave nothing behind.
 */
function writeWhole(descriptor: number, text: string, bytes: number, size: number): void {
  if (size > bytes) ftruncateSync(descriptor, bytes)
  try {
    const buffer = Buffer.from(text)
    for (let done = 0; done < buffer.length;)
      done += writeSync(descriptor, buffer, done, buffer.length - done, bytes + done)
  } catch (error) {
    ftruncateSync(descriptor, bytes)
    throw error
  }
}
