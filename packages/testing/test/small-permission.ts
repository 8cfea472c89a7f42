import { abortError } from '@skills/core'
import type { NeutralRule } from '@skills/testing/internal'
import type { Permission, PermissionDecision, PermissionRequest, RuleSuggestion } from '@skills/rules'

export type Behavior = NeutralRule['behavior']

/** Short permission provider that keeps every rule of its contract, for tests only. */
export class SmallPermission implements Permission {
  readonly rules: readonly NeutralRule[]

  constructor(rules: readonly NeutralRule[]) {
    this.rules = rules
  }

  check(request: PermissionRequest, { signal }: { readonly signal: AbortSignal }): PermissionDecision {
    if (signal.aborted) throw abortError(signal)
    const { tool, content, trust, granted = [] } = request
    const said = (behavior: Behavior): NeutralRule | undefined =>
      this.rules.find(one => one.behavior === behavior && this.matches(one, request))
    const denied = said('deny')
    if (denied !== undefined) return ruled('deny', denied.rule)
    if (tool !== 'Skill' && trust !== 'trusted')
      return { behavior: 'deny', message: 'It is not trusted.', decisionReason: { type: 'default' } }
    const asked = said('ask')
    if (asked !== undefined) return ruled('ask', asked.rule)
    const own = tool === 'Skill' ? undefined : granted.find(rule => this.matches({ behavior: 'allow', rule }, request))
    const allowed = trust === 'trusted' ? (said('allow')?.rule ?? own) : undefined
    if (allowed !== undefined) return ruled('allow', allowed)
    const exact = tool === 'Skill' ? request.entry.name : content
    return {
      behavior: 'ask',
      message: 'May it?',
      decisionReason: { type: 'default' },
      suggestions: [
        suggestion(tool, exact.replaceAll('\n', ' ')),
        suggestion(tool, `${exact.split(/[ \n]/)[0] ?? ''}:*`),
      ],
    }
  }

  /** True if a rule matches a request. Rules that deny match broadly, rules that allow strictly. */
  matches({ behavior, rule }: NeutralRule, request: PermissionRequest): boolean {
    const [, tool, pattern] = /^(\w+)(?:\((.*)\))?$/s.exec(rule) ?? []
    if (tool !== request.tool) return false
    if (pattern === undefined) return true
    if (tool === 'Skill')
      return this.namesOf(behavior, request).some(name => this.covers(pattern.replace(/^\//, ''), name, ':'))
    return this.scriptsOf(behavior, request.content, pattern).some(script => this.covers(pattern, script, ' '))
  }

  namesOf(behavior: Behavior, { entry: { name, command } }: PermissionRequest): readonly string[] {
    return behavior === 'allow'
      ? [name]
      : [name, command.name, `${command.source}:${command.name}`, command.displayName, ...command.aliases].map(one =>
          one.toLowerCase(),
        )
  }

  scriptsOf(behavior: Behavior, script: string, pattern: string): readonly string[] {
    if (pattern === '') return []
    if (behavior === 'allow') return /^[\w ./:=-]+$/.test(script) ? [script] : []
    return script.split(/[;&|\n`()$]+/).map(part =>
      part
        .replaceAll('"', '')
        .trim()
        .replace(/^(?:\w+=\S* )+/, '')
        .replace(/^\S*\//, ''),
    )
  }

  covers(pattern: string, text: string, gap: string): boolean {
    const prefix = pattern.endsWith(':*') ? pattern.slice(0, -2) : undefined
    return prefix === undefined ? text === pattern : text === prefix || text.startsWith(prefix + gap)
  }
}

function ruled(behavior: Behavior, rule: string): PermissionDecision {
  return { behavior, message: `A rule says ${behavior}.`, decisionReason: { type: 'rule', rule, source: 'options' } }
}

function suggestion(toolName: string, ruleContent: string): RuleSuggestion {
  return { type: 'addRules', rules: [{ toolName, ruleContent }], behavior: 'allow', destination: 'session' }
}
