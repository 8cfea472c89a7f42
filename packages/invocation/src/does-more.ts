import { withDeadline, type KindAccess, type PromptCommand } from '@skills/core'
import { firstUnsafeField, mayEmbedCommand } from './safe-properties.js'
import type { Executor } from './executor.js'

/**
 * True if invoking a skill does more than give its text: it has a field that needs permission, or its text embeds a
 * command. Rejects as loading the text and the executor do.
 */
export async function doesMore(
  executors: KindAccess<Executor>,
  command: PromptCommand,
  args: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (firstUnsafeField(command) !== undefined) return true
  const body = await withDeadline(inner => command.load(args, { signal: inner }), { signals: [signal] })
  return 'template' in body && (await embedsCommand(executors, body.template, command, signal))
}

/**
 * True if invoking a skill runs a command that its text embeds. The executor of the skill answers, since its expanders
 * run the commands: permission, trust and execution then read the same text in the same dialect. Rejects as the
 * executor does.
 */
async function embedsCommand(
  executors: KindAccess<Executor>,
  template: string,
  command: PromptCommand,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (!mayEmbedCommand(template)) return false
  const own = executors.ids.includes(command.context) ? command.context : 'inline'
  const answers = await executors.each(
    async (executor, call) => ({ embeds: await executor.embeds?.(template, command, call) }),
    { signal, only: [own] },
  )
  // Without an answer the text counts as embedding what it might embed.
  return answers.length === 0 || answers.some(({ value }) => value.embeds !== false)
}
