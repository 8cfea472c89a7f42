import { mayEmbedCommand } from './safe-properties.js'
import type { KindAccess, PromptCommand } from '@skills/core'
import type { Executor } from './executor.js'

/**
 * True if invoking a skill runs a command that its text embeds. The executor of the skill answers, since its expanders
 * run the commands: permission, trust and execution then read the same text in the same dialect. Rejects as the
 * executor does.
 */
export async function embedsCommand(
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
