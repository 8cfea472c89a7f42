import { posix } from 'node:path'
import type { Diagnostic } from '@skills/core'
import { GlobLine, type Effort } from './glob-line.js'
import { isInside } from '@skills/store'
import { lstatOf, realPathOf } from './real-path.js'
import { plainFolder, slashes } from './slashes.js'
import { readWholeFileSync } from './read-file.js'

/**
 * Compiles patterns to a test. The test takes a path relative to the folder of the patterns, with forward slashes and
 * without `.` and `..`.
 */
export type CompilePatterns = (patterns: readonly string[]) => (path: string) => boolean

/** Most bytes of one file with rules; a larger one is left out. */
const mostBytes = 256 * 1024
/** Most rules of one file. */
const mostRules = 5000
/** Most characters of a line. */
const mostCharacters = 1024
/**
 * Steps that matching may take in all, and for each path in addition, so that any rules take time in proportion to the
 * paths.
 */
const mostSteps = 20_000_000
const mostStepsAPath = 5000
/** Steps that one test of {@link IgnoreRules.patterns} may take. */
const mostStepsATest = 1_000_000

/**
 * Tells which paths a repository ignores, by its `.git/info/exclude` and the `.gitignore` files from its top down to
 * the path. See docs/reference/skill-files.md, "Ignore rules".
 */
export class IgnoreRules {
  readonly #top: string
  readonly #within: readonly string[]
  readonly #names: readonly string[]
  readonly #files = new Map<string, readonly GlobLine[]>()
  /** True for each folder that is ignored, by path. */
  readonly #folders = new Map<string, boolean>()
  readonly #problems: Diagnostic[] = []
  #hasGivenUp = false
  readonly #effort: Effort = { left: mostSteps }

  private constructor(top: string, names: readonly string[]) {
    this.#top = top
    this.#names = names
    const real = realPathOf(top)
    this.#within = real === undefined ? [] : [real]
  }

  /**
   * Makes the rules of a repository.
   * @param top the repository's root, absolute
   */
  static under(top: string): IgnoreRules {
    return new IgnoreRules(plainFolder(top), ['.git/info/exclude', '.gitignore'])
  }

  /**
   * Makes rules from files of other names, for any folder.
   * @param top absolute
   * @param names of the files, in the top and below it; later files have precedence
   */
  static by(top: string, names: readonly string[]): IgnoreRules {
    return new IgnoreRules(plainFolder(top), names)
  }

  /**
   * Compiles patterns for other uses. The test returns true for what they would ignore as lines of a `.gitignore`, so a
   * pattern for a folder covers everything in it. Only the first 5,000 patterns count. A test that would take too long
   * returns false.
   */
  static patterns(): CompilePatterns {
    return patterns => {
      const lines = linesOf(patterns)
      return path => {
        const effort: Effort = { left: mostStepsATest }
        for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
          if (lastSays(lines, path.slice(0, at), true, effort) === true) return effort.left > 0
        return lastSays(lines, path, false, effort) === true && effort.left > 0
      }
    }
  }

  /** Problems of the rule files needed so far; the faulty parts were left out. */
  get problems(): readonly Diagnostic[] {
    return this.#problems
  }

  /**
   * Returns true if an absolute path is ignored, and false for any path outside the repository. A folder is given with
   * a slash at its end.
   */
  ignores(path: string): boolean {
    const wanted = posix.normalize(slashes(path))
    const isFolder = wanted.endsWith('/')
    const bare = isFolder ? wanted.slice(0, -1) : wanted
    return (
      bare !== this.#top && isInside(bare, this.#top) && this.#isIgnored(bare.slice(this.#top.length + 1), isFolder)
    )
  }

  /** Returns true if a path relative to the top is ignored. */
  #isIgnored(path: string, isFolder: boolean): boolean {
    // An ignored folder hides everything in it, and no pattern further down changes that. Outermost first, because
    // recursion could go too deep.
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
      if (this.#isFolderIgnored(path.slice(0, at))) return true
    return isFolder ? this.#isFolderIgnored(path) : this.#isMatched(path, false)
  }

  #isFolderIgnored(path: string): boolean {
    const known = this.#folders.get(path)
    if (known !== undefined) return known
    const isIgnored = this.#isMatched(path, true)
    this.#folders.set(path, isIgnored)
    return isIgnored
  }

  #isMatched(path: string, isFolder: boolean): boolean {
    if (this.#effort.left > 0) this.#effort.left += mostStepsAPath
    // The deepest file has precedence, and in it the last line. So the search goes up, and the first match counts.
    for (let at = path.lastIndexOf('/'); ; at = path.lastIndexOf('/', at - 1)) {
      const rules = this.#rulesOf(at < 0 ? '' : path.slice(0, at))
      const says = lastSays(rules, path.slice(at + 1), isFolder, this.#effort)
      if (this.#effort.left <= 0) return this.#giveUp()
      if (says !== undefined) return says
      if (at <= 0) return false
    }
  }

  /** Reports that matching was given up. Paths found ignored so far stay ignored, and no others are. */
  #giveUp(): false {
    if (!this.#hasGivenUp) {
      this.#problems.push({
        severity: 'warning',
        type: 'validation',
        code: 'ignore-rules-limit',
        path: this.#top,
        message: `The ignore rules of ${this.#top} take too long to match, so they are ignored from here on.`,
        hint: 'Use fewer ignore rules, with fewer wildcards.',
      })
    }
    this.#hasGivenUp = true
    return false
  }

  #rulesOf(folder: string): readonly GlobLine[] {
    const known = this.#files.get(folder)
    if (known !== undefined) return known
    // `.git/info/exclude` has less weight than any `.gitignore`, so its rules come before those of the top.
    const rules = this.#names
      .filter(name => folder === '' || !name.includes('/'))
      .flatMap(name => this.#read(`${this.#top}/${folder === '' ? '' : `${folder}/`}${name}`))
    this.#files.set(folder, rules)
    return rules
  }

  /** Reads the rules of a file. Returns none if it is missing or cannot be read, as git does. */
  #read(path: string): readonly GlobLine[] {
    if (lstatOf(path) === undefined) return []
    const file = readWholeFileSync(path, { within: this.#within, maxBytes: mostBytes })
    if (file === undefined) return []
    if ('problem' in file) {
      this.#problems.push({
        ...file.problem,
        severity: 'warning',
        message: `The ignore rules of this file have no effect: ${file.problem.message}`,
      })
      return []
    }
    const lines = file.bytes
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .split('\n')
      .map(line => line.replace(/\r$/, ''))
    const rules = lines.filter(line => line.trim() !== '' && !line.startsWith('#'))
    const tooLong = lines.findIndex(line => line.length > mostCharacters)
    const problem = {
      severity: 'warning',
      type: 'validation',
      code: 'ignore-rules-limit',
      path,
      hint: 'Use fewer and shorter rules.',
    } as const
    if (rules.length > mostRules)
      this.#problems.push({
        ...problem,
        message: `${path} has ${rules.length} rules; only the first ${mostRules} are used.`,
      })
    if (tooLong >= 0)
      this.#problems.push({
        ...problem,
        line: tooLong + 1,
        message: `${path} has a rule of more than ${mostCharacters} characters; that rule is ignored.`,
      })
    return linesOf(rules)
  }
}

function linesOf(patterns: readonly string[]): readonly GlobLine[] {
  return patterns
    .slice(0, mostRules)
    .flatMap(pattern => (pattern.length > mostCharacters ? [] : (GlobLine.of(pattern) ?? [])))
}

/** Returns the decision of the last line that matches a path, or undefined if none matches. */
function lastSays(lines: readonly GlobLine[], path: string, isFolder: boolean, effort: Effort): boolean | undefined {
  const last = lines.findLast(line => effort.left > 0 && line.matches(path, isFolder, effort))
  return last === undefined ? undefined : !last.isNegated
}
