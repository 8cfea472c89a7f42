import { covers, parseRule, ToolRules } from '@skills/rules'
import type { PathPlace, ToolRuleProblem } from '@skills/rules/internal'
import type { ToolCall, ToolLimits } from '@skills/invocation'

/** Limits on the tools of a fork, from one skill, agent or option. */
export interface ToolLists {
  /** Origin of the limits: `the skill "deploy"`. */
  readonly of: string
  readonly only?: readonly string[] | undefined
  readonly without?: readonly string[] | undefined
}

interface Limit {
  readonly of: string
  readonly only: ToolRules | undefined
  readonly without: ToolRules
}

/** Marks the inclusion of a file or a command's output in a text. It needs no permission, but can be forbidden. */
export interface Free {
  readonly isFree?: boolean | undefined
}

/** Reason why a call is refused: a sentence, and the rule that decided, if there is one. */
export interface Refusal {
  readonly message: string
  readonly of: string
  readonly rule?: string | undefined
}

/** Tools that a fork has. The skill, the agent and every agent around the fork can only take tools away. */
export class ToolGate {
  readonly #limits: readonly Limit[]

  /** @param around gate of the outer fork */
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
   * Returns why a call is refused; undefined if it is within all limits.
   * @param place folder that relative paths start from, with the home folder
   */
  async refuses(
    { tool, content, paths, isFree = false }: Pick<ToolCall, 'tool' | 'content' | 'paths'> & Free,
    place: PathPlace,
  ): Promise<Refusal | undefined> {
    const use = { tool, content, paths, place }
    for (const { of, only, without } of this.#limits) {
      const rule = await without.ruleFor(use)
      if (rule !== undefined) return { message: `${of} may not use ${rule}.`, of, rule }
      // An inclusion in a text is not a call of the agent.
      if (!isFree && only !== undefined && (await only.ruleFor(use)) === undefined) {
        return {
          message: `${of} may use ${only.texts.length === 0 ? 'no tools' : `only ${only.texts.join(', ')}`}, which does not include this call of ${tool}.`,
          of,
        }
      }
    }
    return undefined
  }

  /**
   * Limits for a runner, which offers its model only these tools. A runner that passes them to another program does not
   * ask about calls, so they never exceed any of the lists. An invalid rule allows nothing, and in `without` it forbids
   * the whole tool.
   */
  get toolLimits(): ToolLimits {
    const lists = this.#limits.flatMap(({ only }): (readonly string[])[] =>
      only === undefined ? [] : [only.texts.filter(rule => covers(rule, rule))],
    )
    const only = lists.length === 0 ? undefined : lists.reduce(narrowed)
    return { only, without: [...new Set(this.#limits.flatMap(({ without }) => without.texts.map(understood)))] }
  }

  /** Invalid rules of the lists, each with the list's origin. */
  get problems(): readonly (ToolRuleProblem & { readonly of: string })[] {
    return this.#limits.flatMap(({ of, only, without }) =>
      [...(only?.problems ?? []), ...without.problems].map(problem => ({ ...problem, of })),
    )
  }
}

/** Returns a rule of a `without` list, or the whole tool if the rule is invalid. */
function understood(rule: string): string {
  const parsed = parseRule(rule, 'deny')
  return 'problem' in parsed ? parsed.scope : rule
}

/**
 * Intersects two lists as far as one list can express it: of two rules it keeps one that the other covers. Rules that
 * only overlap are dropped.
 */
function narrowed(one: readonly string[], other: readonly string[]): readonly string[] {
  const common = one.flatMap(rule => other.flatMap(with_ => narrower(rule, with_) ?? []))
  return [...new Set(common)]
}

function narrower(one: string, other: string): string | undefined {
  if (covers(one, other)) return other
  return covers(other, one) ? one : undefined
}
