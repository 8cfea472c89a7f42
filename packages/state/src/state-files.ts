import { lstatSync } from 'node:fs'
import { abortError, type Clock, type Diagnostic } from '@skills/core'
import { checkName } from './state-name.js'
import { decodeState, encodeState } from './state-text.js'
import { readPrivateFile } from './private-file.js'
import { isFolderThere, makeFolder, type Owner } from './private-folder.js'
import { refused, stateError } from './state-error.js'
import { withLock, type Hold } from './lock.js'
import { Root } from './writer/root.js'
import type { OpenedState, StateAsk } from './state.js'

export interface StateFilesOptions {
  /** Absolute path with forward slashes; the folder may be missing. */
  readonly folder: string
  readonly owner: Owner
  readonly clock: Clock
  /** Milliseconds to wait for another process. */
  readonly lockMs: number
  report(diagnostic: Diagnostic): void
}

/** Content of a file: its text, and the value it encodes. */
interface Held {
  readonly text: string | undefined
  readonly value: unknown
}

const nothing: Held = { text: undefined, value: undefined }

/** Keeps each name in a file of its own, in a folder of the user. See docs/reference/sessions.md, "State". */
export class StateFiles implements OpenedState {
  constructor(private readonly options: StateFilesOptions) {}

  async read(name: string, { signal = new AbortController().signal }: StateAsk = {}): Promise<unknown> {
    checkName(name)
    if (signal.aborted) throw abortError(signal)
    const { folder, owner } = this.options
    if (!isFolderThere(folder, owner)) return undefined
    const held = this.#load(name)
    // The second look happens under the lock, because another process may have written a valid file by now.
    return typeof held === 'object' ? held.value : this.#locked(name, signal, () => this.#loadOrSetAside(name).value)
  }

  async update(
    name: string,
    change: (value: unknown) => unknown,
    { signal = new AbortController().signal }: StateAsk = {},
  ): Promise<unknown> {
    checkName(name)
    if (signal.aborted) throw abortError(signal)
    const { folder, owner } = this.options
    makeFolder(folder, owner)
    return this.#locked(name, signal, hold => {
      isFolderThere(folder, owner)
      const before = this.#loadOrSetAside(name)
      const value = change(before.value)
      const text = value === undefined ? undefined : encodeState(name, value)
      if (text !== before.text) this.#save(name, text, hold)
      return text === undefined ? undefined : valueOf(text)
    })
  }

  #pathOf(name: string): string {
    return `${this.options.folder}/${name}.json`
  }

  /** Returns the content of the file, or the end of a sentence that says why it is not a state file. */
  #load(name: string): Held | string {
    const path = this.#pathOf(name)
    const found = readPrivateFile(path, this.options.owner)
    if (found === undefined) return nothing
    if (found.isTooLarge) return 'is larger than any file that this program writes'
    const decoded = decodeState(found.bytes)
    if ('fault' in decoded) return decoded.fault
    if ('value' in decoded) return { text: found.bytes.toString(), value: decoded.value }
    throw stateError(
      `${path} was written by a later version of this program (its format is ${decoded.version}), so this version leaves the file unchanged.`,
      'Update this program, or name another folder for its state.',
    )
  }

  #loadOrSetAside(name: string): Held {
    const held = this.#load(name)
    if (typeof held === 'object') return held
    const path = this.#pathOf(name)
    const aside = this.#freePath(name)
    try {
      this.#root.move(`${name}.json`, aside.slice(this.options.folder.length + 1))
    } catch (error) {
      throw refused(`${path} ${held}, and could not be set aside`, error)
    }
    this.options.report({
      severity: 'warning',
      type: 'parse',
      code: 'corrupt-state',
      path: aside,
      message: `The stored "${name}" could not be read and starts empty: ${path} ${held}. The old file is now ${aside}.`,
      hint: 'Remove the old file when you no longer need it.',
    })
    return nothing
  }

  /** Returns a free path. A file that is set aside never replaces another, not even an invalid one. */
  #freePath(name: string): string {
    const time = new Date(this.options.clock.now()).toISOString().replaceAll(/[-:.]/g, '')
    const path = `${this.options.folder}/${name}.corrupt-${time}`
    let free = path
    for (let count = 2; lstatSync(free, { throwIfNoEntry: false }) !== undefined; count++) free = `${path}-${count}`
    return free
  }

  #save(name: string, text: string | undefined, { isHeld }: Hold): void {
    const ready = (): void => {
      if (!isHeld()) throw stateError(`Another process changed "${name}" while this process was paused.`, 'Try again.')
    }
    try {
      if (text !== undefined) return this.#root.write(`${name}.json`, text, { replaces: 'ours', mode: 0o600, ready })
      ready()
      this.#root.remove(`${name}.json`)
      this.#root.flush()
    } catch (error) {
      throw refused(`"${name}" could not be written to ${this.#pathOf(name)}`, error)
    }
  }

  get #root(): Root {
    return new Root(this.options.folder, { kind: 'private' })
  }

  #locked<T>(name: string, signal: AbortSignal, work: (hold: Hold) => T): Promise<T> {
    const { folder, clock, lockMs } = this.options
    return withLock(`${folder}/${name}.lock`, { clock, limitMs: lockMs, signal }, work)
  }
}

/** Returns the value as the next reader will decode it. */
function valueOf(text: string): unknown {
  const decoded = decodeState(Buffer.from(text))
  return 'value' in decoded ? decoded.value : undefined
}
