import { oneLine } from '@skills/invocation/skill-tool'
import type { ContentBlock, PromptCommand } from '@skills/core'
import type { Message } from '@skills/invocation'
import type { Grant } from './context-modifier.js'

export type Label = 'sentence' | 'name'

export interface Told {
  readonly messages: 'tagged' | 'plain'
  readonly command: PromptCommand
  readonly args: string
  readonly label: Label
  readonly toolUseId: string | undefined
  readonly grant: Grant
  /** Undefined if the agent has it already. */
  readonly content: readonly ContentBlock[] | undefined
}

/** Makes the messages of an invocation: for the person, for the model, and about grants. */
export function messagesFor({
  messages: form,
  command,
  args,
  label,
  toolUseId,
  grant,
  content,
}: Told): readonly Message[] {
  const tag = toolUseId === undefined ? {} : { toolUseId }
  if (form === 'plain') return [{ type: 'user', content: plainContent(command, content), ...tag }]
  const { model } = grant
  const allowedTools = grant.grantsNothing === true ? [] : grant.allowedTools
  const messages: Message[] = [
    { type: 'user', content: visibleText(command, args, label), ...tag },
    { type: 'user', isMeta: true, content: content ?? repeatedNote(command), ...tag },
  ]
  if (allowedTools.length > 0 || model !== undefined) {
    const attachment = {
      type: 'command_permissions',
      ...(allowedTools.length > 0 && { allowedTools }),
      ...(model !== undefined && { model }),
    }
    messages.push({ type: 'attachment', content: '', attachment, ...tag })
  }
  return messages
}

function repeatedNote({ displayName }: PromptCommand): string {
  return `The skill "${oneLine(displayName, 'angles')}" is already loaded; its instructions are above.`
}

/** Returns a text if all blocks are text. */
function plainContent(
  command: PromptCommand,
  content: readonly ContentBlock[] | undefined,
): string | readonly ContentBlock[] {
  if (content === undefined) return repeatedNote(command)
  const texts = content.flatMap(block => (block.type === 'text' ? [block.text] : []))
  return texts.length === content.length ? texts.join('\n') : content
}

function visibleText({ displayName, isSkill, progressMessage }: PromptCommand, args: string, label: Label): string {
  const name = oneLine(displayName, 'angles')
  const noun = isSkill ? 'skill' : 'command'
  const lines =
    label === 'name'
      ? [`<command-message>${name}</command-message>`, `<command-name>/${name}</command-name>`]
      : [
          `<command-message>The "${name}" ${noun} is ${progressMessage}</command-message>`,
          `<command-name>${name}</command-name>`,
        ]
  const withArgs = args !== '' && (label === 'name' || !isSkill)
  return [...lines, ...(withArgs ? [`<command-args>${oneLine(args, 'angles')}</command-args>`] : [])].join('\n')
}
