import { messageOf } from '@skills/core'
import { escapeTags } from '../escape-tags.js'
import { oneLine } from './one-line.js'
import type { Outcome } from '../executor.js'
import type { Refusal } from './find-skill.js'

export interface ToolResult {
  readonly type: 'tool_result'
  readonly tool_use_id: string
  readonly content: string
  readonly is_error?: true
  /** Data for the host in a distribution's own shape. It is not sent to the model. */
  readonly details?: Readonly<Record<string, unknown>>
}

export type Ended = { readonly outcome: Outcome } | { readonly refusal: Refusal } | { readonly error: unknown }

/** Returns the text about the end of an invocation that the model reads. */
export function textOf(ended: Ended): string {
  if ('refusal' in ended) return ended.refusal.message
  return 'error' in ended ? escapeTags(messageOf(ended.error)) : outcomeText(ended.outcome)
}

function outcomeText({ data }: Outcome): string {
  const name = oneLine(data.commandName)
  const { agentId, result } = data
  if (data.status !== 'forked') return data.success ? `Launching skill: ${name}` : `Skill "${name}" failed.`
  if (typeof result !== 'string')
    return `Skill "${name}" runs in the background as agent ${String(agentId)}. Its result will be announced.`
  return `Skill "${name}" ${data.success ? 'completed' : 'failed'} (forked execution).\n\nResult:\n${result}`
}

export function isFailure(ended: Ended): boolean {
  return !('outcome' in ended) || !ended.outcome.data.success
}
