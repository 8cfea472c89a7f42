import { setImmediate as turn } from 'node:timers/promises'
import { abortError, messageOf, systemClock } from '@skills/core'
import { Debounce } from './watch-debounce.js'
import { isInside } from '@skills/store'
import { lstatOf } from './real-path.js'
import { plainFolder } from './slashes.js'
import { WatchedEntries, type Entry } from './watch-entries.js'
import { EventBursts } from './watch-overflow.js'
import { WatchedFolders } from './watch-folders.js'
import { isUsuallyIgnored, WatchedTree } from './watch-tree.js'
import { watchProblem } from './watch-problem.js'
import { isSameWay, wayTo } from './watch-way.js'
import type { PathWatch, WatchPathsOptions } from './watch-options.js'

/** Starts to watch. Settles when everything is watched. */
export async function startSession(options: WatchPathsOptions): Promise<PathWatch> {
  const throwIfAborted = (signal = options.signal): void => {
    if (signal?.aborted === true) throw abortError(signal)
  }
  throwIfAborted()
  const session = new WatchSession(options)
  try {
    await session.setPaths(options.paths)
    throwIfAborted()
    return session
  } catch (error) {
    await session.close()
    throw error
  }
}

class WatchSession implements PathWatch {
  readonly #options: WatchPathsOptions
  readonly #debounce: Debounce
  readonly #bursts = new EventBursts(() => this.#lookAtAll())
  readonly #folders: WatchedFolders
  readonly #entries = new WatchedEntries()
  readonly #trees = new Map<string, WatchedTree>()
  /** Entries that may lead elsewhere than before. */
  readonly #dirty = new Set<Entry>()
  /** Real paths that may have changed since the last batch. */
  #changed = new Set<string>()
  #concerned = new Set<Entry>()
  #synchronizing: Promise<void> = Promise.resolve()
  #closing: Promise<void> | undefined
  #stopPolling: (() => void) | undefined
  #isReady = false

  constructor(options: WatchPathsOptions) {
    this.#options = options
    const { clock = systemClock, debounceMs = 100 } = options
    this.#debounce = new Debounce({ clock, quietMs: debounceMs, work: () => this.#tell() })
    this.#folders = new WatchedFolders(
      (folder, name) => {
        this.#bursts.note()
        for (const entry of this.#entries.through(folder, name)) this.#concern(entry)
      },
      error => this.#onError(error),
    )
    options.signal?.addEventListener('abort', this.#onAbort, { once: true })
  }

  async setPaths(given: readonly string[]): Promise<void> {
    for (const entry of this.#entries.setTargets(new Set(given.map(plainFolder)))) this.#dirty.add(entry)
    for (const link of this.#entries.links)
      if (this.#isFollowed(link) !== (link.way !== undefined)) this.#dirty.add(link)
    await this.#synchronize(this.#isReady)
    this.#isReady = true
    if (this.#changed.size > 0) this.#debounce.touch()
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  async #close(): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#onAbort)
    this.#stopPolling?.()
    this.#folders.close()
    // Comes first: closing must not wait until a tree is watched.
    for (const tree of this.#trees.values()) tree.close()
    await this.#debounce.close()
    await this.#synchronizing
  }

  readonly #onAbort = (): void => void this.close()

  #concern(entry: Entry): void {
    this.#dirty.add(entry)
    this.#concerned.add(entry)
    this.#debounce.touch()
  }

  /** Handles an error of the watch. Returns true if everything is polled from now on, whether watched or not. */
  #onError(error: unknown): boolean {
    const { onDiagnostic, pollMs = 2000 } = this.#options
    const problem = watchProblem(error, pollMs)
    if (problem === undefined) return false
    if (this.#stopPolling !== undefined || this.#closing !== undefined) return true
    onDiagnostic(problem)
    this.#poll(pollMs)
    return true
  }

  /** Reports everything as changed, at intervals. */
  #poll(pollMs: number): void {
    this.#stopPolling = (this.#options.clock ?? systemClock).after(pollMs, () => {
      for (const entry of this.#entries.targets) this.#concern(entry)
      this.#poll(pollMs)
    })
  }

  /** Watches everything again and reports it as changed. */
  #lookAtAll(): void {
    for (const tree of this.#trees.values()) this.#drop(tree)
    for (const entry of this.#entries.targets) this.#concern(entry)
  }

  /** Reports the changes since the last time, once everything that exists is watched. */
  async #tell(): Promise<void> {
    const { onChange, onDiagnostic } = this.#options
    try {
      const concerned = this.#concerned
      this.#concerned = new Set()
      // Taken before synchronizing: an event that comes while watching begins may lie in a folder that is not watched
      // yet.
      const changed = this.#changed
      this.#changed = new Set()
      await this.#synchronize(true)
      const paths = new Set([...changed].flatMap(path => this.#entries.reached(path)))
      for (const { at, isLink } of concerned)
        for (const path of isLink ? this.#entries.reached(at) : [at]) paths.add(path)
      if (paths.size > 0 && this.#closing === undefined) await onChange([...paths])
    } catch (error) {
      onDiagnostic({
        severity: 'warning',
        type: 'io',
        code: 'watch-failed',
        message: `The handler of a file change failed: ${messageOf(error)}`,
      })
    }
  }

  #isFollowed({ at }: Entry): boolean {
    const { follows = () => true } = this.#options
    return this.#entries.reached(at).some(follows)
  }

  /**
   * Brings the watch up to date.
   * @param isTold true if newly watched trees count as changed, because changes before were not reported
   */
  #synchronize(isTold: boolean): Promise<void> {
    // The caller gets the failure; the next call does not depend on it.
    const done = this.#synchronizing.then(() => this.#watchWhatIsThere(isTold))
    this.#synchronizing = done.catch(() => {})
    return done
  }

  /** Updates what is watched until it agrees with where the entries lead. */
  async #watchWhatIsThere(isTold: boolean): Promise<void> {
    for (let isFirst = true; isFirst || this.#dirty.size > 0; isFirst = false) {
      // Paths that keep changing must not block the rest of the process, or a signal that ends it.
      if (!isFirst) await turn()
      if (this.#closing !== undefined) return
      const dirty = [...this.#dirty].filter(entry => this.#entries.has(entry))
      this.#dirty.clear()
      for (const entry of dirty) this.#look(entry)
      const entries = this.#entries.all
      this.#folders.watch(new Set(entries.flatMap(({ way }) => way?.steps.map(({ folder }) => folder) ?? [])))
      // Anything may have happened between resolving a path and watching it.
      for (const entry of dirty) if (this.#leadsElsewhere(entry)) this.#dirty.add(entry)
      const wanted = new Set(
        entries.flatMap(({ way }) => way?.realPath ?? []).filter(path => lstatOf(path)?.isDirectory() === true),
      )
      const gone = [...this.#trees.values()].filter(tree => !wanted.has(tree.realPath) || tree.isReplaced)
      for (const tree of gone) this.#drop(tree)
      const begun = [...wanted].filter(path => !this.#trees.has(path)).map(path => this.#begin(path))
      for (const tree of this.#trees.values()) await tree.settle()
      if (!isTold) continue
      for (const { realPath } of begun) this.#changed.add(realPath)
      if (begun.length > 0) this.#debounce.touch()
    }
  }

  #look(entry: Entry): void {
    if (!entry.isLink) entry.way = wayTo(entry.at)
    else if (lstatOf(entry.at)?.isSymbolicLink() !== true) this.#entries.removeLink(entry)
    else entry.way = this.#isFollowed(entry) ? wayTo(entry.at) : undefined
  }

  /**
   * Returns true if an entry leads elsewhere than when it was resolved. A link that was removed meanwhile does not
   * count, because resolving it again would loop.
   */
  #leadsElsewhere(entry: Entry): boolean {
    return this.#entries.has(entry) && entry.way !== undefined && !isSameWay(entry.way, wayTo(entry.at))
  }

  #begin(realPath: string): WatchedTree {
    const tree = new WatchedTree(realPath, {
      ignores: this.#options.ignores ?? isUsuallyIgnored,
      onChange: path => {
        this.#changed.add(path)
        if (this.#isReady) this.#debounce.touch()
      },
      onLink: at => {
        const link = this.#entries.addLink(at)
        if (link === undefined) return
        this.#dirty.add(link)
        if (this.#isReady) this.#debounce.touch()
      },
      onEvent: this.#bursts.note,
      onError: error => this.#onError(error),
    })
    this.#trees.set(realPath, tree)
    return tree
  }

  #drop(tree: WatchedTree): void {
    this.#trees.delete(tree.realPath)
    const others = [...this.#trees.keys()]
    // Links that are still there are found again.
    for (const link of this.#entries.links) {
      if (!isInside(link.at, tree.realPath) || others.some(other => isInside(link.at, other))) continue
      this.#entries.removeLink(link)
      this.#dirty.delete(link)
    }
    tree.close()
  }
}
