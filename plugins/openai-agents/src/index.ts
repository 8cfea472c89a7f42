import * as s from '@skills/core/schema'
import { tool, type FunctionTool } from '@openai/agents'
import { messageOf, type ContentBlock } from '@skills/core'
import type { AgentSession } from '@skills/host/session'
import type { SessionTool } from '@skills/host/internal'

/** Function tool with parameters of any type. */
export type OwnTool = FunctionTool<never, never> | FunctionTool

const openAiSkillsOptions = s.options('openAiSkills()', {
  /** The agent's own instructions, before the text about skills. Default: none. */
  instructions: s.text(),
  /** The agent's own function tools. Each call is asked about according to the active skills, hooks and rules. */
  tools: s.list(s.typed<OwnTool>('an own tool')).default([]),
  /**
   * Make each question an interruption of the run, which continues after `state.approve()` or `reject()`. If false, the
   * `onAsk` of the skills is called during the call.
   */
  approvals: s.flag().default(false),
})

export interface OpenAiSkillsOptions extends s.OptionsOf<typeof openAiSkillsOptions> {}

/** Options for `new Agent()`. */
export interface OpenAiSkills {
  readonly instructions: () => Promise<string>
  readonly tools: FunctionTool[]
}

/**
 * Makes the options that give the skills of one conversation to an agent of the OpenAI Agents SDK. Spread them into
 * `new Agent()`, and call `session.endTurn()` when a run has ended. See docs/reference/adapters.md, "The OpenAI Agents
 * SDK".
 * @throws SkillsError `E_INVALID_OPTION` for an unknown option
 */
export function openAiSkills(session: AgentSession, given?: OpenAiSkillsOptions): OpenAiSkills {
  const { instructions, tools, approvals } = openAiSkillsOptions.read(given)
  return {
    instructions: () => session.system({ own: instructions }),
    tools: [
      ...session.tools().map(one => skillTool(session, one, approvals)),
      ...tools.map(one => guarded(session, one as FunctionTool, approvals)),
    ],
  }
}

function skillTool(
  session: AgentSession,
  { name, description, inputSchema, ...one }: SessionTool,
  approvals: boolean,
): FunctionTool {
  return tool({
    name,
    description,
    parameters: { additionalProperties: true, type: 'object', properties: {}, required: [], ...inputSchema },
    strict: false,
    isEnabled: () => session.offers(name),
    needsApproval: async (_, input, callId) => approvals && (await one.isAsked(input, { toolUseId: callId })),
    // The model reads the message of a thrown error.
    errorFunction: (_, error) => messageOf(error),
    async execute(input, _, details) {
      const { text, isError, content } = await one.execute(input, {
        toolUseId: details?.toolCall?.callId,
        isApproved: approvals,
        signal: details?.signal,
      })
      if (isError) throw new Error(text)
      return content.some(({ type }) => type === 'image') ? content.map(partOf) : text
    },
  })
}

function partOf(block: ContentBlock): object {
  return block.type === 'text'
    ? { type: 'text', text: block.text }
    : { type: 'image', image: { data: block.data, mediaType: block.mimeType } }
}

/** Makes each call of the agent's own tool ask for permission. */
function guarded(session: AgentSession, own: FunctionTool, approvals: boolean): FunctionTool {
  const { name } = own
  return {
    ...own,
    isEnabled: async (context, by) => session.offers(name) && own.isEnabled(context, by),
    needsApproval: async (context, input, callId) =>
      (approvals &&
        (await session.isAsked({ tool: name, input, ...(callId !== undefined && { toolUseId: callId }) }))) ||
      own.needsApproval(context, input, callId),
    async invoke(context, text, details) {
      const { behavior, message } = await session.authorize(
        { tool: name, input: parsed(text), toolUseId: details?.toolCall?.callId },
        { isApproved: approvals, signal: details?.signal },
      )
      return behavior === 'allow' ? own.invoke(context, text, details) : message
    },
  }
}

/** Parses the input of a call. Text that is not JSON is asked about unchanged, and the tool refuses it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
