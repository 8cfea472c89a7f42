import { readFileSync } from 'node:fs'

/**
 * Class of a recorded case for our distribution: it does the same; it has the same effect in other words; it refuses on
 * purpose, because the program is unsafe here; or it cannot be reproduced here. The last two have a reason.
 */
export type CaseClass = 'same' | 'same effect' | 'safer on purpose' | 'not reproducible here'

export type ReasonedClass = Extract<CaseClass, 'safer on purpose' | 'not reproducible here'>

/** Reasons by program and case. Each case is named, so that a new one fails until someone has looked at it. */
export type Reasons = Readonly<Record<string, Readonly<Record<string, readonly [ReasonedClass, reason: string]>>>>

/** Result of a replay: the same, the same in other words, or the first difference. */
export type Compared = 'same' | 'same effect' | { readonly differs: string }

export function readReasons(file: URL): Reasons {
  return JSON.parse(readFileSync(file, 'utf8')) as Reasons
}

/** Counts the classes of the cases of each program, and collects the cases without a class. */
export class Tally {
  readonly #reasons: Reasons
  readonly #counts = new Map<string, Map<CaseClass, number>>()
  readonly #used = new Set<string>()
  /** Cases without a class, as `program case: difference`. */
  readonly unclassed: string[] = []

  constructor(reasons: Reasons) {
    this.#reasons = reasons
  }

  add(program: string, id: string, compared: Compared): void {
    const is = typeof compared === 'string' ? compared : this.#reasonOf(program, id)
    if (is === undefined)
      this.unclassed.push(`${program} ${id}: ${typeof compared === 'string' ? '' : compared.differs}`)
    else {
      const counts = this.#counts.get(program) ?? new Map<CaseClass, number>()
      this.#counts.set(program, counts.set(is, (counts.get(is) ?? 0) + 1))
    }
  }

  /** Reasons for cases that need none, and that are to be removed. */
  get unused(): readonly string[] {
    return Object.entries(this.#reasons)
      .flatMap(([program, cases]) => Object.keys(cases).map(id => `${program} ${id}`))
      .filter(key => !this.#used.has(key))
  }

  /** Returns the share of a program's cases with the same result or effect, from 0 to 1. */
  share(program: string): number {
    const counts = this.#counts.get(program) ?? new Map<CaseClass, number>()
    const unclassed = this.unclassed.filter(one => one.startsWith(`${program} `)).length
    const all = [...counts.values()].reduce((sum, one) => sum + one, unclassed)
    return all === 0 ? 0 : ((counts.get('same') ?? 0) + (counts.get('same effect') ?? 0)) / all
  }

  /** Returns a line for each program. */
  toString(): string {
    const classes: readonly CaseClass[] = ['same', 'same effect', 'safer on purpose', 'not reproducible here']
    return [...this.#counts]
      .map(([program, counts]) => {
        const unclassed = this.unclassed.filter(one => one.startsWith(`${program} `)).length
        const said = classes.map(one => `${counts.get(one) ?? 0} ${one}`).join(', ')
        return `${program}: ${said}, ${unclassed} in no class; ${(this.share(program) * 100).toFixed(1)} % same or same effect`
      })
      .join('\n')
  }

  #reasonOf(program: string, id: string): ReasonedClass | undefined {
    const reason = this.#reasons[program]?.[id]
    if (reason !== undefined) this.#used.add(`${program} ${id}`)
    return reason?.[0]
  }
}
