import { posix } from 'node:path'
import type { Diagnostic } from '@skills/core'
import { GlobLine, type Effort } from './glob-line.js'
import { isInside } from '@skills/store'
import { lstatOf, realPathOf } from './real-path.js'
import { plainFolder, slashes } from './slashes.js'
import { readWholeFileSync } from './read-file.js'

/**
 * Makes a test of patterns; it takes a path relative to the folder that they are about, forward slashes, without `.`
 * and `..`.
 */
export type CompilePatterns = (patterns: readonly string[]) => (path: string) => boolean

/** Of one file, in bytes. */
const mostBytes = 256 * 1024
/** Of one file. */
const mostRules = 5000
/** Characters of a line. */
const mostCharacters = 1024
/**
 * What matching may cost in all, and for each path beyond that: so it is in proportion to the paths, with any rules.
 */
const mostSteps = 20_000_000
const mostStepsAPath = 5000
/** What one test of {@link IgnoreRules.patterns} may cost. */
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
  /** By folder, whether it is ignored. */
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

  /** @param top the repository's root, absolute */
  static under(top: string): IgnoreRules {
    return new IgnoreRules(plainFolder(top), ['.git/info/exclude', '.gitignore'])
  }

  /**
   * The same for any folder, by other files.
   * @param top absolute
   * @param names of the files, in the top and below it; what a later one says counts
   */
  static by(top: string, names: readonly string[]): IgnoreRules {
    return new IgnoreRules(plainFolder(top), names)
  }

  /**
   * The same patterns for other uses: what a test of them says yes to is what they would ignore as lines of a
   * `.gitignore`, so a pattern for a folder means everything in it. The first 5,000 count. A test that would take too
   * long says no.
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

  /** What was wrong with the files of rules that have been needed so far, and was left out of account. */
  get problems(): readonly Diagnostic[] {
    return this.#problems
  }

  /**
   * Whether a path, absolute, is ignored; one outside the repository never is. A folder is named with a slash at its
   * end.
   */
  ignores(path: string): boolean {
    const wanted = posix.normalize(slashes(path))
    const isFolder = wanted.endsWith('/')
    const bare = isFolder ? wanted.slice(0, -1) : wanted
    return (
      bare !== this.#top && isInside(bare, this.#top) && this.#isIgnored(bare.slice(this.#top.length + 1), isFolder)
    )
  }

  /** @param path relative to the top */
  #isIgnored(path: string, isFolder: boolean): boolean {
    // An ignored folder hides all that is in it, against any pattern further down. The outermost first: recursion could
    // go too deep.
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
    // The deepest file comes last, and so does the last line: what is said first on the way back counts.
    for (let at = path.lastIndexOf('/'); ; at = path.lastIndexOf('/', at - 1)) {
      const rules = this.#rulesOf(at < 0 ? '' : path.slice(0, at))
      const says = lastSays(rules, path.slice(at + 1), isFolder, this.#effort)
      if (this.#effort.left <= 0) return this.#giveUp()
      if (says !== undefined) return says
      if (at <= 0) return false
    }
  }

  /** What is ignored by then stays so; nothing else is. */
  #giveUp(): false {
    if (!this.#hasGivenUp) {
      this.#problems.push({
        severity: 'warning',
        type: 'validation',
        code: 'ignore-rules-limit',
        path: this.#top,
        message: `The ignore rules of ${this.#top} take too long to match, and count no longer.`,
        hint: 'Use fewer of them, with fewer wildcards.',
      })
    }
    this.#hasGivenUp = true
    return false
  }

  #rulesOf(folder: string): readonly GlobLine[] {
    const known = this.#files.get(folder)
    if (known !== undefined) return known
    // What is excluded for this clone alone counts for less than any `.gitignore`, so it stands before that of the top.
    const rules = this.#names
      .filter(name => folder === '' || !name.includes('/'))
      .flatMap(name => this.#read(`${this.#top}/${folder === '' ? '' : `${folder}/`}${name}`))
    this.#files.set(folder, rules)
    return rules
  }

  /** Nothing where there is no such file, or none that may be read: git goes on without it too. */
  #read(path: string): readonly GlobLine[] {
    if (lstatOf(path) === undefined) return []
    const file = readWholeFileSync(path, { within: this.#within, maxBytes: mostBytes })
    if (file === undefined) return []
    if ('problem' in file) {
      this.#problems.push({
        ...file.problem,
        severity: 'warning',
        message: `Its ignore rules do not count: ${file.problem.message}`,
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
      this.#problems.push({ ...problem, message: `${path} has ${rules.length} rules; the first ${mostRules} count.` })
    if (tooLong >= 0)
      this.#problems.push({
        ...problem,
        line: tooLong + 1,
        message: `${path} has a rule of more than ${mostCharacters} characters, which does not count.`,
      })
    return linesOf(rules)
  }
}

function linesOf(patterns: readonly string[]): readonly GlobLine[] {
  return patterns
    .slice(0, mostRules)
    .flatMap(pattern => (pattern.length > mostCharacters ? [] : (GlobLine.of(pattern) ?? [])))
}

/** What the last of the lines that match says of a path; undefined when none does. */
function lastSays(lines: readonly GlobLine[], path: string, isFolder: boolean, effort: Effort): boolean | undefined {
  const last = lines.findLast(line => effort.left > 0 && line.matches(path, isFolder, effort))
  return last === undefined ? undefined : !last.isNegated
}
