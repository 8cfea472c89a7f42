import { messageOf } from '@skills/core'
import { decodeEntry, encodeEntry, numbered } from './journal-text.js'
import { fromStorage, runError } from './run-error.js'
import { factsOf, indexKey, recordAfter, type RunFacts } from './run-record.js'
import { runVersion, type RunEntry, type RunRecord } from './run.js'
import type { RunKey, RunKeys } from './run-keys.js'
import type { IndexedRuns, RunChanged, RunLogs } from './run-logs.js'
import type { RunFilter } from './runs.js'

/** End of the known part of a journal. The next entry has to follow it. */
export interface JournalEnd {
  /** Number of entries. */
  readonly count: number
  /** Signature of the last entry. */
  readonly signature: string
}

export interface JournalPart {
  readonly entries: readonly RunEntry[]
  /** End after these entries. */
  readonly end: JournalEnd
}

/** Entry that can be written: it was encoded and checked. Later changes of its values have no effect. */
export interface CheckedEntry {
  /** The entry as it will be read. */
  readonly entry: RunEntry
  /** Its line without its number. */
  readonly json: string
}

export const emptyJournal: JournalEnd = { count: 0, signature: '' }

/** Form of an id, which becomes a part of paths, keys and messages of servers. */
const idForm = /^[0-9a-zA-Z][0-9a-zA-Z_-]{0,127}$/
/** Last entries of a run that has ended. */
const closing: ReadonlySet<unknown> = new Set<RunEntry['type']>(['ended', 'delivered'])
/** Signature after the JSON of an entry, which contains no tab. */
const proofForm = /\t([\da-f]{8})\.([\w-]{22})$/

/**
 * Journals as chains of signed lines. A signature covers the line, the id of the run, the place of the journal, and the
 * signature of the line before. Without a key, no one can change, add, move or remove an entry unnoticed, or use
 * entries of one run in another. Only removing the last entries is not noticed.
 */
export class Journals {
  /** @param where signed with each entry: the name of a queue */
  constructor(
    private readonly logs: RunLogs,
    private readonly keys: RunKeys,
    private readonly where: string,
  ) {}

  /**
   * Reads the entries after the known ones. Rejects with `E_RUN_UNSIGNED` for an entry that no key of this host signed,
   * and with `E_RUN_JOURNAL` for one that was changed, cannot be read, or is of a later version.
   * @param given these lines, if they arrived in another way
   */
  async read(id: string, end: JournalEnd = emptyJournal, given?: readonly string[]): Promise<JournalPart> {
    const lines = given ?? (await fromStorage(() => this.logs.read(id, end.count)))
    const { readEntry } = await import('./entry-schema.js')
    const what = this.logs.nameOf?.(id) ?? `The journal of the run ${id}`
    const entries: RunEntry[] = []
    let { count, signature } = end
    let key: RunKey | undefined
    for (const line of lines) {
      const { json, keyId, own } = signedIn(line)
      const entry = readEntry(decodeEntry(json), what, count)
      if (own === '') throw unsigned(id, `its entry ${count + 1} has no signature`)
      if (key?.id !== keyId) key = await this.keys.withId(keyId)
      if (key === undefined)
        throw unsigned(id, `its entry ${count + 1} was signed with the key ${keyId}, which this host does not have`)
      if (!key.isSignature(own, ...this.#signed(id, signature), json))
        throw runError(
          'E_RUN_JOURNAL',
          `${what} is damaged: its entry ${count + 1} does not follow the ${count} entries before it. The run is not continued, and the journal is not changed.`,
          'Somebody changed, moved or removed an entry. Check who may write to the journal, and invoke the skill again.',
        )
      entries.push(entry)
      signature = own
      count += 1
    }
    return { entries, end: { count, signature } }
  }

  /** Checks an entry before it is appended. Rejects with `E_RUN_ENTRY` for one that could not be read again. */
  async checked(id: string, entry: RunEntry): Promise<CheckedEntry> {
    const { checkedEntry } = await import('./entry-schema.js')
    const json = this.#encoded(id, entry)
    const checked = checkedEntry(decodeEntry(json))
    if ('problem' in checked) throw refused(id, checked.problem)
    return { entry: checked.entry, json }
  }

  /**
   * Appends entries if the journal has exactly the known ones, and returns them as they will be read. Undefined if it
   * has others. Rejects with `E_RUN_ENTRY`, before anything is written, for an entry that could not be read again.
   * @param before record of the run without these entries
   */
  async append(
    id: string,
    end: JournalEnd,
    given: readonly (RunEntry | CheckedEntry)[],
    before?: RunRecord,
  ): Promise<JournalPart | undefined> {
    if (!idForm.test(id))
      throw refused(
        id,
        'its id is not 1 to 128 letters of ASCII, digits, hyphens and underscores that begin with a letter or digit',
      )
    const key = await this.keys.signing()
    const [entries, lines]: [RunEntry[], string[]] = [[], []]
    let { count, signature } = end
    for (const one of given) {
      const checked = 'json' in one ? one : await this.checked(id, one)
      const json = numbered(checked.json, count)
      signature = key.sign(...this.#signed(id, signature), json)
      entries.push(checked.entry)
      lines.push(`${json}\t${key.id}.${signature}`)
      count += 1
    }
    const after = entries.reduce<RunRecord | undefined>(recordAfter, before)
    const facts = after && factsOf(after)
    const isAppended = await fromStorage(() => this.logs.append(id, end.count, lines, entries, facts))
    return isAppended ? { entries, end: { count, signature } } : undefined
  }

  /** Returns the ids of the runs to look at for a filter. */
  async indexed(filter: RunFilter): Promise<IndexedRuns> {
    const { id = '', session, tenant } = filter
    const ids = async (): Promise<readonly string[]> => (await this.logs.ids()).filter(one => one.startsWith(id))
    const keys = { session: session && indexKey(session), tenant: tenant && indexKey(tenant) }
    const asked = { ...filter, ...keys }
    return fromStorage(async () => (await this.logs.indexed?.(asked)) ?? { known: [], unknown: await ids() })
  }

  async learn(id: string, count: number, facts: RunFacts): Promise<void> {
    // An index that cannot be written now is only slower.
    await Promise.resolve(this.logs.learn?.(id, count, facts)).catch(() => {})
  }

  /**
   * Removes journals whose entries are all signed and end with the end of the run or its delivery. Returns the ids of
   * those that were removed.
   */
  removeEnded(ids: readonly string[]): Promise<readonly string[]> {
    const mayRemove = (id: string, lines: readonly string[]): Promise<boolean> => this.#isEnded(id, lines)
    return fromStorage(async () => {
      const removed = [...((await this.logs.removeAll?.(ids, mayRemove)) ?? [])]
      const gone = new Set(removed)
      for (const id of ids) {
        if (gone.has(id)) continue
        const lines = await this.logs.read(id)
        if ((await mayRemove(id, lines)) && (await this.logs.remove(id, lines.length))) removed.push(id)
      }
      return removed
    })
  }

  /** Verifies the signatures of a whole journal. Of its entries only the first and the last are decoded. */
  async #isEnded(id: string, lines: readonly string[]): Promise<boolean> {
    let [signature, key]: [string, RunKey | undefined] = ['', undefined]
    for (const line of lines) {
      const { json, keyId, own } = signedIn(line)
      if (key?.id !== keyId) key = await this.keys.withId(keyId)
      if (key?.isSignature(own, ...this.#signed(id, signature), json) !== true) return false
      signature = own
    }
    const entryIn = (line = ''): object => decodeEntry(signedIn(line).json) ?? {}
    const [first, last] = [entryIn(lines[0]), entryIn(lines.at(-1))]
    // A later version may record an end in another way.
    return 'version' in first && first.version === runVersion && 'type' in last && closing.has(last.type)
  }

  /** Returns a text that changes with every run. */
  async mark(): Promise<string> {
    return fromStorage(async () => {
      if (this.logs.mark !== undefined) return this.logs.mark()
      const marks: string[] = []
      for (const id of await this.logs.ids()) marks.push(`${id} ${(await this.logs.read(id)).length}`)
      return marks.join('\n')
    })
  }

  /** Returns the number of lines of a journal, signed or not. */
  async lines(id: string): Promise<number> {
    return (await fromStorage(() => this.logs.read(id))).length
  }

  remove(id: string, count: number): Promise<boolean> {
    return fromStorage(() => this.logs.remove(id, count))
  }

  /** True if a journal still has its last known entry. */
  async has(id: string, { count }: JournalEnd): Promise<boolean> {
    return (await fromStorage(() => this.logs.read(id, count - 1))).length > 0
  }

  watch(id: string, changed: RunChanged): (() => void) | undefined {
    return this.logs.watch?.(id, changed)
  }

  /** Parts to be signed. None contains a line feed, so their limits are unambiguous. */
  #signed(id: string, before: string): readonly string[] {
    return [`skills run entry 1\n${JSON.stringify([this.where, id])}\n${before}\n`]
  }

  #encoded(id: string, entry: RunEntry): string {
    try {
      return encodeEntry(entry)
    } catch (error) {
      // JSON.stringify() throws for values that JSON cannot represent, and getters may throw too.
      throw refused(id, `the ${entry.type} entry cannot be written as JSON: ${messageOf(error)}`, error)
    }
  }
}

/** Splits a line into the JSON of an entry, the id of a key and a signature, which are empty for an unsigned line. */
function signedIn(line: string): { readonly json: string; readonly keyId: string; readonly own: string } {
  const [proof = '', keyId = '', own = ''] = proofForm.exec(line) ?? []
  return { json: line.slice(0, line.length - proof.length), keyId, own }
}

function unsigned(id: string, why: string): Error {
  return runError(
    'E_RUN_UNSIGNED',
    `The run ${id} is not run, because ${why}. The entry was written with another key, by an earlier version, or by a program without a key.`,
    'Give every host of the queue the same keys (SKILLS_RUNS_KEY_FILE). To remove such runs: skills runs prune --state unsigned',
  )
}

function refused(id: string, why: string, cause?: unknown): Error {
  return runError(
    'E_RUN_ENTRY',
    `The entry of the run ${JSON.stringify(id)} was not recorded: ${why}.`,
    'Correct the given value.',
    cause,
  )
}
