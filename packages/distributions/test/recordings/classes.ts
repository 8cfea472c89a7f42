import { readFileSync } from 'node:fs'

/**
 * What a case of a recording is to our distribution: it does the same; it has the same effect and words it otherwise;
 * it refuses on purpose, because what the program does is unsafe; or it cannot be shown here. The last two have a
 * reason.
 */
export type CaseClass = 'same' | 'same effect' | 'safer on purpose' | 'not reproducible here'

export type ReasonedClass = Extract<CaseClass, 'safer on purpose' | 'not reproducible here'>

/** Reasons by program and case, each of which is named: a new case is not excused unseen. */
export type Reasons = Readonly<Record<string, Readonly<Record<string, readonly [ReasonedClass, reason: string]>>>>

/** What a replay found: nothing to say, other words, or the first difference. */
export type Compared = 'same' | 'same effect' | { readonly differs: string }

export function readReasons(file: URL): Reasons {
  return JSON.parse(readFileSync(file, 'utf8')) as Reasons
}

/** Counts the classes of the cases of each program, and keeps those that are in none. */
export class Tally {
  readonly #reasons: Reasons
  readonly #counts = new Map<string, Map<CaseClass, number>>()
  readonly #used = new Set<string>()
  /** `program case: difference` of each case that is in no class. */
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

  /** Reasons for cases that need none: these are to be removed. */
  get unused(): readonly string[] {
    return Object.entries(this.#reasons)
      .flatMap(([program, cases]) => Object.keys(cases).map(id => `${program} ${id}`))
      .filter(key => !this.#used.has(key))
  }

  /** The part of a program's cases with the same or the same effect, from 0 to 1. */
  share(program: string): number {
    const counts = this.#counts.get(program) ?? new Map<CaseClass, number>()
    const unclassed = this.unclassed.filter(one => one.startsWith(`${program} `)).length
    const all = [...counts.values()].reduce((sum, one) => sum + one, unclassed)
    return all === 0 ? 0 : ((counts.get('same') ?? 0) + (counts.get('same effect') ?? 0)) / all
  }

  /** A line for each program. */
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
