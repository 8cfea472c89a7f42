import { readBracket, type Bracket } from './glob-bracket.js'

const globstar = Symbol('**/')
const rest = Symbol('**')
const star = Symbol('*')
const any = Symbol('?')
/** Step of a pattern: a character, a set of characters, or a wildcard. */
type Step = number | Bracket | typeof globstar | typeof rest | typeof star | typeof any

/** Budget for matching, so that patterns and paths from others cannot make the matching endless. */
export interface Effort {
  /** Steps that are left, of some ten nanoseconds each. */
  left: number
}

/** Git decides about letter case when it makes a repository, by what the platform's file systems usually do. */
const platformFoldsCase = process.platform === 'win32' || process.platform === 'darwin'
const slash = 47

type Trait = 'isNegated' | 'isForFolders' | 'isAnchored' | 'foldsCase'

/**
 * Matches a line of a `.gitignore` as git does. It does not use a regular expression, whose time grows by a power with
 * each further `*` or `**`. Its own time is at most the length of the pattern times the length of the path.
 */
export class GlobLine {
  readonly isNegated: boolean
  readonly #isForFolders: boolean
  /** True if the pattern matches the whole path, not only its last name. */
  readonly #isAnchored: boolean
  readonly #foldsCase: boolean
  /** Text of a pattern without wildcards, which is compared directly. */
  readonly #text: string | undefined
  readonly #steps: readonly Step[]
  /**
   * Mark of the last character after which each place was reached. Every character has a new mark, so nothing has to be
   * cleared.
   */
  readonly #seen: number[]
  #mark = 1

  private constructor(
    { isNegated, isForFolders, isAnchored, foldsCase }: Readonly<Record<Trait, boolean>>,
    steps: readonly Step[],
  ) {
    this.isNegated = isNegated
    this.#isForFolders = isForFolders
    this.#isAnchored = isAnchored
    this.#foldsCase = foldsCase
    this.#steps = steps
    this.#seen = [...steps.keys(), 0].fill(0)
    this.#text = steps.every(step => typeof step === 'number') ? String.fromCharCode(...steps) : undefined
  }

  /**
   * Reads a line. Returns undefined for a line that has no pattern, or can never match.
   * @param foldsCase true if letter case is ignored. Default: as git does on this platform
   */
  static of(line: string, foldsCase = platformFoldsCase): GlobLine | undefined {
    if (line.startsWith('#')) return undefined
    const trimmed = withoutEnd(line)
    const isNegated = trimmed.startsWith('!')
    const written = isNegated ? trimmed.slice(1) : trimmed
    const isForFolders = written.endsWith('/')
    const pattern = isForFolders ? written.slice(0, -1) : written
    const isAnchored = pattern.includes('/')
    const text = pattern.startsWith('/') ? pattern.slice(1) : pattern
    const steps = stepsOf(foldsCase ? text.toLowerCase() : text, { isAnchored, foldsCase })
    return steps === undefined || steps.length === 0
      ? undefined
      : new GlobLine({ isNegated, isForFolders, isAnchored, foldsCase }, steps)
  }

  /**
   * Returns true if the pattern matches a path.
   * @param path relative to the folder of the line's file, without `.` and `..`
   */
  matches(path: string, isFolder: boolean, effort: Effort): boolean {
    effort.left--
    if (this.#isForFolders && !isFolder) return false
    const written = this.#isAnchored ? path : path.slice(path.lastIndexOf('/') + 1)
    const text = this.#foldsCase ? written.toLowerCase() : written
    return this.#text === undefined ? this.#walk(text, effort) : this.#text === text
  }

  /** Follows all ways through the pattern at once, character by character. */
  #walk(text: string, effort: Effort): boolean {
    const steps = this.#steps
    let now: number[] = []
    let next: number[] = []
    this.#mark++
    this.#enter(0, now)
    for (let at = 0; at < text.length && now.length > 0; at++) {
      effort.left -= now.length
      this.#mark++
      const code = text.charCodeAt(at)
      for (const place of now) {
        const step = steps[place]
        if (step === rest) return true
        if (step === globstar) {
          this.#stay(place, next)
          if (code === slash) this.#enter(place + 1, next)
        } else if (step === star) {
          if (code !== slash) this.#enter(place, next)
        } else if (isMatched(step, code)) this.#enter(place + 1, next)
      }
      ;[now, next] = [next, now]
      next.length = 0
    }
    // The loop ends at the end of the text, or when no way is left.
    return now.includes(steps.length)
  }

  /** Reaches a place of the pattern, and those behind it as long as the wildcards between them may match nothing. */
  #enter(place: number, places: number[]): void {
    for (let at = place; this.#stay(at, places); at++) {
      const step = this.#steps[at]
      if (step !== star && step !== globstar) return
    }
  }

  /** Returns false for a place that was reached already. */
  #stay(place: number, places: number[]): boolean {
    if (this.#seen[place] === this.#mark) return false
    this.#seen[place] = this.#mark
    places.push(place)
    return true
  }
}

function isMatched(step: Step | undefined, code: number): boolean {
  if (typeof step === 'number') return step === code
  return step !== undefined && code !== slash && (step === any || (typeof step === 'object' && step.has(code)))
}

/**
 * Compiles a pattern. Returns undefined for one that matches nothing in git: a bracket that never ends, or a backslash
 * at the end.
 */
function stepsOf(
  pattern: string,
  { isAnchored, foldsCase }: Readonly<Record<'isAnchored' | 'foldsCase', boolean>>,
): readonly Step[] | undefined {
  const steps: Step[] = []
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]
    if (character === '*') {
      const start = at
      while (pattern[at + 1] === '*') at++
      const isWhole = isAnchored && at > start && (start === 0 || pattern[start - 1] === '/')
      if (isWhole && at + 1 === pattern.length) steps.push(rest)
      else if (isWhole && pattern[at + 1] === '/') {
        at++
        // Several in a row mean the same as one.
        if (steps.at(-1) !== globstar) steps.push(globstar)
      } else steps.push(star)
    } else if (character === '?') steps.push(any)
    else if (character === '[') {
      const bracket = readBracket(pattern, at, foldsCase)
      if (bracket === undefined) return undefined
      steps.push(bracket)
      at = bracket.end
    } else {
      if (character === '\\') at++
      if (at === pattern.length) return undefined
      steps.push(pattern.charCodeAt(at))
    }
  }
  return steps
}

/** Removes the spaces at the end that git drops: those without a backslash before them. */
function withoutEnd(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ') end--
  if (end === line.length) return line
  let quotes = 0
  while (line[end - 1 - quotes] === '\\') quotes++
  return line.slice(0, end + (quotes % 2))
}
