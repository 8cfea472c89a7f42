import { compareCodeUnits, type Diagnostic, type Host, type Place } from '@skills/core'
import { findProjectFolders, IgnoreRules } from '@skills/files'
import { isInside, lstatOf, realFolders, realPathOf, slashes, statOf } from '@skills/files/internal'
import { rootsIn, type SkillRoot, type SkillRoots } from '@skills/files/source'
import { WorkingFolder } from './touched-files.js'
import type { ActivationOptions } from './options.js'

/** A folder below the working folder that was looked at. */
interface Looked {
  /** Absolute. */
  readonly path: string
  /** Relative to the working folder. */
  readonly name: string
  /** Folders on the way to it. */
  readonly depth: number
  /** The folders of skills that it has. */
  roots: readonly SkillRoot[]
  /** Why its skills are not loaded, if they are not. Undefined until it was judged. */
  verdict: Verdict | undefined
}

interface Verdict {
  readonly skipped?: Place
  readonly diagnostic?: Diagnostic
}

/** Files that say what git ignores. */
const ignoreFile = /\/(?:\.gitignore|\.git\/info\/exclude)$/

/** Dependencies bring their own folders, which the project did not choose. */
const neverLookedAt = new Set(['.git', 'node_modules'])

/**
 * The folders below the working folder that an agent came to, and the folders of skills in them. A folder is looked at
 * once until it is said to be out of date. See docs/reference/folders.md, "Nested skills".
 */
export class NestedFolders {
  readonly #looked = new Map<string, Looked>()
  /**
   * Those of them that have folders of skills; undefined when it has to be asked again which do. Put in order where it
   * is read.
   */
  #found: Looked[] | undefined
  readonly #folder: WorkingFolder
  /** Read once, until one of its files is named or everything is to be looked at again. */
  #ignored: IgnoreRules | undefined
  #project: { readonly top: string; readonly within: readonly string[] } | undefined

  constructor(
    private readonly host: Host,
    private readonly options: Pick<ActivationOptions, 'folders' | 'layout'>,
  ) {
    this.#folder = new WorkingFolder(host)
  }

  /** Looks at the folders that touched files lie in, those that are new; gives the folders of skills there. */
  look(files: readonly string[]): readonly string[] {
    if (files.some(file => ignoreFile.test(`/${slashes(file)}`))) this.#judgeAgain()
    return files.flatMap(file =>
      this.#newParentsOf(this.#folder.relative(file) ?? '').flatMap(name => this.#lookAt(name)),
    )
  }

  /** Looks again at what is known at, under or above these paths; default: everywhere. */
  lookAgain(paths?: readonly string[]): void {
    const isConcerned = ({ path }: Looked): boolean =>
      paths?.some(one => isInside(one, path) || isInside(path, one)) ?? true
    // What changed elsewhere, such as which folder is the repository's, counts for everything.
    if (paths === undefined) this.#project = undefined
    if (paths?.some(path => ignoreFile.test(slashes(path))) !== false) this.#judgeAgain()
    for (const looked of [...this.#looked.values()].filter(isConcerned)) {
      const { length } = looked.roots
      // One that is gone is a new one when it is there again.
      if (isFolder(looked.path)) looked.roots = this.#rootsOf(looked)
      else this.#looked.delete(looked.name)
      if (looked.roots.length !== length || !this.#looked.has(looked.name)) this.#found = undefined
      looked.verdict = undefined
    }
  }

  /** The folders of skills that are neither ignored nor another user's, deepest first. */
  roots(): SkillRoots {
    const found = (this.#found ??= [...this.#looked.values()].filter(one => one.roots.length > 0))
    if (found.length === 0) return { roots: [] }
    const ignored = (this.#ignored ??= IgnoreRules.under(this.#projectOf().top))
    const roots: SkillRoot[] = []
    const diagnostics = [...ignored.problems]
    const skipped: Place[] = []
    // In order but for what is new, so that nearly nothing is left to do.
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
      skipped: skipped('It belongs to another user or is open to all.'),
      diagnostic: {
        severity: 'warning',
        type: 'traversal',
        code: 'foreign-folder',
        path,
        message: `${path} belongs to another user or is open to all, so its skills are not loaded.`,
        hint: 'Make it your own with chown, or take from others the right to write to it.',
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

  /** The folders on the way to a file, the deepest first, as far as they are not known. */
  #newParentsOf(file: string): readonly string[] {
    const parts = file.split('/').slice(0, -1)
    if (parts.some(part => neverLookedAt.has(part))) return []
    return parts.map((_part, at) => parts.slice(0, parts.length - at).join('/')).filter(name => !this.#looked.has(name))
  }

  #lookAt(name: string): readonly string[] {
    const path = `${this.#folder.path === '/' ? '' : this.#folder.path}/${name}`
    // One that is not there yet may be there the next time.
    if (!isFolder(path)) return []
    const looked: Looked = { path, name, depth: name.split('/').length, roots: [], verdict: undefined }
    looked.roots = this.#rootsOf(looked)
    this.#looked.set(name, looked)
    if (looked.roots.length > 0) this.#found?.push(looked)
    return looked.roots.map(root => root.path)
  }

  #rootsOf({ path, name }: Looked): readonly SkillRoot[] {
    const { folders = ['.claude', '.agents'], layout } = this.options
    const { within } = this.#projectOf()
    return rootsIn(folders, folder => `${path}/${folder}`, { qualifier: name, within, layout }).filter(root =>
      isThere(root.path),
    )
  }
}

function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() === true
}

/** Whether there is something to read, or to say why it cannot be read. */
function isThere(path: string): boolean {
  if (lstatOf(path) !== undefined) return true
  try {
    return realPathOf(path) !== undefined
  } catch {
    // Not missing but out of reach: the reader reports why.
    return true
  }
}

/** Whether others than the user and root may put something there. */
function isForeign(path: string, uid: number | undefined): boolean {
  const stats = uid === undefined ? undefined : statOf(path)
  if (stats === undefined) return false
  // A sticky bit keeps others from what is there, not from adding to it.
  return (stats.mode & 0o002) !== 0 || (stats.uid !== uid && stats.uid !== 0)
}
