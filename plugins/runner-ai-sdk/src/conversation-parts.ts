import { Invoker, toolLimitsOf, type Session } from '@skills/invocation'
import { enginePort, skillTool, type EnginePort, type SkillTool } from '@skills/invocation/skill-tool'
import { aiLibrary, type AiLibrary } from './ai-library.js'
import type { Skills } from '@skills/core'
import type { ConversationOptions } from './conversation-options.js'

/** What a conversation is carried on with. */
export interface ConversationParts {
  readonly ai: AiLibrary
  readonly invoker: Invoker
  readonly port: EnginePort
  readonly skillTool: SkillTool
  readonly session: Session
}

/** The ways of the distribution to invoke skills and to list them, for the model and for the user alike. */
export async function openParts(
  skills: Skills,
  session: Session,
  { distribution: { invoker: rules, port: ports, tool } = {}, onAsk, onUntrusted }: ConversationOptions,
): Promise<ConversationParts> {
  const ai = await aiLibrary()
  const invoker = new Invoker(skills, { ...rules, onAsk, onUntrusted, session })
  const port = enginePort(skills, { ...ports, invoker })
  // A fork has no more than the agent that it is made in.
  const limited: EnginePort = {
    ...port,
    invoke: request => invoker.invoke({ ...request, tools: toolLimitsOf(session.context) }),
  }
  return { ai, invoker, port, session, skillTool: await skillTool(limited, tool) }
}
