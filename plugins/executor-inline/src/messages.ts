import { oneLine } from '@skills/invocation/skill-tool'
import type { Effort, ContentBlock, PromptCommand } from '@skills/core'
import type { AgentContext, Message } from '@skills/invocation'

/** Changes of a skill to the agent that it works in. */
export interface Grant {
  readonly allowedTools: readonly string[]
  readonly disallowedTools: readonly string[]
  readonly model: string | undefined
  readonly effort: Effort | undefined
  readonly thinkingTokens?: number | undefined
  /** True if only `allowedTools` may be used. */
  readonly isStrict: boolean
  /** True if `allowedTools` restrict without granting. */
  readonly grantsNothing?: boolean | undefined
}

/** End of a model's name that asks for a longer context. It belongs to the conversation, not to the skill. */
const longContext = /\[\d+[km]\]$/i

/**
 * Makes the function that returns an agent's context with the changes that a skill asks for. The function does not
 * modify its argument, keeps unknown fields, and can be applied after another such function. Returns undefined if the
 * skill asks for no change.
 */
export function contextModifier(grant: Grant): (<C extends AgentContext>(context: C) => C) | undefined {
  const { allowedTools, disallowedTools, model, effort, isStrict, grantsNothing = false, thinkingTokens = 0 } = grant
  if (
    allowedTools.length + disallowedTools.length === 0 &&
    model === undefined &&
    effort === undefined &&
    !(thinkingTokens > 0)
  )
    return undefined
  return context => {
    const { toolPermissionContext, options } = context
    const before = toolPermissionContext?.alwaysAllowRules?.command ?? []
    const command = [...new Set([...before, ...(grantsNothing ? [] : allowedTools)])].filter(
      tool => !disallowedTools.includes(tool),
    )
    const tools =
      allowedTools.length + disallowedTools.length === 0
        ? {}
        : {
            toolPermissionContext: {
              ...toolPermissionContext,
              alwaysAllowRules: { ...toolPermissionContext?.alwaysAllowRules, command },
              ...(disallowedTools.length > 0 && {
                disallowedTools: [...new Set([...(toolPermissionContext?.disallowedTools ?? []), ...disallowedTools])],
              }),
              ...(isStrict && { onlyTools: allowedTools.filter(tool => !disallowedTools.includes(tool)) }),
            },
          }
    return {
      ...context,
      ...tools,
      ...((model !== undefined || thinkingTokens > 0) && {
        options: {
          ...options,
          ...(model !== undefined && { mainLoopModel: modelWith(model, options?.mainLoopModel) }),
          ...(thinkingTokens > 0 && { maxThinkingTokens: thinkingTokens }),
        },
      }),
      ...(effort !== undefined && { effortValue: effort }),
    }
  }
}

function modelWith(model: string, before = ''): string {
  const suffix = longContext.exec(before)?.[0]
  return suffix === undefined || longContext.test(model) ? model : model + suffix
}

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
