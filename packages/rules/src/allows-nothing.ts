import { parseRule } from './rule.js'

/** Why a rule that is to allow something allows nothing. */
export interface AllowsNothing {
  /** A clause: `takes an asterisk literally`. */
  readonly problem: string
  /** What to write, where that is plain: `Bash(git status:*)`. */
  readonly instead?: string | undefined
  /** Whether a program that takes every `*` for any text, as Claude Code does, allows something by it. */
  readonly isAnywhere: boolean
}

/** Tells of a rule that allows nothing when it is written so; undefined for one that can allow something. */
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
