import { askingValues, fieldOf } from '@skills/core/fields'
import { locateKey, needKeys } from '@skills/skill-md/internal'
import { needsOf } from '@skills/skill-md'
import { isJsonObject } from '@skills/files/internal'
import { breadthOf } from './tool-breadth.js'
import type { PromptCommand } from '@skills/core'
import type { AuditFinding, Unplaced } from './audit-finding.js'

/** Fields whose findings have their own texts. A shell is named in the findings of the commands that it runs. */
const told = new Set([
  'allowed-tools',
  'disallowed-tools',
  'hooks',
  'model',
  'effort',
  'context',
  'agent',
  'background',
  'shell',
  'on-shell-error',
])

/**
 * Returns findings about everything that the effective fields of a skill allow and change.
 * @param text the whole file; undefined for a command without one
 * @param keys keys of the frontmatter, as written
 */
export function auditFields(
  command: PromptCommand,
  text: string | undefined,
  keys: readonly string[],
): readonly Unplaced[] {
  const placeOf = (field: string, ...way: readonly (string | number)[]): Pick<AuditFinding, 'line' | 'column'> => {
    const key = keys.findLast(one => (fieldOf(one)?.name ?? one) === field)
    const place = text === undefined || key === undefined ? undefined : locateKey(text, [key, ...way])
    return place === undefined ? {} : { line: place.line, column: place.valueColumn ?? place.column }
  }
  const {
    allowedTools,
    disallowedTools,
    model,
    effort,
    context,
    agent,
    background,
    userInvocable,
    disableModelInvocation,
    hooks,
  } = command
  const found: Unplaced[] = hookFindings(hooks, placeOf)
  for (const [at, rule] of allowedTools.entries()) {
    const { code, level, may } = breadthOf(rule)
    found.push({ level, code, message: `It may ${may}: ${rule}`, text: rule, ...placeOf('allowed-tools', at) })
  }
  if (model !== undefined)
    found.push({
      level: 'info',
      code: 'override',
      message: `It is run by the model ${model}.`,
      text: model,
      ...placeOf('model'),
    })
  if (effort !== undefined)
    found.push({
      level: 'info',
      code: 'override',
      message: `It sets the effort ${effort}.`,
      text: String(effort),
      ...placeOf('effort'),
    })
  if (context === 'fork') {
    const who = agent === undefined ? '' : `, as the agent ${agent}`
    const how = background === true ? 'in the background' : 'outside the conversation'
    found.push({
      level: 'info',
      code: 'fork',
      message: `It works ${how}${who}, so you do not see its steps.`,
      ...placeOf('context'),
    })
  }
  if (!userInvocable)
    found.push({
      level: 'info',
      code: 'invocation',
      message: 'Only the model can invoke it; users cannot.',
      ...placeOf('user-invocable'),
    })
  if (disableModelInvocation)
    found.push({
      level: 'info',
      code: 'invocation',
      message: 'The model cannot invoke it.',
      ...placeOf('disable-model-invocation'),
    })
  if (disallowedTools.length > 0) {
    found.push({
      level: 'info',
      code: 'invocation',
      message: `It forbids tools: ${disallowedTools.join(', ')}`,
      text: disallowedTools.join(', '),
      ...placeOf('disallowed-tools'),
    })
  }
  for (const { name, asked, value, otherwise } of askingValues(command)) {
    const isSet = value !== undefined && value !== null && value !== otherwise
    if (told.has(name) || !isSet || (Array.isArray(value) && value.length === 0)) continue
    const said = typeof value === 'string' ? value : json(value)
    found.push({ level: 'info', code: 'override', message: `It sets ${asked}: ${said}`, text: said, ...placeOf(name) })
  }
  const needs = needsOf(command.metadata)
  const needed =
    needs === undefined
      ? []
      : needKeys.filter(key => needs[key].length > 0).map(key => `${key} ${needs[key].join(', ')}`)
  if (needed.length > 0)
    found.push({
      level: 'info',
      code: 'needs',
      message: `It needs these from the machine: ${needed.join('; ')}`,
      text: needed.join('; '),
      ...placeOf('requires'),
    })
  return found
}

export type PlaceOf = (field: string, ...way: readonly (string | number)[]) => Pick<AuditFinding, 'line' | 'column'>

/**
 * Returns a finding for each action of the hooks of a skill or a plugin.
 * @param counts true for hooks that are reported; hooks in an unknown form always are. Default: all
 */
export function hookFindings(
  hooks: unknown,
  placeOf: PlaceOf,
  counts: (event: string, hook: Readonly<Record<string, unknown>>) => boolean = () => true,
): Unplaced[] {
  if (hooks === undefined || hooks === null) return []
  const unclear = (text: unknown, ...way: readonly (string | number)[]): Unplaced => ({
    level: 'high',
    code: 'hook',
    message: `It has a hook in an unknown form: ${json(text)}`,
    text: json(text),
    ...placeOf('hooks', ...way),
  })
  if (!isJsonObject(hooks)) return [unclear(hooks)]
  return Object.entries(hooks).flatMap(([event, matchers]) => {
    if (!Array.isArray(matchers)) return [unclear({ [event]: matchers }, event)]
    return matchers.flatMap((entry: unknown, at): Unplaced[] => {
      const inner: unknown = isJsonObject(entry) ? (entry['hooks'] ?? [entry]) : undefined
      if (!isJsonObject(entry) || !Array.isArray(inner)) return [unclear({ [event]: entry }, event, at)]
      const matcher = typeof entry['matcher'] === 'string' && entry['matcher'] !== '' ? ` of ${entry['matcher']}` : ''
      return inner.flatMap((hook: unknown): Unplaced | readonly never[] => {
        if (isJsonObject(hook) && !counts(event, hook)) return []
        const what = isJsonObject(hook)
          ? [hook['command'], hook['url'], hook['prompt']].find(one => typeof one === 'string')
          : undefined
        if (typeof what !== 'string') return unclear({ [event]: hook }, event, at)
        return {
          level: 'high',
          code: 'hook',
          message: `At each ${event}${matcher}, a hook runs without asking: ${what}`,
          text: what,
          ...placeOf('hooks', event, at),
        }
      })
    })
  })
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}
