import { closeSync, constants, existsSync, fstatSync, statSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { Root } from '@skills/state/writer'
import { makePrivateFolder, readPrivateFile, withLock } from '@skills/state'
import { decodeFacts, encodeFacts, isAmong, type RunFacts } from './run-record.js'
import { isEnded } from './run.js'
import type { Clock } from '@skills/core'
import type { Owner } from '@skills/state/internal'
import type { IndexedRuns } from './run-logs.js'
import type { RunFilter } from './runs.js'

/** Folder that has a folder for each run. */
export interface RunsFolder {
  /** Absolute path with forward slashes. The folder need not exist. */
  readonly folder: string
  readonly owner: Owner
  readonly clock: Pick<Clock, 'after'>
  /** Milliseconds to wait while another process writes. */
  readonly lockMs: number
}

/** Content of a line about a run: its facts, that they are unknown, or that it was removed. */
interface Noted {
  readonly count: number
  readonly facts: RunFacts | 'unknown' | 'gone'
}

interface Loaded {
  /** Lines of the sorted file: ended runs by their submission, then all others. */
  readonly sorted: string
  /** Later changes, by id. They replace the lines of the sorted file. */
  readonly since: ReadonlyMap<string, Noted>
}

/** Bytes of the file of changes after which it is merged into the sorted one, unless that is much larger. */
const mostChanges = 256 * 1024
/** Part of the sorted file's size up to which changes are not merged, because merging reads and writes all of it. */
const mostPart = 1 / 8
const mostBytes = 1024 * 1024 * 1024
const lineForm = /^(?:(gone|unknown)|(\S+ \S+ \S* [01] \S* \S*)) (\d+) ([\w-]+)$/
const headForm = /^index of runs 1 ([\da-f]{8})\n/
const never = new AbortController().signal

/**
 * Index of the runs of a folder: a sorted file, and one to which every process appends what has changed. A run is
 * written to it before it is recorded or queued again, and after its end. So a run that the index has as ended has
 * ended, and any other run is read to know its state, also after a process was killed. Journals of programs without an
 * index are noticed by the time of the folder. A damaged index is made again from the names in the folder.
 */
export class FolderIndex {
  readonly #folder: string
  readonly #root: Root
  /** Sorted file as it was read last, which has 10 MB for 100,000 runs. A command asks several times in a row. */
  #sorted = new WeakRef({ stamp: '', text: '' })

  /** @param idsOf returns the ids of all runs in the folder */
  constructor(
    private readonly options: RunsFolder,
    private readonly idsOf: () => readonly string[],
  ) {
    this.#folder = `${options.folder}/.index`
    this.#root = new Root(this.#folder, { kind: 'private' })
  }

  /** Notes a run before it is recorded or queued again. Throws if that fails: the run would not be found. */
  open(id: string, count: number, facts: RunFacts): void {
    this.#write(lineOf(id, { count, facts }))
  }

  /** Notes the facts of a run that has ended. */
  async ended(id: string, count: number, facts: RunFacts): Promise<void> {
    await this.#tryWrite(lineOf(id, { count, facts }))
  }

  async gone(ids: readonly string[]): Promise<void> {
    await this.#tryWrite(ids.map(id => lineOf(id, { count: 0, facts: 'gone' })).join(''))
  }

  async find(filter: RunFilter): Promise<IndexedRuns> {
    if (!existsSync(this.options.folder)) return { known: [], unknown: [] }
    const loaded = this.#load() ?? (await this.#made())
    if (loaded === undefined) return { known: [], unknown: this.idsOf().filter(id => id.startsWith(filter.id ?? '')) }
    return this.#among(loaded, filter)
  }

  /** Returns a text that changes with the index, and with the journals of runs that have not ended. */
  async mark(stampOf: (path: string) => string): Promise<string> {
    const { unknown } = await this.find({ limit: 0 })
    const { folder } = this.options
    const paths = [folder, this.#path('log'), this.#path('sorted'), ...unknown.map(id => `${folder}/${id}/journal`)]
    return paths.map(stampOf).join('\n')
  }

  #among({ sorted, since }: Loaded, filter: RunFilter): IndexedRuns {
    const { id: beginning = '', limit = Infinity, session, tenant } = filter
    const known: { readonly id: string; readonly facts: RunFacts }[] = []
    const unknown = new Set<string>()
    const look = (id: string, facts: RunFacts | 'unknown'): boolean => {
      if (!id.startsWith(beginning)) return false
      if (isOver(facts)) return isAmong(facts, filter) && known.push({ id, facts }) > 0
      if (facts === 'unknown' || isAmong(facts, { session, tenant })) unknown.add(id)
      return false
    }
    for (const [id, { facts }] of since) {
      if (facts !== 'gone') look(id, facts)
      // It may have been submitted again while it was removed.
      else if (existsSync(`${this.options.folder}/${id}`)) look(id, 'unknown')
    }
    // Runs that have not ended come first.
    let left = filter.states?.some(state => isEnded({ state })) === false ? 0 : limit
    for (const [id, { facts }] of linesFromEnd(sorted, needleOf(filter))) {
      if (left <= 0 && isOver(facts)) break
      if (!since.has(id) && facts !== 'gone' && look(id, facts)) left -= 1
    }
    for (const id of this.#unnoted(sorted, since)) if (id.startsWith(beginning)) unknown.add(id)
    const newest = known.toSorted((one, other) => other.facts.queuedAt - one.facts.queuedAt)
    return { known: newest.slice(0, limit).map(({ id }) => id), unknown: [...unknown] }
  }

  /** Returns the runs that a program without an index has made. */
  #unnoted(sorted: string, since: ReadonlyMap<string, Noted>): readonly string[] {
    const timeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (timeOf(this.options.folder) <= Math.max(timeOf(this.#path('log')), timeOf(this.#path('sorted')))) return []
    return this.idsOf().filter(id => !since.has(id) && !sorted.includes(` ${id}\n`))
  }

  #path(name: 'log' | 'old' | 'sorted'): string {
    return `${this.#folder}/${name}`
  }

  /** Reads the index. Undefined if it is missing, damaged, or open to other users. */
  #load(): Loaded | undefined {
    try {
      return this.#loaded()
    } catch {
      // It is made again. If that fails too, the journals are read.
      return undefined
    }
  }

  #loaded(): Loaded | undefined {
    // What is merged while this reads is read twice, and not left out.
    const log = this.#read('log')
    const old = this.#read('old')
    const sorted = this.#readSorted()
    if (sorted === undefined) return undefined
    const since = new Map<string, Noted>()
    for (const line of [old, log].flatMap(text => text?.split('\n').slice(0, -1) ?? [])) {
      const [id, noted] = notedIn(line) ?? []
      if (id === undefined || noted === undefined) return undefined
      const before = since.get(id)
      if (before === undefined || before.facts === 'gone' || noted.facts === 'gone' || isLater(noted, before))
        since.set(id, noted)
    }
    return { sorted, since }
  }

  /** Returns the lines of the sorted file, after its line break. Undefined if it is missing or damaged. */
  #readSorted(): string | undefined {
    const { ino, size, mtimeMs } = statSync(this.#path('sorted'))
    const stamp = `${ino} ${size} ${mtimeMs}`
    const known = this.#sorted.deref()
    if (known?.stamp === stamp) return known.text
    const sorted = this.#read('sorted') ?? ''
    const [head = '', sum = ''] = headForm.exec(sorted) ?? []
    if (head === '' || sum !== sumOf(sorted.slice(head.length))) return undefined
    const text = sorted.slice(head.length - 1)
    // What was written between the two would be taken for what was there before.
    const after = statSync(this.#path('sorted'))
    if (after.ino === ino && after.mtimeMs === mtimeMs) this.#sorted = new WeakRef({ stamp, text })
    return text
  }

  #read(name: 'log' | 'old' | 'sorted'): string | undefined {
    return readPrivateFile(this.#path(name), this.options.owner, mostBytes)?.bytes.toString('latin1')
  }

  /** Makes a missing or damaged index again. Undefined if it cannot be written. */
  async #made(): Promise<Loaded | undefined> {
    try {
      await this.#merge(true)
      return this.#load()
    } catch {
      return undefined
    }
  }

  /**
   * Merges the changes into the sorted file, with all runs in the folder and no others. If `isNew`, all are unknown in it.
   */
  async #merge(isNew: boolean): Promise<void> {
    const { owner, clock, lockMs } = this.options
    makePrivateFolder(this.#folder, owner)
    await withLock(`${this.#folder}/lock`, { clock, limitMs: lockMs, signal: never }, ({ isHeld }) => {
      const loaded = this.#load()
      // Another process has made or merged it meanwhile.
      if (isNew ? loaded !== undefined : loaded === undefined) return
      // What other processes write from here on stays. A run has its folder before it is in the index.
      if (loaded === undefined) for (const name of ['old', 'log']) this.#root.remove(name)
      else if (!existsSync(this.#path('old')) && existsSync(this.#path('log'))) this.#root.move('log', 'old')
      const { sorted, since } = (loaded && this.#load()) ?? { sorted: '', since: new Map<string, Noted>() }
      const merged = new Map([...linesFromEnd(sorted), ...since])
      const lines = this.idsOf().map(id => {
        const noted = merged.get(id)
        const known: Noted = noted === undefined || noted.facts === 'gone' ? { count: 0, facts: 'unknown' } : noted
        return { at: isOver(known.facts) ? known.facts.queuedAt : Infinity, text: lineOf(id, known) }
      })
      const text = lines
        .toSorted((one, other) => (one.at === other.at ? 0 : one.at - other.at))
        .map(line => line.text)
        .join('')
      if (!isHeld()) return
      this.#root.write('sorted', `index of runs 1 ${sumOf(text)}\n${text}`, { replaces: 'ours' })
      this.#root.remove('old')
    })
  }

  async #tryWrite(text: string): Promise<void> {
    try {
      // A run whose end is not in the index is read to know its state.
      if (text === '') return
      const bytes = this.#write(text)
      if (bytes > mostChanges && bytes > statSync(this.#path('sorted')).size * mostPart) await this.#merge(false)
    } catch {
      // The next change merges them.
    }
  }

  /** Appends lines, and returns the bytes of the file. */
  #write(text: string): number {
    makePrivateFolder(this.#folder, this.options.owner)
    for (;;) {
      const descriptor = this.#root.open('log', constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT)
      try {
        writeSync(descriptor, text)
        const { ino, size } = fstatSync(descriptor)
        // Another process that merges may have read the file before this line.
        if (statSync(this.#path('log'), { throwIfNoEntry: false })?.ino === ino) return size
      } finally {
        closeSync(descriptor)
      }
    }
  }
}

const sumOf = (text: string): string => crc32(Buffer.from(text, 'latin1')).toString(16).padStart(8, '0')

const lineOf = (id: string, { count, facts }: Noted): string =>
  `${typeof facts === 'string' ? facts : encodeFacts(facts)} ${count} ${id}\n`

/** Compares two lines. If both have the same number of entries, a process that read them wrote the one of an ended run. */
const isLater = (one: Noted, other: Noted): boolean =>
  one.count > other.count || (one.count === other.count && isOver(one.facts))

const isOver = (facts: Noted['facts']): facts is RunFacts => typeof facts === 'object' && isEnded(facts)

function notedIn(line: string): readonly [string, Noted] | undefined {
  const [, word, text = '', count, id] = lineForm.exec(line) ?? []
  const facts = word === 'gone' || word === 'unknown' ? word : decodeFacts(text)
  return id === undefined || facts === undefined ? undefined : [id, { count: Number(count), facts }]
}

/** Returns a text that is in the line of each ended run that matches. */
function needleOf({ session, tenant, isDelivered }: RunFilter): string | undefined {
  if (session === undefined) return tenant && ` ${tenant} `
  return isDelivered === undefined ? ` ${session} ` : ` ${isDelivered ? 1 : 0} ${session} `
}

/**
 * Yields the lines of a sorted file from its end.
 * @param needle of the lines of ended runs, only those that have this text
 */
function* linesFromEnd(sorted: string, needle?: string): Generator<readonly [string, Noted]> {
  for (let end = sorted.length - 1, areEnded = false; end > 0;) {
    const inside: number = areEnded && needle !== undefined ? sorted.lastIndexOf(needle, end - 1) : end - 1
    if (inside < 0) return
    const start = sorted.lastIndexOf('\n', inside)
    const stop = sorted.indexOf('\n', inside)
    const noted = notedIn(sorted.slice(start + 1, inside === end - 1 ? end : stop))
    if (noted !== undefined) {
      const { facts } = noted[1]
      areEnded ||= isOver(facts)
      yield noted
    }
    end = start
  }
}
