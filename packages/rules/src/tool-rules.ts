import { broadForm, broadProbe, strictProbe, type ToolUse } from './probe.js'
import { parseRule, type Rule } from './rule.js'
import { findEach, RuleSet, type Found, type Probe } from './rule-set.js'

/** Rule of a list that is invalid, or that probably does not mean what its author intended. */
export interface ToolRuleProblem {
  /** Rule as it is written. */
  readonly rule: string
  /** Clause: `has no closing parenthesis`. */
  readonly problem: string
}

/**
 * List of tools as skills and agents write it: `Read`, `Bash(git:*)`, `mcp__server`. With `only`, it names the tools
 * that may be used; an invalid rule names none. With `without`, it names the tools that may not be used; an invalid
 * rule forbids the whole tool. See docs/reference/permissions.md, "Rules about tools".
 */
export class ToolRules {
  /** Rules of the list; several in one pair of parentheses are split. */
  readonly texts: readonly string[]
  readonly problems: readonly ToolRuleProblem[]
  readonly #mode: 'only' | 'without'
  readonly #set: RuleSet

  constructor(mode: 'only' | 'without', list: readonly string[]) {
    this.#mode = mode
    this.texts = list.flatMap(splitAlternatives)
    const behavior = mode === 'only' ? 'allow' : 'deny'
    const problems: ToolRuleProblem[] = []
    const rules = this.texts.flatMap((text): readonly Rule[] => {
      const parsed = parseRule(text, behavior)
      if (!('problem' in parsed)) {
        const { doubt, ...parts } = parsed
        if (doubt !== undefined) problems.push({ rule: text, problem: doubt })
        return [{ behavior, text, source: mode, ...parts }]
      }
      problems.push({ rule: text, problem: parsed.problem })
      return behavior === 'allow'
        ? []
        : [{ behavior, text, source: mode, tool: parsed.scope, content: { kind: 'any' } }]
    })
    this.problems = problems
    this.#set = new RuleSet(rules, {
      prefix: 'segment',
      wins: 'first',
      form: mode === 'only' ? text => text.normalize('NFC') : broadForm,
    })
  }

  /** Finds a rule that the unseen part of a use may fall under. */
  #unseen({ files, ...probe }: Probe): Found | undefined {
    if (files?.unseen !== undefined) return this.#set.partialFiles(files)
    return probe.unseen === undefined ? undefined : this.#set.partial(probe)
  }

  /** Returns the rule that a use falls under, as it is written; undefined if none matches. */
  async ruleFor(use: ToolUse): Promise<string | undefined> {
    if (this.texts.length === 0) return undefined
    if (this.#mode === 'only') {
      const each = findEach(strictProbe(use, 'limit'), probe => this.#set.find(probe))
      return 'found' in each ? each.found[0]?.rule.text : undefined
    }
    const probe = await broadProbe(use)
    return (this.#set.find(probe) ?? this.#unseen(probe))?.rule.text
  }
}

/**
 * Splits a rule with several commands in one pair of parentheses, as skills write such rules: `Bash(git add:*, git
 * status)`. Other rules take a comma literally.
 */
export function splitAlternatives(rule: string): readonly string[] {
  const [, tool, content = ''] = /^(Bash|PowerShell)\((.*)\)$/s.exec(rule) ?? []
  const parts = content.split(/,\s+/).map(one => `${tool ?? ''}(${one})`)
  if (tool === undefined || parts.length === 1) return [rule]
  // Without an asterisk it may be one command that contains a comma.
  return content.includes('*') ? parts : [rule, ...parts]
}
