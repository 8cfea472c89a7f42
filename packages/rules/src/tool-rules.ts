import { broadForm, broadProbe, strictProbe, type ToolUse } from './probe.js'
import { parseRule, type Rule } from './rule.js'
import { findEach, RuleSet, type Found, type Probe } from './rule-set.js'

/** A rule of a list that cannot be understood, or that probably does not say what was meant. */
export interface ToolRuleProblem {
  /** As it is written. */
  readonly rule: string
  /** A clause: `has no closing parenthesis`. */
  readonly problem: string
}

/**
 * A list of tools as skills and agents write it: `Read`, `Bash(git:*)`, `mcp__server`. With `only` it says what may be
 * used, and what cannot be understood in it says nothing. With `without` it says what may not be used, and what cannot
 * be understood in it takes the whole tool away. See docs/reference/permissions.md, "Rules about tools".
 */
export class ToolRules {
  /** The list, with what was written into one pair of parentheses taken apart. */
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

  /** A rule that a use may fall under for what cannot be seen of it. */
  #unseen({ files, ...probe }: Probe): Found | undefined {
    if (files?.unseen !== undefined) return this.#set.partialFiles(files)
    return probe.unseen === undefined ? undefined : this.#set.partial(probe)
  }

  /** The rule of the list that a use falls under, as it is written; undefined when none does. */
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
 * Skills write several commands into one pair of parentheses, `Bash(git add:*, git status)`; rules elsewhere take a
 * comma for what it is.
 */
export function splitAlternatives(rule: string): readonly string[] {
  const [, tool, content = ''] = /^(Bash|PowerShell)\((.*)\)$/s.exec(rule) ?? []
  const parts = content.split(/,\s+/).map(one => `${tool ?? ''}(${one})`)
  if (tool === undefined || parts.length === 1) return [rule]
  // Without a prefix among them it may as well be one command that holds a comma.
  return content.includes('*') ? parts : [rule, ...parts]
}
