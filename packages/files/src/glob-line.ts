import { readBracket, type Bracket } from './glob-bracket.js'

const globstar = Symbol('**/')
const rest = Symbol('**')
const star = Symbol('*')
const any = Symbol('?')
/** One step of a pattern: a character, or what stands for several. */
type Step = number | Bracket | typeof globstar | typeof rest | typeof star | typeof any

/** What matching may still cost, so that patterns and paths of others cannot make it endless. */
export interface Effort {
  /** Steps, of some ten nanoseconds each. */
  left: number
}

/** Git decides about letter case when it makes a repository: by what the platform's file systems usually do. */
const platformFoldsCase = process.platform === 'win32' || process.platform === 'darwin'
const slash = 47

type Trait = 'isNegated' | 'isForFolders' | 'isAnchored' | 'foldsCase'

/**
 * A line of a `.gitignore` as git reads it. Regular expressions cannot be used for it: with each `*` or `**` more, the
 * time that theirs take grows by a power. Here it is at most the length of the pattern times that of the path.
 */
export class GlobLine {
  readonly isNegated: boolean
  readonly #isForFolders: boolean
  /** Whether it is about the whole path, and not about the last name of it. */
  readonly #isAnchored: boolean
  readonly #foldsCase: boolean
  /** What is matched without wildcards. */
  readonly #text: string | undefined
  readonly #steps: readonly Step[]
  /**
   * For each place the mark of the last character after which it was come to: another one for each, so that nothing is
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
   * Undefined for a line that says nothing, or can never match.
   * @param foldsCase whether letter case does not count. Default: as git does on this platform
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

  /** @param path relative to the folder of the line's file, of names without `.` and `..` */
  matches(path: string, isFolder: boolean, effort: Effort): boolean {
    effort.left--
    if (this.#isForFolders && !isFolder) return false
    const written = this.#isAnchored ? path : path.slice(path.lastIndexOf('/') + 1)
    const text = this.#foldsCase ? written.toLowerCase() : written
    return this.#text === undefined ? this.#walk(text, effort) : this.#text === text
  }

  /** All ways through the pattern at once, character by character. */
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
    // Either the text ended, or no way was left.
    return now.includes(steps.length)
  }

  /** Comes to a place of the pattern, and to those behind it as far as what stands there may stand for nothing. */
  #enter(place: number, places: number[]): void {
    for (let at = place; this.#stay(at, places); at++) {
      const step = this.#steps[at]
      if (step !== star && step !== globstar) return
    }
  }

  /** False for a place that was come to already. */
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

/** Undefined for a pattern that git matches with nothing: a bracket that never ends, a last backslash. */
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
        // One after another means no more than one.
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

/** Without the white space that git drops: spaces that no backslash quotes. */
function withoutEnd(line: string): string {
  let end = line.length
  while (line[end - 1] === ' ') end--
  if (end === line.length) return line
  let quotes = 0
  while (line[end - 1 - quotes] === '\\') quotes++
  return line.slice(0, end + (quotes % 2))
}
