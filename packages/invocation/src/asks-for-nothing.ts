import { isAbortError, withDeadline, type PromptCommand } from '@skills/core'
import { firstUnsafeField, mayEmbedCommand } from './safe-properties.js'

/** Whether a skill is there to be read and nothing else. One whose text cannot be read is not. */
export async function asksForNothing(
  command: PromptCommand,
  args: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (firstUnsafeField(command) !== undefined) return false
  try {
    const body = await withDeadline(inner => command.load(args, { signal: inner }), { signals: [signal] })
    return 'blocks' in body || !mayEmbedCommand(body.template)
  } catch (error) {
    if (isAbortError(error)) throw error
    return false
  }
}
