import type { PromptCommand } from '@skills/core'

/** Returns the text of a command's body before expansion. Pictures are left out. */
export async function bodyOf(command: PromptCommand, signal: AbortSignal): Promise<string> {
  const body = await command.load('', { signal })
  return 'template' in body
    ? body.template
    : body.blocks.map(block => (block.type === 'text' ? block.text : '')).join('\n')
}
