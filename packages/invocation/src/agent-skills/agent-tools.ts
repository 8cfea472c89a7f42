import { abortError, isAbortError, messageOf, SkillsError, type Skills } from '@skills/core'
import { hookDecision } from '../hook-decision.js'
import { hookReminder } from '../hook-reminder.js'
import { decide } from '../hooks.js'
import { refOf } from '../session/lasting.js'
import { modelTools, type ModelTool, type ToolAnswer } from '../skill-tool/model-tools.js'
import { isOffered, toolLimitsOf } from '../tool-limits.js'
import type { OnAsk } from '../permission.js'
import type { Session } from '../session/session.js'
import type { EnginePort } from '../skill-tool/engine-port.js'
import type { JsonSchema } from '../skill-tool/schema.js'
import type { SkillToolOptions } from '../skill-tool/skill-tool.js'

/** What a call of a tool came to, for the model: all that it is to read, the text of a skill in it. */
export type AgentAnswer = Pick<ToolAnswer, 'content' | 'text' | 'isError'>

/** A call of one of the tools. */
export interface AgentCall {
  /** As the framework or the model names the call. */
  readonly toolUseId?: string | undefined
  /**
   * That the framework asks a person itself where `isAsked` says so, also in another process, and makes no call that
   * was not approved. It counts for this call alone, and for nothing that the skill asks besides.
   */
  readonly isApproved?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

/** A tool for a model, in the form that every framework can take. */
export interface AgentTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  /** Whether calling it changes nothing. */
  readonly isReadOnly: boolean
  /** Whether a person is to be asked about a call, for a framework that asks itself. Rejects with an `AbortError` alone. */
  isAsked(input: unknown, call?: AgentCall): Promise<boolean>
  /** What goes wrong is an answer for the model; rejects with an `AbortError` alone. */
  call(input: unknown, call?: AgentCall): Promise<AgentAnswer>
}

/** What the tools of a conversation are made of. */
export interface AgentToolParts {
  readonly skills: Skills
  readonly session: Session
  readonly port: EnginePort
  readonly options: SkillToolOptions | undefined
  readonly onAsk: OnAsk | undefined
}

/** The tools that run and find skills, in one conversation: its hooks are asked, and it is told what skills ask for. */
export async function agentTools(parts: AgentToolParts): Promise<readonly AgentTool[]> {
  // Every framework has a system prompt, and few have messages that a tool could add.
  const tools = await modelTools(parts.port, { tool: { ...parts.options, listingIn: 'system' } })
  return Promise.all(tools.map(tool => (tool.isReadOnly ? searching(tool) : running(tool, parts))))
}

/** Needs no permission: it shows what a listing may. */
async function searching(tool: ModelTool): Promise<AgentTool> {
  return {
    ...tool,
    description: await tool.describe(),
    isAsked: async () => false,
    call: (input, { signal } = {}) => tool.answer(input, { signal }),
  }
}

async function running(tool: ModelTool, { skills, session, onAsk }: AgentToolParts): Promise<AgentTool> {
  const { name: toolName } = tool
  const { key: sessionId } = session
  const unasked = new Set<string>()

  /** A yes to the skill that a call is about, and to nothing else that it may ask. */
  async function approving(input: unknown, signal: AbortSignal | undefined): Promise<OnAsk | undefined> {
    const { metadata } = await tool.permission(input, { sessionId, signal })
    if (metadata === undefined) return onAsk
    const skill = JSON.stringify(refOf(metadata.command))
    return question =>
      question.request.tool === 'Skill' && JSON.stringify(refOf(question.request.entry.command)) === skill
        ? 'allow'
        : (onAsk?.(question) ?? 'deny')
  }

  async function answer(input: unknown, { toolUseId = '', isApproved, signal }: AgentCall): Promise<AgentAnswer> {
    const event = { toolName, toolInput: input, toolUseId, sessionId }
    if (!isOffered(toolName, { without: toolLimitsOf(session.context).without }))
      throw new SkillsError('E_DENIED', `A skill that is at work does without ${toolName}.`)
    const before = await decide(skills, 'PreToolUse', event, { signal })
    const objection = hookDecision(toolName, before)
    if (objection !== undefined) throw new SkillsError('E_DENIED', objection.message)
    skills.emit('tool:before', event)
    const isAskedHere = isApproved !== true || unasked.delete(toolUseId)
    const { outcome, ...given } = await tool.answer(input, {
      toolUseId,
      sessionId,
      onAsk: isAskedHere ? onAsk : await approving(input, signal),
      signal,
    })
    if (signal?.aborted === true) throw abortError(signal)
    if (outcome !== undefined) session.take(outcome)
    const response = { ...event, toolResponse: given.text }
    skills.emit('tool:after', response)
    const after = await decide(skills, 'PostToolUse', response, { signal })
    return [hookReminder('PreToolUse', before, event), hookReminder('PostToolUse', after, event)].reduce<AgentAnswer>(
      (all, text) => (text === undefined ? all : withText(all, text)),
      given,
    )
  }

  return {
    ...tool,
    description: await tool.describe(),
    async isAsked(input, { toolUseId, signal } = {}) {
      const isAsked = (await tool.permission(input, { sessionId, signal })).behavior === 'ask'
      if (!isAsked && toolUseId !== undefined) unasked.add(toolUseId)
      return isAsked
    },
    async call(input, call = {}) {
      try {
        return await answer(input, call)
      } catch (error) {
        if (isAbortError(error)) throw error
        const text = messageOf(error)
        return { text, content: [{ type: 'text', text }], isError: true }
      }
    },
  }
}

const withText = ({ text, content, isError }: AgentAnswer, more: string): AgentAnswer => ({
  text: `${text}\n\n${more}`,
  content: [...content, { type: 'text', text: more }],
  isError,
})
