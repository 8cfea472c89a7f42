import { abortError, isAbortError, messageOf, SkillsError, type Command } from '@skills/core'
import type { OnAsk } from '@skills/rules'
import type { Session } from '@skills/invocation'
import type { JsonSchema, ModelTool } from '@skills/invocation/skill-tool'
import type { ToolAnswer } from '@skills/invocation/internal'
import type { HostCall, SessionCall, SessionDecision } from './session-options.js'

/** A call of one of the tools. */
export interface SkillCall extends SessionCall {
  /** As the framework or the model names the call. */
  readonly toolUseId?: string | undefined
  /**
   * That the framework asks a person itself where `isAsked` says so, also in another process, and makes no call that
   * was not approved. It counts for this call alone, and for nothing that the skill asks besides.
   */
  readonly isApproved?: boolean | undefined
}

/** A tool for a model, in the form that every framework can take. */
export interface SessionTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  /** True if a call changes nothing. */
  readonly isReadOnly: boolean
  /** The description with the listing, where that is its place. Rejects as the listing does. */
  describe(call?: SessionCall): Promise<string>
  /** Says whether a person must be asked about a call, for a framework that asks itself. Rejects only with an `AbortError`. */
  isAsked(input: unknown, call?: SkillCall): Promise<boolean>
  /**
   * One call, with the hooks before and after it. What goes wrong is an answer for the model; rejects with an
   * `AbortError` alone.
   */
  execute(input: unknown, call?: SkillCall): Promise<ToolAnswer>
  /** As `execute`, for a loop that asks `authorize` of the session before each call and tells it `used` after. */
  run(input: unknown, call?: SkillCall): Promise<ToolAnswer>
}

/** Parts of a tool of a session. */
export interface ToolSetting {
  readonly session: {
    authorize(call: HostCall, options: SessionCall): Promise<SessionDecision>
    used(call: HostCall, response: unknown, options: SessionCall): Promise<string | undefined>
  }
  readonly of: Session
  /** Asked in place of the invoker's own, so that a yes holds for the call alone: other people may share the engine. */
  readonly onAsk: OnAsk | undefined
  readonly contextWindow: number | undefined
}

/** A tool that runs or finds skills, in one conversation: its hooks are asked, and it is told what skills ask for. */
export function sessionTool(tool: ModelTool, { session, of, onAsk, contextWindow }: ToolSetting): SessionTool {
  const { name, description, inputSchema, isReadOnly } = tool
  const { key: sessionId } = of
  const unasked = new Set<string>()

  /** A yes to the skill that a call is about, and to nothing else that it may ask. */
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
    // What it allows ends with the line, and the next one may have begun.
    if (signal?.aborted === true) throw abortError(signal)
    if (answer.outcome !== undefined) of.take(answer.outcome)
    return answer
  }

  return {
    name,
    description,
    inputSchema,
    isReadOnly,
    describe: ({ signal } = {}) => tool.describe({ contextWindow, signal }),
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
        const text = messageOf(error)
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
