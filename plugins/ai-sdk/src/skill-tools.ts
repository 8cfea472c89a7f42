import * as s from '@skills/core/schema'
import type { ContentBlock } from '@skills/core'
import type { AgentSession } from '@skills/host/session'
import type { SessionTool } from '@skills/host/internal'
import type { ToolAnswer } from '@skills/invocation/internal'
import { jsonSchema, tool, type LanguageModel, type Tool, type ToolSet } from 'ai'

export const aiSdkSkillsOptions = s.options('aiSdkSkills()', {
  /** The host's own tools. Each call is asked about according to the active skills, hooks and rules. */
  tools: s.typed<ToolSet>('tools by name').default({}),
  /** The host's own system text, before the text about skills. Default: none. */
  system: s.text(),
  /** Returns the model of a name that a skill sets. Default: every step uses the model of the call. */
  modelFor: s.fn<(name: string) => LanguageModel | undefined>(),
  /**
   * Make each question an approval request of the AI SDK. It ends the answer until the person says yes or no, possibly
   * in another request. If false, the `onAsk` of the skills is called during the call.
   */
  approvals: s.flag().default(false),
})

export interface AiSdkSkillsOptions extends s.OptionsOf<typeof aiSdkSkillsOptions> {}

/** Options for `streamText`, `generateText` and `ToolLoopAgent`. */
export interface AiSdkSkills {
  readonly tools: ToolSet
  /** Called before each step. Lists the available skills, and leaves out tools that the active skills do without. */
  readonly prepareStep: () => Promise<{
    readonly system: string
    readonly activeTools: string[]
    readonly model?: LanguageModel
  }>
}

type Execute = NonNullable<Tool['execute']>
type Given = Parameters<Execute>[1]

/**
 * Makes the options that give the skills of one conversation to the AI SDK. Spread them into `streamText` or
 * `generateText`, and call `session.endTurn()` after the answer. See docs/reference/adapters.md, "The AI SDK".
 * @throws SkillsError `E_INVALID_OPTION` for an unknown option
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

/** Returns the result for the model. The model reads a thrown message, too. */
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

/** Makes each call of the host's tool ask for permission. A tool that the provider executes is unchanged. */
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
