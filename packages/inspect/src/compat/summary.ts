import type { AgentCompat, AgentSummary, CompatAgent, SkillCompat } from './compat-types.js'

/**
 * Returns true if a skill in its present place does not work with an agent: the agent does not find it, or does not
 * list it although it should.
 */
export function isLost({ found, told }: Pick<AgentCompat, 'found' | 'told'>): boolean {
  return found !== 'here' || told === 'no'
}

/**
 * Returns true if a field has another effect with the agent than with the reference, or no effect although it should
 * have one.
 */
export function isMisread({ fields }: Pick<AgentCompat, 'fields'>): boolean {
  return fields.some(({ use, what }) => use === 'other' || (use === 'ignored' && what !== undefined))
}

export function summaryOf({ name, checked }: CompatAgent, skills: readonly SkillCompat[]): AgentSummary {
  const own = skills.flatMap(({ agents }) => agents.filter(({ agent }) => agent === name))
  const count = (is: (one: AgentCompat) => boolean): number => own.filter(is).length
  return {
    name,
    checked,
    skills: own.length,
    here: count(({ found }) => found === 'here'),
    elsewhere: count(({ found }) => found === 'elsewhere'),
    shadowed: count(({ found }) => found === 'shadowed'),
    not: count(({ found }) => found === 'not'),
    whole: count(({ told }) => told === 'whole'),
    cut: count(({ told }) => told === 'cut'),
    nameOnly: count(({ told }) => told === 'name'),
    lost: count(isLost),
    misread: count(isMisread),
  }
}
