import { blocksText } from '../../output/body-text.js'
import { printableLine } from '../../output/printable.js'
import { printExact } from '../../output/exact-text.js'
import { styleOf } from '../../output/style.js'
import type { AgentContext, Message, Outcome } from '@skills/invocation'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'

/**
 * Prints the messages of an invocation to standard output, separated by blank lines. Prints to standard error what
 * changes for the agent.
 */
export function printOutcome(
  { data, newMessages, contextModifier }: Outcome,
  { isColorless }: Invocation,
  io: Io,
): void {
  const { stderr, env } = io
  const texts = newMessages.map(textOf)
  // A command that runs in this process has no messages, but may return a text.
  if (newMessages.length === 0 && typeof data['text'] === 'string') texts.push(data['text'])
  const text = texts.filter(one => one !== '').join('\n\n')
  printExact(text === '' || text.endsWith('\n') ? text : `${text}\n`, io)
  const changes = changesOf(contextModifier)
  if (changes.length === 0) return
  const style = styleOf(stderr, env, isColorless)
  stderr.write(
    [
      io.stdout.isTerminal ? '\n' : '',
      style.bold('What changes for the agent\n'),
      ...changes.map(([what, value]) => `  ${what.padEnd(16)}  ${printableLine(value)}\n`),
    ].join(''),
  )
}

/** Returns the outcome as JSON. See docs/reference/cli.md, "Running a skill". */
export function outcomeJson({ data, newMessages, contextModifier }: Outcome): Record<string, unknown> {
  const context = contextOf(contextModifier)
  return {
    data,
    messages: newMessages.map(({ type, content, isMeta = false, toolUseId = null, attachment = null }) => ({
      type,
      isMeta,
      content,
      toolUseId,
      attachment,
    })),
    changes: {
      allowedTools: context.toolPermissionContext?.alwaysAllowRules?.command ?? [],
      disallowedTools: context.toolPermissionContext?.disallowedTools ?? [],
      onlyTools: context.toolPermissionContext?.onlyTools ?? null,
      model: context.options?.mainLoopModel ?? null,
      effort: context.effortValue ?? null,
    },
  }
}

/** Returns the context that a skill gives to an agent without one. */
function contextOf(modifier: Outcome['contextModifier']): AgentContext {
  const nothing: AgentContext = {}
  return modifier?.(nothing) ?? nothing
}

function changesOf(modifier: Outcome['contextModifier']): readonly (readonly [string, string])[] {
  const { toolPermissionContext, options, effortValue } = contextOf(modifier)
  const { alwaysAllowRules, disallowedTools = [], onlyTools } = toolPermissionContext ?? {}
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['allowed tools', alwaysAllowRules?.command?.join(', ')],
    ['disallowed tools', disallowedTools.join(', ')],
    ['only tools', onlyTools?.join(', ')],
    ['model', options?.mainLoopModel],
    ['effort', effortValue === undefined ? undefined : String(effortValue)],
  ]
  return rows.flatMap(([what, value]) => (value === undefined || value === '' ? [] : [[what, value] as const]))
}

function textOf({ content }: Message): string {
  return typeof content === 'string' ? content : blocksText(content)
}
