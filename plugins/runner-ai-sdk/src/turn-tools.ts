import { abortError, messageOf, type Clock, type Diagnostic, type Skills } from '@skills/core'
import {
  askPermission,
  decide,
  hookDecision,
  hookReminder,
  isOffered,
  toolLimitsOf,
  type HookPayload,
  type HookVerdict,
  type OnAsk,
  type Outcome,
  type PermissionDecision,
  type Session,
  type SkillHookEvent,
  type ToolCall,
  type ToolLimits,
} from '@skills/invocation'
import type { SearchTool, SkillTool } from '@skills/invocation/skill-tool'
import type { ModelMessage, Tool, ToolModelMessage, ToolSet } from 'ai'
import { ToolCalls } from './tool-calls.js'
import type { AiLibrary } from './ai-library.js'
import type { ConversationProgress } from './conversation-options.js'
import type { WantedCall } from './one-answer.js'

export interface TurnToolsOptions {
  readonly ai: Pick<AiLibrary, 'tool' | 'jsonSchema'>
  readonly skills: Skills
  readonly skillTool: SkillTool
  readonly own: ToolSet
  readonly session: Session
  readonly onAsk: OnAsk | undefined
  readonly contentOf: (tool: string, input: unknown) => string
  readonly progress: (event: ConversationProgress) => void
  readonly report: (diagnostic: Diagnostic) => void
  /** Of the turn: once it aborts no call begins. */
  readonly signal: AbortSignal
  /** What the conversation gets of a skill that was run. */
  readonly take: (outcome: Outcome) => readonly ModelMessage[]
}

/** What the calls of one answer came to. */
export interface Results {
  /** An answer to each call. */
  readonly results: readonly ModelMessage[]
  /** What skills and hooks have for the model besides, which has to stand behind all answers. */
  readonly followUps: readonly ModelMessage[]
}

type Output = ToolModelMessage['content'][number] & { readonly type: 'tool-result' }

/**
 * The tools of the main conversation, from a line of the user to the end of what follows from it: the host's own, and
 * the Skill tool.
 */
export class TurnTools {
  readonly #options: TurnToolsOptions
  readonly #calls: ToolCalls
  /** As the model was shown them: what a skill does away with meanwhile is refused by name. */
  #offered: ToolSet = {}
  #followUps: ModelMessage[] = []
  #refused: string | undefined
  #search: string | undefined
  /** The hook that wants the agent to end, and its reason. */
  #end: { readonly hookEvent: SkillHookEvent; readonly message: string } | undefined

  constructor(options: TurnToolsOptions) {
    this.#options = options
    const { progress, contentOf, signal, report } = options
    const limits = (): ToolLimits => this.#limits
    this.#calls = new ToolCalls({
      tracers: options.skills.use('tracer'),
      request: {
        agentId: 'conversation',
        get tools() {
          return limits()
        },
        authorize: call => this.#authorize(call),
        used: (call, result) => this.#used(call, result),
      },
      progress: event => progress(event),
      contentOf,
      signal,
      report: diagnostic => report(diagnostic),
      say: text => void this.#followUps.push({ role: 'user', content: text }),
    })
  }

  /** The hook that wants the agent to end, and its reason. */
  get end(): { readonly hookEvent: SkillHookEvent; readonly message: string } | undefined {
    return this.#end
  }

  /**
   * What the model is shown: the tools that the skills at work leave it, none of which it can call by itself.
   * @param search where a listing left skills out; a tool of the host that is called so comes before it
   */
  async shown(contextWindow: number | undefined, search?: SearchTool): Promise<ToolSet> {
    const { skillTool, own, signal } = this.#options
    const description = await skillTool.describe({ contextWindow, signal })
    this.#search = search !== undefined && !Object.hasOwn(own, search.name) ? search.name : undefined
    this.#offered = this.#calls.guard({
      ...(search && { [search.name]: this.#searchTool(search) }),
      ...own,
      [skillTool.name]: this.#skillTool(description),
    })
    const tools: ToolSet = {}
    for (const [name, tool] of Object.entries(this.#offered)) {
      const shown = { ...tool }
      delete shown.execute
      tools[name] = shown
    }
    return tools
  }

  /** Makes the calls of one answer, one after the other: each may be asked about, and change what the next may do. */
  async use(calls: readonly WantedCall[], messages: readonly ModelMessage[]): Promise<Results> {
    const { signal } = this.#options
    this.#followUps = []
    const content: Output[] = []
    for (const { toolCallId, toolName, input } of calls) {
      const tool = Object.hasOwn(this.#offered, toolName) ? this.#offered[toolName] : undefined
      const output =
        tool === undefined
          ? { type: 'error-text' as const, value: `There is no tool "${toolName}".` }
          : await this.#output(tool, { toolCallId, toolName, input }, messages)
      if (signal.aborted) throw abortError(signal)
      content.push({ type: 'tool-result', toolCallId, toolName, output })
    }
    return { results: content.length === 0 ? [] : [{ role: 'tool', content }], followUps: this.#followUps }
  }

  /** Tells the user what hooks have for them, and gives what they have for the model. */
  heed(event: SkillHookEvent, verdict: HookVerdict, payload: Pick<HookPayload, 'toolName'> = {}): string | undefined {
    const { messages = [], stop = false, reason = 'A hook ends it.' } = verdict
    for (const message of messages) this.#options.progress({ type: 'message', hookEvent: event, text: message })
    if (stop) this.#end ??= { hookEvent: event, message: reason }
    return hookReminder(event, verdict, payload)
  }

  /** Waits for the calls that still run, and says which do not end in time. */
  ended(clock: Clock, ms: number): Promise<void> {
    return this.#calls.ended(clock, ms)
  }

  /** A skill that may use nothing but some tools may invoke others: each of those has its own. */
  get #limits(): ToolLimits {
    const {
      session,
      skillTool: { name },
    } = this.#options
    const { only, without } = toolLimitsOf(session.context)
    return { ...(only !== undefined && { only: [...only, name] }), without }
  }

  #skillTool(description: string): Tool {
    const { ai, skillTool, signal, take } = this.#options
    return ai.tool({
      description,
      inputSchema: ai.jsonSchema(skillTool.inputSchema),
      execute: async (input: unknown, { toolCallId, abortSignal }) => {
        const ended = await skillTool.call(input, { toolUseId: toolCallId, signal: abortSignal }).then(
          outcome => ({ outcome }),
          (error: unknown) => ({ error }),
        )
        // What it allows ends with the line, and the next one may have begun.
        if (signal.aborted) throw abortError(signal)
        if ('outcome' in ended) this.#followUps.push(...take(ended.outcome))
        const { content, is_error: isError = false } = skillTool.toToolResult(ended, toolCallId)
        // What is thrown here is what the model reads.
        if (isError) throw new Error(content, 'error' in ended ? { cause: ended.error } : undefined)
        return content
      },
    })
  }

  #searchTool(search: SearchTool): Tool {
    const { ai, signal } = this.#options
    return ai.tool({
      description: search.description,
      inputSchema: ai.jsonSchema(search.inputSchema),
      execute: async (input: unknown, { toolCallId }) =>
        search.toToolResult({ outcome: await search.call(input, { signal }) }, toolCallId).content,
    })
  }

  async #authorize(call: ToolCall): Promise<PermissionDecision> {
    const { skills, skillTool, onAsk, signal, progress, session } = this.#options
    const sessionId = session.key
    const { tool, content, input, toolUseId } = call
    // A skill is asked about when it is invoked. A search shows what a listing may, so that only a rule is against it.
    const { verdict, ...decision } =
      tool === skillTool.name
        ? await this.#skillDecision(call)
        : await askPermission(
            skills,
            { ...call, sessionId },
            { onAsk: tool === this.#search ? () => 'allow' : onAsk, context: session.context, signal },
          )
    const told = verdict && this.heed('PreToolUse', verdict, { toolName: tool })
    if (told !== undefined) this.#followUps.push({ role: 'user', content: told })
    const { behavior, message } = decision
    if (behavior === 'allow') skills.emit('tool:before', { toolName: tool, toolInput: input, toolUseId, sessionId })
    else {
      this.#refused = message
      progress({ type: 'refused', tool, content, message })
    }
    return decision
  }

  async #skillDecision({
    tool,
    input,
    toolUseId,
  }: ToolCall): Promise<PermissionDecision & { readonly verdict?: HookVerdict }> {
    const {
      skills,
      signal,
      session: { key: sessionId },
    } = this.#options
    if (!isOffered(tool, this.#limits))
      return {
        behavior: 'deny',
        message: `A skill that is at work does without ${tool}.`,
        decisionReason: { type: 'rule', rule: tool },
      }
    const verdict = await decide(
      skills,
      'PreToolUse',
      { toolName: tool, toolInput: input, toolUseId, sessionId },
      { signal },
    )
    const objection = hookDecision(tool, verdict)
    if (objection !== undefined) return { ...objection, behavior: 'deny', verdict }
    return {
      behavior: 'allow',
      message: 'It is asked about where it is run.',
      decisionReason: { type: 'default' },
      verdict,
    }
  }

  async #used({ tool, input, toolUseId }: ToolCall, result: unknown): Promise<string | undefined> {
    const { skills, signal, session } = this.#options
    const told = { toolName: tool, toolInput: input, toolUseId, toolResponse: result, sessionId: session.key }
    skills.emit('tool:after', told)
    return this.heed('PostToolUse', await decide(skills, 'PostToolUse', told, { signal }), { toolName: tool })
  }

  async #output(
    tool: ToolSet[string],
    { toolCallId, toolName, input }: WantedCall,
    messages: readonly ModelMessage[],
  ): Promise<Output['output']> {
    const { signal, progress, contentOf } = this.#options
    this.#refused = undefined
    try {
      const result: unknown = await tool.execute?.(input, { toolCallId, messages: [...messages], abortSignal: signal })
      if (tool.toModelOutput !== undefined) return await tool.toModelOutput({ toolCallId, input, output: result })
      return { type: 'text', value: typeof result === 'string' ? result : (JSON.stringify(result) ?? '') }
    } catch (error) {
      if (signal.aborted) throw abortError(signal)
      const message = messageOf(error)
      if (this.#refused === undefined)
        progress({ type: 'failed', tool: toolName, content: contentOf(toolName, input), message })
      return { type: 'error-text', value: message }
    }
  }
}
