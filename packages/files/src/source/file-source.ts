import { isDeepStrictEqual } from 'node:util'
import {
  abortError,
  defineProvider,
  loadResult,
  pathOf,
  SkillsError,
  type Command,
  type Diagnostic,
  type Host,
  type LoadParts,
  type LoadResult,
  type MaybePromise,
  type Note,
  type Place,
  type Provider,
  type Source,
  type SourceCall,
  type Words,
} from '@skills/core'
import { LocalStore } from '../local-store.js'
import { plainFolder, slashes } from '../slashes.js'
import { SkillTree, type SkillTreeState } from '../skill-tree.js'
import { isAlmostSkill } from '../walk-problems.js'
import { isSkillCommand } from '@skills/skill-md/internal'
import { isInside, type Store } from '@skills/store'
import { lastFirst, overwritten } from './last-wins.js'
import { pathName } from './path-name.js'
import {
  contextOf,
  isCurrent,
  isSameReading,
  readSkill,
  settleEntries,
  type ReadContext,
  type SkillItem,
} from './skill-entry.js'
import { fileSourceOptions, type FileSourceOptions, type Layout, type SkillRoot, type SkillRoots } from './layout.js'

/**
 * Makes a source over folders of skill files. Every other source of files is made with this function. See
 * docs/reference/skill-files.md, "File sources".
 */
export function fileSource(given: FileSourceOptions): Provider<'source'> {
  const options = fileSourceOptions.read(given)
  const { id, order, limitMs } = options
  return defineProvider({
    kind: 'source',
    id,
    ...(order === undefined ? {} : { order }),
    ...(limitMs === undefined ? {} : { limitMs }),
    async setup({ host, words, invalidate, effect }) {
      const store = await storeOf(options, host)
      if (store.watch !== undefined)
        await effect('watching the store', () => store.watch?.(paths => invalidate(paths)) ?? (() => {}))
      if (store.close !== undefined) await effect('the store', () => () => store.close?.())
      return new FileSource(options, store, host, words, path => invalidate([path]))
    },
  })
}

function storeOf({ store = new LocalStore() }: FileSourceOptions, host: Host): MaybePromise<Store> {
  return typeof store === 'function' ? store(host) : store
}

interface LoadedRoot {
  /** Root as the source gave it. */
  readonly given: SkillRoot
  readonly root: SkillRoot
  readonly tree: SkillTree<SkillItem>
  state: SkillTreeState<SkillItem>
}

class FileSource implements Source {
  readonly source
  /** Store that a catalog reads; `sharedReads` may stand in front of it. */
  readonly #catalogStore: Store
  /** Version of the store at the last look. */
  #version: string | undefined
  /**
   * Registered executors, shells and fields beyond the usual; undefined if there are none, so that a layout without
   * fields stays without.
   */
  readonly #words: Words | undefined
  #loaded = new Map<string, LoadedRoot>()
  /** Roots of a load that a time limit stopped; the next load continues with them. */
  #late: ReadonlyMap<string, LoadedRoot> | undefined
  #found: SkillRoots = { roots: [] }
  /** Normalized roots by the given ones: a source with thousands of roots gives nearly all of them again each time. */
  readonly #written = new WeakMap<SkillRoot, { readonly root: SkillRoot; readonly key: string }>()

  constructor(
    private readonly options: FileSourceOptions,
    /** Store that an invocation reads. */
    private readonly store: Store,
    private readonly host: Host,
    words: Words | undefined,
    private readonly onChanged: (path: string) => void,
  ) {
    this.source = options.source
    this.#catalogStore = options.sharedReads?.over(store) ?? store
    this.#words = words && Object.values(words).some(list => list.length > 0) ? words : undefined
  }

  async list(call: SourceCall): Promise<LoadResult> {
    this.#loaded = new Map(this.#late)
    await this.#look(undefined, call, true)
    return this.#hinted()
  }

  async refresh(paths: readonly string[] | undefined, call: SourceCall): Promise<LoadResult | undefined> {
    return (await this.#look(paths, call, false)) ? this.#hinted() : undefined
  }

  /** Returns every root, including missing folders of commands, which are not listed as places. */
  watched(): readonly string[] {
    // A store of another kind reports its changes itself.
    return this.store.id === 'disk' ? this.#found.roots.map(({ path }) => plainFolder(path)) : []
  }

  async explain(
    name: string,
    command: Command | undefined,
    { signal }: Parameters<NonNullable<Source['explain']>>[2],
  ): Promise<readonly Note[]> {
    // Imported on use, because listing skills does not need it.
    const { explainAbsence, explainLink } = await import('./explain-absence.js')
    if (command !== undefined) return isSkillCommand(command) ? explainLink(command, [...this.#loaded.values()]) : []
    const notes: Note[] = []
    for (const { root, state } of this.#loaded.values()) {
      const { holds, ...layout } = this.#layoutOf(root)
      const place = state.root === 'read' && holds !== 'commands' ? placeOf(root, name) : undefined
      if (place !== undefined)
        notes.push(
          ...(await explainAbsence(
            place.folder,
            place.name,
            { ...layout, goesBy: folder => goesBy(folder, state.items), within: root.within, store: this.store },
            signal,
          )),
        )
    }
    return notes
  }

  /** Returns the result, with what a person can write to allow a link that leads too far. */
  async #hinted(): Promise<LoadResult> {
    const result = this.#result(this.#loaded)
    return result.errors.some(({ code }) => code === 'link-escapes')
      ? (await import('../link-hint.js')).withLinkHints(result, this.host)
      : result
  }

  /** Looks at every root, in order. Returns true if anything has changed. */
  async #look(paths: readonly string[] | undefined, call: SourceCall, isFirst: boolean): Promise<boolean> {
    const before = this.#loaded
    // An aborted load leaves nothing behind that could pass for a complete one.
    this.#loaded = new Map()
    this.#late = undefined
    const loaded = new Map<string, LoadedRoot>()
    const found = async (): Promise<LoadParts> => {
      const soFar = new Map([...loaded].map(([key, one]) => [key, { ...one, state: one.tree.found() }]))
      for (const { state } of soFar.values()) await settleEntries(state.items, new AbortController().signal)
      return this.#result(soFar)
    }
    const onAbort = (): void => {
      const { reason } = call.signal
      if (SkillsError.is(reason) && reason.code === 'E_TIMEOUT') this.#late = loaded
    }
    const { diagnostics, skipped } = this.#found
    if (call.signal.aborted) throw abortError(call.signal)
    call.signal.addEventListener('abort', onAbort, { once: true })
    this.#found = await this.options.roots(this.host)
    // The first load always changes something, and comparing would load code that is seldom needed.
    let hasChanged =
      isFirst || !isDeepStrictEqual([diagnostics, skipped], [this.#found.diagnostics, this.#found.skipped])
    let done = 0
    const concerned = await this.#changedPaths(paths?.map(slashes), call)
    // From here on, the load's findings are kept even if it is stopped.
    call.progress(done, found)
    for (const given of this.#found.roots) {
      const { root, key } = this.#write(given)
      if (loaded.has(key)) continue
      const known = before.get(key)
      const isSame = known !== undefined && (known.given === given || isDeepStrictEqual(known.root, root))
      // With thousands of roots, those without a change cost next to nothing.
      if (isSame && concerned?.some(path => isInside(path, root.path) || isInside(root.path, path)) === false) {
        loaded.set(key, known)
        continue
      }
      const base = done
      const onProgress = (folders: number): void => {
        done = base + folders
        call.progress(done)
      }
      if (!isSame) {
        const context = this.#contextOf(root)
        const tree = this.#tree(context)
        loaded.set(key, { given, root, tree, state: tree.found() })
        loaded.set(key, { given, root, tree, state: await tree.scan(call.signal, onProgress) })
        hasChanged = true
      } else {
        loaded.set(key, known)
        const state = await known.tree.rescan(concerned, call.signal, onProgress)
        hasChanged ||= state !== undefined
        loaded.set(key, { ...known, state: state ?? known.state })
      }
      const { items } = loaded.get(key)?.state ?? { items: [] }
      await settleEntries(items, call.signal, () => onProgress(items.length))
      done = Math.max(done, base + items.length)
    }
    call.signal.removeEventListener('abort', onAbort)
    for (const key of before.keys()) hasChanged ||= !loaded.has(key)
    this.#loaded = loaded
    return hasChanged
  }

  /**
   * Returns the paths to look at again. A store that cheaply tells what has changed since the last load limits them to
   * that.
   */
  async #changedPaths(
    paths: readonly string[] | undefined,
    { signal }: SourceCall,
  ): Promise<readonly string[] | undefined> {
    const changes = await this.store.changes?.(this.#version, { signal })
    if (changes === undefined) return paths
    const isKnown = this.#version !== undefined && changes.paths !== undefined
    this.#version = changes.version
    return isKnown ? [...new Set([...changes.paths, ...(paths ?? [])])] : undefined
  }

  /**
   * Normalizes the path of a root and returns it with its key. The key has the plugin's name, because plugins may share
   * a folder.
   */
  #write(given: SkillRoot): { readonly root: SkillRoot; readonly key: string } {
    const known = this.#written.get(given)
    if (known !== undefined) return known
    const root = { ...given, path: this.store.id === 'disk' ? plainFolder(given.path) : given.path }
    const written = { root, key: root.plugin === undefined ? root.path : `${root.plugin.name}:${root.path}` }
    this.#written.set(given, written)
    return written
  }

  #layoutOf(root: SkillRoot): Layout {
    const layout = root.layout ?? this.options.layout ?? {}
    return this.#words === undefined ? layout : { ...layout, fields: { words: this.#words, ...layout.fields } }
  }

  #contextOf(root: SkillRoot): ReadContext {
    const { source, refuse } = this.options
    return contextOf({
      root,
      layout: this.#layoutOf(root),
      source,
      keepsBodies: this.options.sharedReads?.keepsBodies === true,
      shared: this.options.sharedReads?.shared,
      onChanged: this.onChanged,
      store: this.store,
      catalogStore: this.#catalogStore,
      now: this.host.clock.now,
      ...(refuse && { refuse: (file, stats) => refuse(file, stats, this.host) }),
    })
  }

  #tree(context: ReadContext): SkillTree<SkillItem> {
    const { root } = context
    const { holds, walk = 'deep', fields: _fields, mayBeSkill, loose, ...limits } = this.#layoutOf(root)
    const isCommands = holds === 'commands'
    return new SkillTree<SkillItem>({
      // The layout's walk applies to skills; commands are named by their path at any depth.
      root: root.path,
      walk: isCommands ? 'deep' : walk,
      ...limits,
      within: root.within,
      now: this.host.clock.now,
      loose: isCommands || (loose ?? false),
      mayBeSkill: root.mayBeSkill ?? mayBeSkill ?? false,
      store: this.#catalogStore,
      // A refusal depends on the file's stats, which are read while it is open.
      looksOnce: this.options.sharedReads?.looksOnce === true && this.options.refuse === undefined,
      read: (file, head) => readSkill(file, head, context),
      isCurrent: item => isCurrent(item, context),
      isSame: isSameReading,
    })
  }

  #result(loaded: ReadonlyMap<string, LoadedRoot>): LoadResult {
    const commands: Command[] = []
    const errors: Diagnostic[] = []
    const warnings: Diagnostic[] = []
    const places: Place[] = []
    const sort = (diagnostics: readonly Diagnostic[]): void => {
      for (const diagnostic of diagnostics) (diagnostic.severity === 'error' ? errors : warnings).push(diagnostic)
    }
    sort(this.#found.diagnostics ?? [])
    for (const { root, state } of loaded.values()) {
      const before = commands.length
      const isCommands = this.#layoutOf(root).holds === 'commands'
      sort(
        isCommands || root.plugin !== undefined ? state.problems.map(problem => named(root, problem)) : state.problems,
      )
      for (const item of state.items) {
        if (isSkillCommand(item)) {
          commands.push(item)
          continue
        }
        sort(item.problems)
        if (item.command !== undefined) commands.push(item.command)
      }
      // A folder of commands may be missing.
      if (state.root === 'missing' && isCommands) continue
      places.push({ path: root.path, state: state.root, found: commands.length - before })
    }
    const ordered = this.options.wins === 'last' ? lastFirst(commands) : commands
    if (ordered !== commands) for (const warning of overwritten(ordered)) warnings.push(warning)
    return loadResult({
      commands: ordered,
      errors,
      warnings: withoutLoaded(warnings, commands),
      places: [...places, ...(this.#found.skipped ?? [])],
    })
  }
}

/** Removes the warnings that a file is not read which another root reads. */
function withoutLoaded(warnings: readonly Diagnostic[], commands: readonly Command[]): readonly Diagnostic[] {
  if (!warnings.some(isAlmostSkill)) return warnings
  const loaded = new Set<string | undefined>(commands.map(command => pathOf(command).path))
  return warnings.filter(one => one.path === undefined || !isAlmostSkill(one) || !loaded.has(one.path))
}

/** Returns the name of the skill in a folder, or undefined if the folder gave none. */
function goesBy(folder: string, items: readonly SkillItem[]): string | undefined {
  return items.map(item => (isSkillCommand(item) ? item : item.command)).find(command => command?.baseDir === folder)
    ?.name
}

/** Gives a problem the name that the file's path stands for, because people ask by that name. */
function named(root: SkillRoot, problem: Diagnostic): Diagnostic {
  return problem.path?.startsWith(`${root.path}/`) === true
    ? { ...problem, name: pathName(root, problem.path) }
    : problem
}

/**
 * Returns the folder, and the name in it, at which a skill of this name would lie. Returns undefined if the name
 * belongs to another plugin.
 */
function placeOf(
  { path, plugin }: SkillRoot,
  name: string,
): { readonly folder: string; readonly name: string } | undefined {
  if (plugin === undefined) return { folder: path, name }
  if (!name.startsWith(`${plugin.name}:`)) return undefined
  const parts = name.slice(plugin.name.length + 1).split(':')
  // A part that is not a plain folder name would lead the look elsewhere.
  if (parts.some(part => part === '' || part === '.' || part === '..' || /[/\\\0]/.test(part))) return undefined
  return { folder: [path, ...parts.slice(0, -1)].join('/'), name: parts.at(-1) ?? '' }
}
