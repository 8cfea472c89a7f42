import { abortError, isAbortError, messageOf, SkillsError, type Command } from '@skills/core'
import type { OnAsk } from '@skills/rules'
import type { Session } from '@skills/invocation'
import type { JsonSchema } from '@skills/core/json-schema'
import type { ListingContext, ModelTool } from '@skills/invocation/skill-tool'
import type { ToolAnswer } from '@skills/invocation/internal'
import type { HostCall, SessionCall, SessionDecision } from './session-options.js'

/** Call of one of a session's tools. */
export interface SkillCall extends SessionCall {
  /** Id of the call in the framework or the model. */
  readonly toolUseId?: string | undefined
  /**
   * True if the framework itself asks a person when `isAsked` says so, possibly in another process, and makes no call
   * without a yes. It applies to this call only, and not to further questions of the skill.
   */
  readonly isApproved?: boolean | undefined
}

/** Tool for a model, in a form that every framework accepts. */
export interface SessionTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  /** True if a call changes nothing. */
  readonly isReadOnly: boolean
  /** Returns the description, with the listing if it belongs there. Rejects as the listing does. */
  describe(call?: SessionCall): Promise<string>
  /**
   * Returns true if a person must be asked about a call, for a framework that asks itself. Rejects only with an
   * `AbortError`.
   */
  isAsked(input: unknown, call?: SkillCall): Promise<boolean>
  /**
   * Executes one call, with the hooks before and after it. Errors become answers for the model. Rejects only with an
   * `AbortError`.
   */
  execute(input: unknown, call?: SkillCall): Promise<ToolAnswer>
  /** Like `execute`, for a loop that calls `authorize` of the session before each call and `used` after it. */
  run(input: unknown, call?: SkillCall): Promise<ToolAnswer>
}

/** Parts of a tool of a session. */
export interface ToolSetting {
  readonly session: {
    authorize(call: HostCall, options: SessionCall): Promise<SessionDecision>
    used(call: HostCall, response: unknown, options: SessionCall): Promise<string | undefined>
  }
  readonly of: Session
  /** Replaces the invoker's own `onAsk`, so that a yes applies to this call only: other people may share the engine. */
  readonly onAsk: OnAsk | undefined
  /** Returns what a listing in the description depends on. */
  readonly listingFor: () => ListingContext
  /** Changes a text before the model gets it. */
  readonly tells: (text: string) => string
}

/**
 * Makes a tool that runs or finds skills in one conversation. The tool calls the hooks of the conversation and applies
 * the settings of skills.
 */
export function sessionTool(tool: ModelTool, { session, of, onAsk, listingFor, tells }: ToolSetting): SessionTool {
  const { name, description, inputSchema, isReadOnly } = tool
  const { key: sessionId } = of
  const unasked = new Set<string>()

  /** Returns an `onAsk` that allows the skill of this call, and asks about everything else. */
  async function approving(input: unknown, signal: AbortSignal | undefined): Promise<OnAsk | undefined> {
    const { metadata } = await tool.permission(input, { sessionId, signal })
    if (metadata === undefined) return onAsk
    return question =>
      question.request.tool === 'Skill' && isSame(question.request.entry.command, metadata.command)
        ? 'allow'
        : (onAsk?.(question) ?? 'deny')
  }

  async function run(input: unknown, { toolUseId = '', isApproved, signal }: SkillCall = {}): Promise<ToolAnswer> {
    const asked = isApproved !== true || unasked.delete(toolUseId) ? onAsk : await approving(input, signal)
    const answer = await tool.answer(input, { toolUseId, sessionId, ...(asked && { onAsk: asked }), signal })
    // The permissions of the skill end with the line, and the next line may have begun.
    if (signal?.aborted === true) throw abortError(signal)
    if (answer.outcome !== undefined) of.take(answer.outcome)
    return answer
  }

  return {
    name,
    description,
    inputSchema,
    isReadOnly,
    describe: ({ signal } = {}) => tool.describe({ ...listingFor(), signal }),
    async isAsked(input, { toolUseId, signal } = {}) {
      const isAsked = (await tool.permission(input, { sessionId, signal })).behavior === 'ask'
      if (!isAsked && toolUseId !== undefined) unasked.add(toolUseId)
      return isAsked
    },
    run,
    async execute(input, call = {}) {
      const { toolUseId, signal } = call
      const about = { tool: name, input, toolUseId }
      try {
        const { behavior, message, told } = await session.authorize(about, { signal })
        if (behavior !== 'allow') throw new SkillsError('E_DENIED', message)
        const answer = await run(input, call)
        return [told, await session.used(about, answer.text, { signal })].reduce<ToolAnswer>(withText, answer)
      } catch (error) {
        if (isAbortError(error)) throw error
        const text = tells(messageOf(error))
        return { text, content: [{ type: 'text', text }], messages: [], isError: true }
      }
    },
  }
}

function withText(answer: ToolAnswer, more: string | undefined): ToolAnswer {
  if (more === undefined) return answer
  return { ...answer, text: `${answer.text}\n\n${more}`, content: [...answer.content, { type: 'text', text: more }] }
}

function isSame(one: Command, other: Command): boolean {
  const fileOf = (command: Command): string | undefined => (command.type === 'prompt' ? command.filePath : undefined)
  return one.name === other.name && one.source === other.source && fileOf(one) === fileOf(other)
}
