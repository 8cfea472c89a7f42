import { Invoker } from '@skills/invocation'
import type { CatalogEntry, ExplainAnswer, Explanation, Reason, Skills } from '@skills/core'
import type { Distribution } from '@skills/distributions'

/** Engine, and the distribution whose rules for a listing apply. */
export interface RuledEngine {
  readonly skills: Skills
  readonly distribution: Pick<Distribution, 'name' | 'port'>
}

/**
 * Returns the reasons why a distribution's listing does not show an entry to a model.
 * @param reasons reasons under the standard rules
 */
export async function reasonsUnder(
  { skills, distribution: { name, port } }: RuledEngine,
  entry: CatalogEntry,
  reasons: readonly Reason[],
  signal: AbortSignal | undefined,
): Promise<readonly Reason[]> {
  if (port.isListed?.(entry) === false)
    return reasons.length > 0
      ? reasons
      : [
          {
            cause: 'flag',
            text: `${name} does not tell a model of this skill, because the skill says too little about itself.`,
          },
        ]
  // This distribution ignores flags that would keep the entry from the model elsewhere.
  const others = reasons.filter(({ cause }) => cause !== 'flag')
  if (port.leavesOutDenied === false) return others
  const { behavior, message } = await new Invoker(skills).decide(
    { tool: 'Skill', content: entry.name, entry, args: '', caller: 'model' },
    signal,
  )
  return behavior === 'deny' ? [...others, { cause: 'permission', text: message }] : others
}

/** Returns an explanation whose answers say whether this distribution lists each command. */
export async function explainedUnder(
  ruled: RuledEngine,
  explanation: Explanation,
  signal: AbortSignal | undefined,
): Promise<Explanation> {
  const catalog = await ruled.skills.catalog({ signal })
  const answers: ExplainAnswer[] = []
  for (const answer of explanation.answers) {
    const entry = catalog.get(answer.name)
    if (entry === undefined || entry.command !== answer.command) answers.push(answer)
    else {
      const notListedBecause = await reasonsUnder(ruled, entry, answer.notListedBecause, signal)
      answers.push({ ...answer, isListed: notListedBecause.length === 0, notListedBecause })
    }
  }
  return { ...explanation, answers }
}
