import {
  compareCodeUnits,
  type Diagnostic,
  type Host,
  type Place,
  abortError,
  defineProvider,
  type Command,
  type LoadResult,
  type Note,
  type Provider,
  type Source,
  type SourceCall,
} from '@skills/core'
import { findProjectFolders, IgnoreRules } from '@skills/files'
import { isInside, lstatOf, realFolders, realPathOf, slashes, statOf } from '@skills/files/internal'
import { rootsIn, type SkillRoot, type SkillRoots, fileSource } from '@skills/files/source'
import { WorkingFolder } from './touched-files.js'
import type { ActivationOptions } from './options.js'

/** Folder below the working folder that was looked at. */
interface Looked {
  /** Absolute path. */
  readonly path: string
  /** Path relative to the working folder. */
  readonly name: string
  /** Number of folders on the way to it, itself included. */
  readonly depth: number
  /** Folders of skills in it. */
  roots: readonly SkillRoot[]
  /** Verdict about its skills; undefined until it was judged. */
  verdict: Verdict | undefined
}

interface Verdict {
  readonly skipped?: Place
  readonly diagnostic?: Diagnostic
}

/** Files in which git reads what to ignore. */
const ignoreFile = /\/(?:\.gitignore|\.git\/info\/exclude)$/

/** Folders that are never looked at: dependencies bring folders of skills that the project did not choose. */
const neverLookedAt = new Set(['.git', 'node_modules'])

/**
 * Folders below the working folder that an agent came to, and the folders of skills in them. A folder is looked at
 * once, until it is reported out of date. See docs/reference/folders.md, "Nested skills".
 */
class NestedFolders {
  readonly #looked = new Map<string, Looked>()
  /** Folders that contain folders of skills, sorted when they are read; undefined if it must be computed again. */
  #found: Looked[] | undefined
  readonly #folder: WorkingFolder
  /** Rules of git, read once, until one of their files is touched or everything is looked at again. */
  #ignored: IgnoreRules | undefined
  #project: { readonly top: string; readonly within: readonly string[] } | undefined

  constructor(
    private readonly host: Host,
    private readonly options: Pick<ActivationOptions, 'folders' | 'layout'> & { readonly isScoped: boolean },
  ) {
    this.#folder = new WorkingFolder(host)
  }

  /** Looks at new folders of touched files. Returns the folders of skills found there. */
  look(files: readonly string[]): readonly string[] {
    if (files.some(file => ignoreFile.test(`/${slashes(file)}`))) this.#judgeAgain()
    return files.flatMap(file =>
      this.#newParentsOf(this.#folder.relative(file) ?? '').flatMap(name => this.#lookAt(name)),
    )
  }

  /** Looks again at known folders at, under or above these paths. Default: everywhere. */
  lookAgain(paths?: readonly string[]): void {
    const isConcerned = ({ path }: Looked): boolean =>
      paths?.some(one => isInside(one, path) || isInside(path, one)) ?? true
    // A change elsewhere, such as a new repository around the folder, affects everything.
    if (paths === undefined) this.#project = undefined
    if (paths?.some(path => ignoreFile.test(slashes(path))) !== false) this.#judgeAgain()
    for (const looked of [...this.#looked.values()].filter(isConcerned)) {
      const { length } = looked.roots
      // A folder that is gone counts as new when it exists again.
      if (isFolder(looked.path)) looked.roots = this.#rootsOf(looked)
      else this.#looked.delete(looked.name)
      if (looked.roots.length !== length || !this.#looked.has(looked.name)) this.#found = undefined
      looked.verdict = undefined
    }
  }

  /** Returns the folders of skills that are neither ignored nor another user's, deepest first. */
  roots(): SkillRoots {
    const found = (this.#found ??= [...this.#looked.values()].filter(one => one.roots.length > 0))
    if (found.length === 0) return { roots: [] }
    const ignored = (this.#ignored ??= IgnoreRules.under(this.#projectOf().top))
    const roots: SkillRoot[] = []
    const diagnostics = [...ignored.problems]
    const skipped: Place[] = []
    // Only new ones are out of order, so sorting costs almost nothing.
    for (const one of found.sort((a, b) => b.depth - a.depth || compareCodeUnits(a.name, b.name))) {
      const verdict = (one.verdict ??= this.#judge(one, ignored))
      if (verdict.skipped === undefined) roots.push(...one.roots)
      else skipped.push(verdict.skipped)
      if (verdict.diagnostic !== undefined) diagnostics.push(verdict.diagnostic)
    }
    return { roots, diagnostics, skipped }
  }

  #judge({ path }: Looked, ignored: IgnoreRules): Verdict {
    const skipped = (note: string): Place => ({ path, state: 'skipped', found: 0, note })
    if (ignored.ignores(`${path}/`)) return { skipped: skipped('Git ignores it.') }
    if (!isForeign(path, this.host.uid)) return {}
    return {
      skipped: skipped('The folder belongs to another user, or all users can write to it.'),
      diagnostic: {
        severity: 'warning',
        type: 'traversal',
        code: 'foreign-folder',
        path,
        message: `${path} belongs to another user, or all users can write to it, so its skills are not loaded.`,
        hint: 'Make the folder your own with chown, or remove the write permission of other users.',
      },
    }
  }

  #judgeAgain(): void {
    this.#ignored = undefined
    for (const looked of this.#looked.values()) looked.verdict = undefined
  }

  #projectOf() {
    if (this.#project === undefined) {
      const { top } = findProjectFolders(this.host)
      this.#project = { top, within: realFolders([top]) }
    }
    return this.#project
  }

  /** Returns the folders on the way to a file that are not known yet, the deepest first. */
  #newParentsOf(file: string): readonly string[] {
    const parts = file.split('/').slice(0, -1)
    if (parts.some(part => neverLookedAt.has(part))) return []
    return parts.map((_part, at) => parts.slice(0, parts.length - at).join('/')).filter(name => !this.#looked.has(name))
  }

  #lookAt(name: string): readonly string[] {
    const path = `${this.#folder.path === '/' ? '' : this.#folder.path}/${name}`
    // A missing folder may exist the next time.
    if (!isFolder(path)) return []
    const looked: Looked = { path, name, depth: name.split('/').length, roots: [], verdict: undefined }
    looked.roots = this.#rootsOf(looked)
    this.#looked.set(name, looked)
    if (looked.roots.length > 0) this.#found?.push(looked)
    return looked.roots.map(root => root.path)
  }

  #rootsOf({ path, name }: Looked): readonly SkillRoot[] {
    const { folders = ['.claude', '.agents'], layout, isScoped } = this.options
    const { within } = this.#projectOf()
    return rootsIn(folders, folder => `${path}/${folder}`, { qualifier: name, isScoped, within, layout }).filter(root =>
      isThere(root.path),
    )
  }
}

function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() === true
}

/** True if there is something to read, or to report as unreadable. */
function isThere(path: string): boolean {
  if (lstatOf(path) !== undefined) return true
  try {
    return realPathOf(path) !== undefined
  } catch {
    // Not missing but out of reach: the reader reports why.
    return true
  }
}

/** True if others than the user and root may put files there. */
function isForeign(path: string, uid: number | undefined): boolean {
  const stats = uid === undefined ? undefined : statOf(path)
  if (stats === undefined) return false
  // A sticky bit protects existing files, but others can still add some.
  return (stats.mode & 0o002) !== 0 || (stats.uid !== uid && stats.uid !== 0)
}

/**
 * Makes the source of skills in folders below the working folder whose files an agent touches. See
 * docs/reference/folders.md, "Nested skills".
 */
export function nestedSource({
  folders,
  layout,
  clash = 'nested-qualified',
  touched = [],
  sharedReads,
}: ActivationOptions): Provider<'source'> {
  // Within one source, providers are sorted by `order`, and the first one gets the plain name.
  const order = clash === 'deepest-wins' ? -1 : 1
  return defineProvider({
    kind: 'source',
    id: 'nested',
    order,
    async setup(ctx) {
      const nested = new NestedFolders(ctx.host, { folders, layout, isScoped: clash === 'nested-qualified' })
      nested.look(touched)
      // Registered before the first wait, so that no touch is missed.
      ctx.hook('file:touched', ({ paths }) => {
        const found = nested.look(paths)
        if (found.length > 0) ctx.invalidate(found, 'discovery')
      })
      const files = fileSource({
        id: 'nested',
        source: 'project',
        order,
        layout,
        sharedReads,
        roots: () => nested.roots(),
      })
      return new NestedSource(nested, await files.setup(ctx))
    },
  })
}

/** File source that looks again at the known folders before it reads their content. */
class NestedSource implements Source {
  readonly source = 'project'

  constructor(
    private readonly nested: NestedFolders,
    private readonly files: Source,
  ) {}

  async list(call: SourceCall): Promise<LoadResult> {
    if (call.signal.aborted) throw abortError(call.signal)
    this.nested.lookAgain()
    return this.files.list(call)
  }

  async refresh(paths: readonly string[] | undefined, call: SourceCall): Promise<LoadResult | undefined> {
    if (call.signal.aborted) throw abortError(call.signal)
    this.nested.lookAgain(paths)
    return this.files.refresh?.(paths, call)
  }

  watched(): readonly string[] {
    return this.files.watched?.() ?? []
  }

  async explain(
    name: string,
    command: Command | undefined,
    call: { readonly signal: AbortSignal },
  ): Promise<readonly Note[]> {
    return (await this.files.explain?.(name, command, call)) ?? []
  }
}
