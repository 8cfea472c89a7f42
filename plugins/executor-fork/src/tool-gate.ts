import { covers, parseRule, ToolRules } from '@skills/rules'
import type { PathPlace, ToolRuleProblem } from '@skills/rules/internal'
import type { ToolCall, ToolLimits } from '@skills/invocation'

/** Limits on the tools of a fork, from one skill, agent or option. */
export interface ToolLists {
  /** Who says so: `the skill "deploy"`. */
  readonly of: string
  readonly only?: readonly string[] | undefined
  readonly without?: readonly string[] | undefined
}

interface Limit {
  readonly of: string
  readonly only: ToolRules | undefined
  readonly without: ToolRules
}

/** What a text includes is done unless something forbids it. */
export interface Free {
  readonly isFree?: boolean | undefined
}

/** Why a call is not made: a sentence, and the rule if there is one. */
export interface Refusal {
  readonly message: string
  readonly of: string
  readonly rule?: string | undefined
}

/**
 * Which tools a fork has: what its skill, its agent and everything around it leave it. Each of them can only take away.
 */
export class ToolGate {
  readonly #limits: readonly Limit[]

  /** @param around the gate of the fork that this one is forked in */
  constructor(lists: readonly ToolLists[], around?: ToolGate) {
    this.#limits = [
      ...(around === undefined ? [] : around.#limits),
      ...lists.map(({ of, only, without = [] }) => ({
        of,
        only: only === undefined ? undefined : new ToolRules('only', only),
        without: new ToolRules('without', without),
      })),
    ]
  }

  /**
   * Undefined when the call is within all limits.
   * @param place what paths of files start from
   */
  async refuses(
    { tool, content, paths, isFree = false }: Pick<ToolCall, 'tool' | 'content' | 'paths'> & Free,
    place: PathPlace,
  ): Promise<Refusal | undefined> {
    const use = { tool, content, paths, place }
    for (const { of, only, without } of this.#limits) {
      const rule = await without.ruleFor(use)
      if (rule !== undefined) return { message: `${of} does without ${rule}.`, of, rule }
      // What a text includes is no call of the agent.
      if (!isFree && only !== undefined && (await only.ruleFor(use)) === undefined) {
        return {
          message: `${of} may use ${only.texts.length === 0 ? 'no tools' : `only ${only.texts.join(', ')}`}, which this call of ${tool} is not.`,
          of,
        }
      }
    }
    return undefined
  }

  /**
   * The same for a runner, which offers its model no tool that it does not have. A runner that hands it on to a program
   * asks about no call, so it never has more than any of the lists; a rule that cannot be understood gives nothing, or
   * takes the whole tool away, here too.
   */
  get toolLimits(): ToolLimits {
    const lists = this.#limits.flatMap(({ only }): (readonly string[])[] =>
      only === undefined ? [] : [only.texts.filter(rule => covers(rule, rule))],
    )
    const only = lists.length === 0 ? undefined : lists.reduce(narrowed)
    return { only, without: [...new Set(this.#limits.flatMap(({ without }) => without.texts.map(understood)))] }
  }

  /** What is written in the lists and cannot be understood, with whose list it is. */
  get problems(): readonly (ToolRuleProblem & { readonly of: string })[] {
    return this.#limits.flatMap(({ of, only, without }) =>
      [...(only?.problems ?? []), ...without.problems].map(problem => ({ ...problem, of })),
    )
  }
}

/** A rule of what to do without, or the whole of what it is about where it cannot be understood. */
function understood(rule: string): string {
  const parsed = parseRule(rule, 'deny')
  return 'problem' in parsed ? parsed.scope : rule
}

/**
 * What two lists have in common, as far as one list can say it: of two rules the one that the other covers, and nothing
 * of two that only overlap.
 */
function narrowed(one: readonly string[], other: readonly string[]): readonly string[] {
  const common = one.flatMap(rule => other.flatMap(with_ => narrower(rule, with_) ?? []))
  return [...new Set(common)]
}

function narrower(one: string, other: string): string | undefined {
  if (covers(one, other)) return other
  return covers(other, one) ? one : undefined
}
