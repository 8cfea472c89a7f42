import { abortError, messageOf, type Clock, type Diagnostic, type KindAccess } from '@skills/core'
import type { AgentSession } from '@skills/host/session'
import type { SessionTool } from '@skills/host/internal'
import type { Tracer } from '@skills/invocation'
import type { ModelMessage, Tool, ToolModelMessage, ToolSet } from 'ai'
import { modelMessages } from './model-messages.js'
import { ToolCalls } from './tool-calls.js'
import type { AiLibrary } from './ai-library.js'
import type { ConversationProgress } from './conversation-options.js'
import type { WantedCall } from './one-answer.js'

export interface TurnToolsOptions {
  readonly ai: Pick<AiLibrary, 'tool' | 'jsonSchema'>
  readonly session: AgentSession
  readonly tracers: KindAccess<Tracer>
  readonly own: ToolSet
  readonly contentOf: (tool: string, input: unknown) => string
  readonly progress: (event: ConversationProgress) => void
  readonly report: (diagnostic: Diagnostic) => void
  /** Signal of the turn. After it aborts, no call begins. */
  readonly signal: AbortSignal
}

/** Results of the calls of one answer. */
export interface Results {
  /** One result for each call. */
  readonly results: readonly ModelMessage[]
  /** Further messages of skills and hooks for the model, which have to follow all results. */
  readonly followUps: readonly ModelMessage[]
}

type Output = ToolModelMessage['content'][number] & { readonly type: 'tool-result' }

/**
 * Tools of a conversation for one line of the user and the answers to it: the host's own tools, and the tools of the
 * session.
 */
export class TurnTools {
  readonly #options: TurnToolsOptions
  readonly #calls: ToolCalls
  /** Tools as the model was shown them. A tool that a skill disables meanwhile is refused by name. */
  #offered: ToolSet = {}
  #followUps: ModelMessage[] = []
  #isRefused = false

  constructor(options: TurnToolsOptions) {
    this.#options = options
    const { session, tracers, progress, contentOf, signal, report } = options
    this.#calls = new ToolCalls({
      tracers,
      request: {
        agentId: 'conversation',
        get tools() {
          return session.limits
        },
        authorize: async call => {
          const { told, ...decision } = await session.authorize(call, { signal })
          if (told !== undefined) this.#say(told)
          this.#isRefused = decision.behavior !== 'allow'
          return decision
        },
        used: (call, result) => session.used(call, result, { signal }),
      },
      progress,
      contentOf,
      signal,
      report,
      say: text => this.#say(text),
    })
  }

  /** Returns the tools to show to the model: those that the active skills allow, without `execute`. */
  async shown(): Promise<ToolSet> {
    const { session, own, signal } = this.#options
    const [runs, ...searches] = await Promise.all(
      session
        .tools()
        .filter(({ name }) => session.offers(name))
        .map(async one => [one.name, this.#skillTool(one, await one.describe({ signal }))] as const),
    )
    // A tool of the host with the name of the search replaces it.
    this.#offered = this.#calls.guard({ ...Object.fromEntries(searches), ...own, ...(runs && { [runs[0]]: runs[1] }) })
    const tools: ToolSet = {}
    for (const [name, tool] of Object.entries(this.#offered)) {
      const shown = { ...tool }
      delete shown.execute
      tools[name] = shown
    }
    return tools
  }

  /**
   * Makes the calls of one answer one after the other, because each may ask, and may change what the next one may do.
   */
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

  /** Waits for running calls, and reports those that do not end in time. */
  ended(clock: Clock, ms: number): Promise<void> {
    return this.#calls.ended(clock, ms)
  }

  #say(text: string): void {
    this.#followUps.push({ role: 'user', content: text })
  }

  #skillTool({ inputSchema, run }: SessionTool, description: string): Tool {
    const { ai } = this.#options
    return ai.tool({
      description,
      inputSchema: ai.jsonSchema(inputSchema),
      execute: async (input: unknown, { toolCallId, abortSignal }) => {
        const { text, isError, messages } = await run(input, { toolUseId: toolCallId, signal: abortSignal })
        this.#followUps.push(...modelMessages(messages))
        // The model reads the message of a thrown error.
        if (isError) throw new Error(text)
        return text
      },
    })
  }

  async #output(
    tool: ToolSet[string],
    { toolCallId, toolName, input }: WantedCall,
    messages: readonly ModelMessage[],
  ): Promise<Output['output']> {
    const { signal, progress, contentOf } = this.#options
    this.#isRefused = false
    try {
      const result: unknown = await tool.execute?.(input, { toolCallId, messages: [...messages], abortSignal: signal })
      if (tool.toModelOutput !== undefined) return await tool.toModelOutput({ toolCallId, input, output: result })
      return { type: 'text', value: typeof result === 'string' ? result : (JSON.stringify(result) ?? '') }
    } catch (error) {
      if (signal.aborted) throw abortError(signal)
      const message = messageOf(error)
      if (!this.#isRefused) progress({ type: 'failed', tool: toolName, content: contentOf(toolName, input), message })
      return { type: 'error-text', value: message }
    }
  }
}
