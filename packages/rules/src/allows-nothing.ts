import { parseRule } from './rule.js'

/** Reason why an allow rule allows nothing. */
export interface AllowsNothing {
  /** Clause: `takes an asterisk literally`. */
  readonly problem: string
  /** Rule to write instead, if it is clear: `Bash(git status:*)`. */
  readonly instead?: string | undefined
  /** True if the rule allows something in programs that take every `*` for any text, as Claude Code does. */
  readonly isAnywhere: boolean
}

/** Returns the reason why a rule in this form allows nothing; undefined if it can allow a call. */
export function allowsNothing(rule: string): AllowsNothing | undefined {
  const parsed = parseRule(rule, 'allow')
  if ('problem' in parsed) {
    const trimmed = rule.replace(/\(\s+/, '(').replace(/\s+\)$/, ')')
    const instead = trimmed !== rule && !('problem' in parseRule(trimmed, 'allow')) ? trimmed : undefined
    return { problem: parsed.problem, instead, isAnywhere: false }
  }
  if (parsed.doubt === undefined) return undefined
  const anywhere = parseRule(rule, 'allow', { asterisks: 'anywhere' })
  const words = /^([A-Za-z]+)\(([^*]*[^*\s:])[\s:]*\*/.exec(rule)
  const instead = words === null || /[/.-]$/.test(words[2] ?? '') ? undefined : `${words[1]}(${words[2]}:*)`
  return { problem: parsed.doubt, instead, isAnywhere: !('problem' in anywhere) && anywhere.content.kind === 'pieces' }
}
