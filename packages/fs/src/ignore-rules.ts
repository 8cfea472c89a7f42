import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import type { Ignore } from 'ignore'
import { isInside } from './real-path.js'
import { plainFolder, slashes } from './slashes.js'
import { systemCode } from './problem.js'

/** Makes a test of patterns; it takes a path relative to the folder that they are about, forward slashes, without `.` and `..`. */
export type CompilePatterns = (patterns: readonly string[]) => (path: string) => boolean

/** The library remembers every path that it was asked about, so what it compiled gets a new memory after so many. */
const mostRemembered = 1000

/**
 * Tells which paths a repository ignores, by its `.git/info/exclude` and the `.gitignore` files from its top down to the path.
 * See docs/reference.md, "Ignore rules".
 */
export class IgnoreRules {
  readonly #top: string
  readonly #files = new Map<string, Ignore | undefined>()
  readonly #create: () => Ignore

  private constructor(top: string, create: () => Ignore) {
    this.#top = top
    this.#create = create
  }

  /** @param top the repository's root, absolute. The library for patterns is loaded here, not before. */
  static async under(top: string): Promise<IgnoreRules> {
    return new IgnoreRules(plainFolder(top), await loadIgnore())
  }

  /**
   * The same patterns for other uses: what a test of them says yes to is what they would ignore as lines of a `.gitignore`,
   * so a pattern for a folder means everything in it. The library is loaded here; compiling then waits for nothing.
   */
  static async patterns(): Promise<CompilePatterns> {
    const create = await loadIgnore()
    return patterns => {
      let rules = create().add(patterns)
      let asked = 0
      return path => {
        if (++asked % mostRemembered === 0) rules = create().add(rules)
        return rules.ignores(path)
      }
    }
  }

  /** Whether a path, absolute, is ignored; one outside the repository never is. A folder is named with a slash at its end. */
  ignores(path: string): boolean {
    const wanted = posix.normalize(slashes(path))
    const bare = wanted.endsWith('/') ? wanted.slice(0, -1) : wanted
    if (bare === this.#top || !isInside(bare, this.#top)) return false
    const segments = bare.slice(this.#top.length + 1).split('/')
    // An ignored folder hides all that is in it, whatever patterns further down say.
    for (let depth = 1; depth <= segments.length; depth++) {
      const isFolder = depth < segments.length || wanted.endsWith('/')
      if (this.#isMatched(segments.slice(0, depth), isFolder)) return true
    }
    return false
  }

  #isMatched(segments: readonly string[], isFolder: boolean): boolean {
    let isIgnored = false
    for (let from = 0; from < segments.length; from++) {
      const rules = this.#rulesOf([this.#top, ...segments.slice(0, from)].join('/'))
      if (rules === undefined) continue
      const { ignored, unignored } = rules.test(segments.slice(from).join('/') + (isFolder ? '/' : ''))
      if (ignored) isIgnored = true
      else if (unignored) isIgnored = false
    }
    return isIgnored
  }

  #rulesOf(folder: string): Ignore | undefined {
    if (this.#files.has(folder)) return this.#files.get(folder)
    // What is excluded for this clone alone counts for less than any `.gitignore`, so it stands before that of the top.
    const files = folder === this.#top ? ['.git/info/exclude', '.gitignore'] : ['.gitignore']
    const texts = files.flatMap(name => textOf(`${folder}/${name}`) ?? [])
    const rules = texts.length === 0 ? undefined : texts.reduce((all, text) => all.add(text), this.#create())
    this.#files.set(folder, rules)
    return rules
  }
}

async function loadIgnore(): Promise<() => Ignore> {
  const { default: ignore } = await import('ignore')
  // As git decides it when it makes a repository: by what the platform's file systems usually do.
  const ignorecase = process.platform === 'win32' || process.platform === 'darwin'
  return () => ignore({ ignorecase })
}

/** Undefined where there is no such file, or none that may be read: git goes on without it too. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = systemCode(error)
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'EACCES' && code !== 'EISDIR') throw error
    return undefined
  }
}
