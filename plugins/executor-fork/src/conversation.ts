import { expandWith, type ExpandContext, type Expander } from '@skills/expansion'
import { trimmed } from '@skills/expansion/internal'
import { SkillsError, type ContentBlock, type Effort, type Host, type KindAccess } from '@skills/core'
import type { Invocation, RunRequest } from '@skills/invocation'
import type { AgentDefinition } from './agent.js'

export interface ConversationParts {
  readonly invocation: Invocation
  readonly agent: AgentDefinition
  /** Path of the file that defines the agent; undefined if none does. */
  readonly agentPath: string | undefined
  readonly effort: Effort | undefined
  readonly expanders: KindAccess<Expander>
  readonly host: Host
  readonly signal: AbortSignal
  /** Asks for permission for the skill's own actions, within the limits of the outer fork. */
  readonly authorize: ExpandContext['authorize']
  /**
   * Place of the skill's text. `message`: a message of its own; `system`: the system prompt, with the arguments as the
   * message.
   */
  readonly prompt: 'message' | 'system'
}

type Conversation = Pick<RunRequest, 'system' | 'messages'>

/** Message if the text of a skill is the system prompt and there are no arguments. */
const bareTask = 'Execute this skill task.'

/** Makes the start of a fork's conversation: the skills of its agent in order, then the skill itself. */
export async function conversationOf(parts: ConversationParts): Promise<Conversation> {
  const { agent, invocation, prompt } = parts
  const messages: (readonly ContentBlock[])[] = []
  // One after the other: their commands may build on each other.
  for (const name of agent.skills ?? []) messages.push(await contentOf(await skillOfAgent(name, parts), parts))
  const content = await contentOf(invocation, parts)
  if (prompt === 'message') return { system: agent.system, messages: [...messages, content] }
  const { args } = invocation
  const task: ContentBlock = { type: 'text', text: args.trim() === '' ? bareTask : args }
  const texts = [agent.system ?? '', ...content.map(block => (block.type === 'text' ? block.text : ''))].filter(
    text => text !== '',
  )
  return {
    system: texts.join('\n\n'),
    messages: [...messages, [...content.filter(({ type }) => type !== 'text'), task]],
  }
}

/**
 * Reads a skill that the agent begins with. The caller may not know of it, so an error names the agent and both skills.
 */
async function skillOfAgent(name: string, { agent, agentPath, invocation }: ConversationParts): Promise<Invocation> {
  try {
    return await invocation.skill(name)
  } catch (error) {
    if (!SkillsError.is(error)) throw error
    const message = `The agent "${agent.name}" of "${invocation.entry.name}" cannot begin with the skill "${name}": ${error.message}`
    throw new SkillsError(error.code, message, {
      hint: `The \`skills\` of the agent are in ${agentPath ?? 'the code that gives the agent'}.`,
      cause: error,
    })
  }
}

async function contentOf(
  invocation: Invocation,
  { effort, expanders, host, signal, authorize }: ConversationParts,
): Promise<readonly ContentBlock[]> {
  const { body, command, args, trust, session, forbids, progress } = invocation
  if ('blocks' in body) return body.blocks
  const { text } = await expandWith(expanders, trimmed(body.template, 'blank-lines'), {
    command,
    args,
    trust,
    host,
    sessionId: session?.key,
    effort: command.effort ?? effort ?? session?.effortNow,
    signal,
    authorize,
    forbids,
    progress,
  })
  return [{ type: 'text', text: invocation.tells?.(text) ?? text }]
}
