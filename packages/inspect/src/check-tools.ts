import { placeOfProblem } from '@skills/skill-md/internal'
import { allowsNothing } from '@skills/rules/internal'
import { splitAlternatives } from '@skills/rules'
import type { Diagnostic } from '@skills/core'

/** Most findings that are reported one by one, because placing one takes a pass through the file. */
const mostTold = 50

/**
 * Returns warnings for rules of `allowed-tools` that allow nothing, so that an author notices such rules before a run
 * asks for permission.
 * @param rules rules in effect
 * @param text returns the whole file; called only if there is a problem
 */
export function checkTools(rules: readonly string[], text: () => string): readonly Diagnostic[] {
  const found = rules.flatMap((rule, at) =>
    splitAlternatives(rule).flatMap(one => {
      const nothing = allowsNothing(one)
      return nothing === undefined ? [] : [{ ...nothing, rule: one, at }]
    }),
  )
  return found
    .slice(0, mostTold)
    .map(({ rule, at, problem, instead, isAnywhere }) => ({
      severity: 'warning',
      type: 'validation',
      code: 'rule-allows-nothing',
      message: `The rule ${JSON.stringify(rule)} of \`allowed-tools\` allows nothing${isAnywhere ? ' but in Claude Code' : ''}: it ${problem}.`,
      hint:
        instead === undefined
          ? 'Write a rule such as Read, Bash(git log:*), Read(./docs/**) or mcp__server__tool.'
          : `Write ${instead}.`,
      field: 'allowed-tools',
      ...placeOfProblem(text(), { code: 'rule-allows-nothing', keyPath: ['allowed-tools', at] }),
    }))
}
