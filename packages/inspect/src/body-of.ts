import type { PromptCommand } from '@skills/core'

/** The text of a command's body as it is before anything is expanded. Pictures have none. */
export async function bodyOf(command: PromptCommand, signal: AbortSignal): Promise<string> {
  const body = await command.load('', { signal })
  return 'template' in body
    ? body.template
    : body.blocks.map(block => (block.type === 'text' ? block.text : '')).join('\n')
}
