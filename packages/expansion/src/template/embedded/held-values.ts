import type { SyntaxNode } from 'unbash'
import { decidesWhatRuns, isInteger, isSetByBash } from './bash-names.js'
import { shownPart, type Refusal, type ShellValue } from './shell-value.js'

/** Content that a word or a variable may have. */
export interface Held {
  /** Variable whose value it contains or is made from. */
  readonly from?: string | undefined
  /** Its text; undefined if unknown. */
  readonly text?: string | undefined
  /** Variable that its text names, which a calculation would evaluate. */
  readonly named?: string | undefined
}

type Place = Refusal['place']

/** Text without any character that an expansion, operator, pattern or list needs. */
const inert = /^(?:[\p{L}\p{N}_., /:@%]|(?<=\w)-(?=\w))*$/u
export const nothing: Held = {}

/**
 * Records, while a script is followed, which variables, lists, pipes and files may hold a value, and the first place
 * where a value is refused.
 */
export class HeldValues {
  readonly values: Readonly<Record<string, ShellValue>>
  readonly #hostile: ReadonlySet<string>
  /** Any of the values. */
  readonly any: Held
  readonly #areInert: boolean
  readonly #held = new Map<string, Held>()
  readonly lists = new Set<string>()
  readonly integers = new Set<string>()
  readonly functions = new Set<string>()
  /** Names of files that may contain a value; the empty name stands for unknown ones. */
  readonly #files = new Set<string>()
  /** True if a value may be in the input of a command; `isKept`: in a file. */
  isPiped = false
  isKept = false
  isFlooded = false
  hasChanged = false
  depth = 0
  /** Set when a value is met. */
  #met: string | undefined
  found: Refusal | undefined
  source = ''

  constructor(values: Readonly<Record<string, ShellValue>>, worst: string, hostile: readonly string[]) {
    this.values = values
    this.#hostile = new Set(hostile)
    this.any = { from: worst }
    this.#areInert = hostile.every(name => inert.test(values[name]?.text ?? ''))
  }

  refuse(place: Place, { from }: Held, where: string | SyntaxNode): void {
    if (from === undefined || this.found !== undefined || (place === 'again' && this.#areInert)) return
    const text = typeof where === 'string' ? where : this.source.slice(where.pos, where.end)
    this.found = { variable: from, place, where: shownPart(text) }
  }

  merge(one: Held, other: Held): string | undefined {
    if (one.from === undefined || (this.isOwn(one) && other.from !== undefined)) return other.from
    return one.from
  }

  /** True if the value is the engine's own, such as the skill's folder. */
  isOwn({ from }: Held): boolean {
    return from !== undefined && this.values[from]?.isOwn === true
  }

  meet<H extends Held>(held: H): H {
    if (held.from !== undefined) this.#met = this.merge({ from: this.#met }, held)
    return held
  }

  /** Returns the value that is met during a visit. */
  meeting(visit: () => void): Held {
    const before = this.#met
    this.#met = undefined
    visit()
    const met = { from: this.#met }
    this.#met = this.merge({ from: before }, met)
    return met
  }

  lookUp(name: string): Held {
    const value = this.values[name]
    if (value !== undefined) return { from: this.#hostile.has(name) ? name : undefined, text: value.text }
    const isPositional = /^(?:[@*]|[1-9]\d*)$/.test(name)
    const held = this.#held.get(isPositional ? '@' : name)
    if (this.isFlooded && (held !== undefined || isPositional)) return this.any
    return isSetByBash(name) ? this.any : (held ?? nothing)
  }

  assign(name: string, given: Held, where: SyntaxNode | string, isExported = false): void {
    const held = this.calculated(given)
    if (decidesWhatRuns(name, isExported)) this.refuse('runs', given, where)
    if (this.integers.has(name) || isInteger(name)) this.refuse('again', held, where)
    const before = this.#held.get(name)
    const from = before === undefined ? held.from : this.merge(before, held)
    const text = before === undefined || before.text === held.text ? held.text : undefined
    if (before !== undefined && before.from === from && before.text === text) return
    this.#held.set(name, { from, text })
    this.hasChanged = true
  }

  /** Returns what a calculation finds: the value itself, or that of a variable named in the text. */
  calculated(held: Held): Held {
    return held.from === undefined ? { ...held, from: held.named ?? this.named(held.text) } : held
  }

  named(text = ''): string | undefined {
    if (text.startsWith('-')) return undefined
    for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) {
      const from = Object.hasOwn(this.values, name) ? name : this.#held.get(name)?.from
      if (from !== undefined) return from
    }
    return undefined
  }

  mark(set: Set<string>, name: string): void {
    if (set.has(name)) return
    set.add(name)
    this.hasChanged = true
  }

  pipe(held: Held): void {
    if (held.from === undefined) return
    if (!this.isPiped || !this.isKept) this.hasChanged = true
    this.isPiped = true
    this.isKept = true
  }

  keep(held: Held): void {
    if (held.from === undefined || this.isKept) return
    this.isKept = true
    this.hasChanged = true
  }

  /** True if unquoted text becomes exactly the words between its spaces. */
  splitsPlainly(text: string): boolean {
    return /^[\w./-][\w ./-]*$/.test(text) && !this.#held.has('IFS')
  }

  anyIn(words: readonly Held[]): Held {
    return { from: words.reduce<string | undefined>((all, one) => this.merge({ from: all }, one), undefined) }
  }

  /** Records a file that a value may have been written to. */
  write({ text }: Held): void {
    this.mark(this.#files, text === undefined ? '' : fileName(text))
  }

  isWritten({ text }: Held): boolean {
    return this.#files.has(text === undefined ? '' : fileName(text))
  }
}

export function onlyHeld({ from, text, named }: Held): Held {
  return { from, text, named }
}

function fileName(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1)
}
