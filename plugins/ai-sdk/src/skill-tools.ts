import * as s from '@skills/core/schema'
import type { ContentBlock } from '@skills/core'
import type { AgentSession } from '@skills/host/session'
import type { SessionTool } from '@skills/host/internal'
import type { ToolAnswer } from '@skills/invocation/internal'
import { jsonSchema, tool, type LanguageModel, type Tool, type ToolSet } from 'ai'

export const aiSdkSkillsOptions = s.options('aiSdkSkills()', {
  /** The host's own tools: each call is asked about, as the skills at work, hooks and rules have it. */
  tools: s.typed<ToolSet>('tools by name').default({}),
  /** The host's own system text, which stands before what is said of skills. Default: none. */
  system: s.text(),
  /** The model that a skill asks for by name. Default: every step has the model of the call. */
  modelFor: s.fn<(name: string) => LanguageModel | undefined>(),
  /**
   * Whether a question about a call is an approval request of the AI SDK, which ends the answer until the person said
   * yes or no, also in another request. Without it the `onAsk` of the skills is asked
   * during the call.
   */
  approvals: s.flag().default(false),
})

export interface AiSdkSkillsOptions extends s.OptionsOf<typeof aiSdkSkillsOptions> {}

/** What `streamText`, `generateText` and `ToolLoopAgent` take. */
export interface AiSdkSkills {
  readonly tools: ToolSet
  /** Says before each step which skills there are, and shows no tool that the skills at work do without. */
  readonly prepareStep: () => Promise<{
    readonly system: string
    readonly activeTools: string[]
    readonly model?: LanguageModel
  }>
}

type Execute = NonNullable<Tool['execute']>
type Given = Parameters<Execute>[1]

/**
 * The skills of one conversation for the AI SDK: spread it into `streamText` or `generateText`, and call
 * `session.endTurn()` when the answer is there. See docs/reference/adapters.md, "The AI SDK".
 * @throws SkillsError `E_INVALID_OPTION` for an option that there is not
 */
export function aiSdkSkills(session: AgentSession, given?: AiSdkSkillsOptions): AiSdkSkills {
  const { tools: own, system, modelFor, approvals } = aiSdkSkillsOptions.read(given)
  const tools: ToolSet = {
    ...Object.fromEntries(session.tools().map(one => [one.name, skillTool(one, approvals)])),
    ...Object.fromEntries(Object.entries(own).map(([name, one]) => [name, guarded(session, name, one, approvals)])),
  }
  return {
    tools,
    async prepareStep() {
      const wanted = session.wanted.model
      const model = wanted === undefined ? undefined : modelFor?.(wanted)
      return {
        system: await session.system({ own: system }),
        activeTools: Object.keys(tools).filter(name => session.offers(name)),
        ...(model !== undefined && { model }),
      }
    },
  }
}

/** What is thrown here is what the model reads. */
function resultOf({ text, content, isError }: ToolAnswer): string | readonly ContentBlock[] {
  if (isError) throw new Error(text)
  return content.some(({ type }) => type === 'image') ? content : text
}

function skillTool({ name: _, description, inputSchema, ...one }: SessionTool, approvals: boolean): Tool {
  return tool({
    description,
    inputSchema: jsonSchema(inputSchema),
    ...(approvals && {
      needsApproval: (input: unknown, { toolCallId }: { readonly toolCallId: string }) =>
        one.isAsked(input, { toolUseId: toolCallId }),
    }),
    execute: async (input: unknown, { toolCallId, abortSignal }: Given) =>
      resultOf(await one.execute(input, { toolUseId: toolCallId, isApproved: approvals, signal: abortSignal })),
    toModelOutput: ({ output }: { readonly output: string | readonly ContentBlock[] }) =>
      typeof output === 'string'
        ? { type: 'text', value: output }
        : {
            type: 'content',
            value: output.map(block =>
              block.type === 'text'
                ? { type: 'text', text: block.text }
                : { type: 'image-data', data: block.data, mediaType: block.mimeType },
            ),
          },
  })
}

/** A tool of the host's, each call of which is asked about. One that the provider runs is shown as it is. */
function guarded(session: AgentSession, name: string, own: ToolSet[string], approvals: boolean): ToolSet[string] {
  const { execute, needsApproval } = own
  if (execute === undefined) return own
  return Object.assign({}, own, {
    ...(approvals && {
      needsApproval: async (input: never, given: Parameters<Extract<typeof needsApproval, Function>>[1]) =>
        (await session.isAsked({ tool: name, input, toolUseId: given.toolCallId })) ||
        (typeof needsApproval === 'function' ? needsApproval(input, given) : needsApproval === true),
    }),
    async execute(input: never, given: Given) {
      const { toolCallId: toolUseId, abortSignal: signal } = given
      const { behavior, message } = await session.authorize(
        { tool: name, input, toolUseId },
        { isApproved: approvals, signal },
      )
      if (behavior !== 'allow') throw new Error(message)
      return execute.call(own, input, given)
    },
  })
}
