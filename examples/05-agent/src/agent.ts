import { decide, endSession, startSession, type AgentContext, type OnAsk, type Outcome } from '@skills/invocation'
import { messageOf, type Diagnostic, type Host } from '@skills/core'
import { skillReminder } from '@skills/skill-tool'
import { effortOptions, heardModel, modelFailure } from '@skills/runner-ai-sdk'
import * as ai from 'ai'
import type { ModelMessage, ToolSet } from 'ai'
import { contentOf, tools } from './tools.js'
import { forConversation } from './messages.js'
import { isLeft, objection, refusal } from './leave.js'
import { openEngine, type Engine } from './engine.js'
import type { Endpoint } from './endpoint.js'

export interface AgentOptions {
  readonly host: Partial<Host> & Pick<Host, 'cwd'>
  readonly endpoint: Endpoint
  readonly write: (text: string) => void
  readonly onAsk: OnAsk
  readonly onDiagnostic: (diagnostic: Diagnostic) => void
  /** Tokens of the model. */
  readonly contextWindow?: number
  readonly maxRetries?: number
}

interface Called {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
}

const system = 'You are an agent in a terminal. You work in one folder, with tools.'

/** One conversation: what the user types, what the model says, and the tools and skills in between. */
export class Agent {
  readonly #options: AgentOptions
  readonly #tools: ToolSet
  readonly #engine: Engine
  #messages: ModelMessage[] = []
  #context: AgentContext = {}
  #tokens = 0
  readonly #news: string[] = []

  private constructor(options: AgentOptions, engine: Engine, own: ToolSet) {
    this.#options = options
    this.#engine = engine
    this.#tools = own
    // What ran in the background is news for the next turn.
    engine.skills.hook('fork:ended', ({ isBackground, commandName, result, error }) => {
      if (isBackground) this.#news.push(`The skill "${commandName}" ended in the background: ${result ?? messageOf(error)}`)
    })
  }

  static async open(options: AgentOptions): Promise<Agent> {
    let agent: Agent | undefined
    const engine = await openEngine({ ...options, compact: async signal => await agent?.compact(signal) ?? '' })
    agent = new Agent(options, engine, tools(options.host.cwd))
    await startSession(engine.skills)
    return agent
  }

  get skills(): Engine['skills'] {
    return this.#engine.skills
  }

  /** A line of the user, to the end of all that follows from it. */
  async type(line: string, signal: AbortSignal): Promise<void> {
    const { skills, invoker } = this.#engine
    const { block, reason } = await decide(skills, 'UserPromptSubmit', { prompt: line }, { signal })
    if (block === true) return this.#options.write(`${reason ?? 'A hook blocks this.'}\n`)
    // What skills asked for ended with the turn before.
    this.#context = {}
    const outcomes = await invoker.run(line, { signal })
    const said: readonly ModelMessage[] = outcomes === undefined
      ? [{ role: 'user', content: [...this.#news.splice(0), line].join('\n\n') }]
      : outcomes.flatMap(outcome => this.#take(outcome))
    for (const { data } of outcomes ?? []) {
      const shown = data.status === 'forked' ? data['result'] ?? `"${data.commandName}" runs in the background.` : data['text']
      if (typeof shown === 'string') this.#options.write(`${shown}\n`)
    }
    this.#messages.push(...said)
    if (said.length > 0) await this.#answer(signal)
  }

  /** Has the model sum the conversation up, and goes on with that and with the skills that were at work. */
  async compact(signal: AbortSignal): Promise<string> {
    const { skills, invoked } = this.#engine
    if (this.#messages.length === 0) return 'There is nothing to shorten.'
    const { block, reason } = await decide(skills, 'PreCompact', {}, { signal })
    if (block === true) return reason ?? 'A hook blocks this.'
    skills.emit('compact:before', {})
    // Providers want the tools to be there that a conversation speaks of.
    const { text } = await this.#ask([...this.#messages, { role: 'user', content: 'Sum this conversation up in a few sentences, for yourself to go on with. Use no tool for it.' }], this.#shownTools(), () => {}, signal)
    if (text.trim() === '') return 'The model summed nothing up, so the conversation stays as it is.'
    const restored = invoked.restore()
    this.#messages = [`What happened so far: ${text}`, ...restored.map(({ name, content }) => `The skill "${name}" is at work:\n${content}`)].map(content => ({ role: 'user', content }))
    this.#tokens = 0
    skills.emit('compact:after', {})
    return `The conversation is shortened. Skills at work: ${restored.map(({ name }) => name).join(', ') || 'none'}.`
  }

  async close(): Promise<void> {
    await endSession(this.skills)
    await this.skills.close()
  }

  async #answer(signal: AbortSignal): Promise<void> {
    const { write, contextWindow = 200_000 } = this.#options
    for (;;) {
      if (this.#tokens > contextWindow * 0.8) write(`${await this.compact(signal)}\n`)
      const news = this.#engine.record.next(await this.#engine.port.listing({ contextWindow }, { signal }))
      if (news !== undefined) this.#messages.push(...forConversation([skillReminder(news)]))
      const { calls, messages } = await this.#ask(this.#messages, this.#shownTools(), write, signal)
      write('\n')
      const results: ModelMessage[] = []
      const followUps: ModelMessage[] = []
      // One after the other: each may be asked about, and change what the next may do.
      for (const call of calls) {
        const { text, isError, outcome } = await this.#use(call, signal)
        results.push({ role: 'tool', content: [{ type: 'tool-result', toolCallId: call.toolCallId, toolName: call.toolName, output: { type: isError ? 'error-text' : 'text', value: text } }] })
        if (outcome !== undefined) followUps.push(...this.#take(outcome))
      }
      // All at once: a call whose answer is missing, because the user stopped it, would be refused from then on.
      this.#messages.push(...messages, ...results, ...followUps)
      if (calls.length === 0) break
    }
    await decide(this.skills, 'Stop', {}, { signal })
  }

  /** One answer of the model. Rejects with its error, once. */
  async #ask(messages: readonly ModelMessage[], shown: ToolSet, write: (text: string) => void, signal: AbortSignal): Promise<{ readonly text: string; readonly calls: readonly Called[]; readonly messages: readonly ModelMessage[] }> {
    const { endpoint, maxRetries = 2, onDiagnostic } = this.#options
    const { maxOutputTokens } = endpoint
    const { options, effortValue } = this.#context
    const model = heardModel(ai, endpoint.modelFor(options?.mainLoopModel ?? endpoint.model), message => onDiagnostic({ severity: 'warning', type: 'source', code: 'model-warning', message }))
    const result = ai.streamText({
      model, system, messages: [...messages], tools: shown, abortSignal: signal, maxRetries, onError: () => {},
      ...maxOutputTokens !== undefined && { maxOutputTokens }, ...effortValue !== undefined && { providerOptions: effortOptions(effortValue) },
    })
    try {
      for await (const part of result.fullStream) {
        if (part.type === 'error') throw part.error
        if (part.type === 'text-delta') write(part.text)
      }
    } catch (error) {
      signal.throwIfAborted()
      throw modelFailure(model, error)
    }
    signal.throwIfAborted()
    this.#tokens = (await result.usage).inputTokens ?? this.#tokens
    const { messages: said } = await result.response
    // A call whose input does not fit is answered already.
    return { text: await result.text, calls: (await result.toolCalls).filter(call => call.invalid !== true), messages: said }
  }

  async #use({ toolName, toolCallId, input }: Called, signal: AbortSignal): Promise<{ readonly text: string; readonly isError: boolean; readonly outcome?: Outcome }> {
    const { tool: skill, skills } = this.#engine
    const { host: { cwd }, onAsk, write } = this.#options
    const content = contentOf(cwd, input)
    try {
      // A skill is asked about where it is carried out.
      const reason = await objection(skills, { tool: toolName, input }, signal)
        ?? (toolName === skill.name ? undefined : await refusal(skills, onAsk, { tool: toolName, content, context: this.#context }, signal))
      if (reason !== undefined) {
        write(`[${toolName} ${content}] no: ${reason}\n`)
        return { text: reason, isError: true }
      }
      write(`[${toolName} ${content}]\n`)
      if (toolName === skill.name) {
        const outcome = await skill.call(input, { toolUseId: toolCallId, signal })
        const { content: text, is_error: isError = false } = skill.toToolResult({ outcome }, toolCallId)
        return { text, isError, outcome }
      }
      skills.emit('tool:before', { toolName, toolInput: input, toolUseId: toolCallId })
      const result: unknown = await this.#tools[toolName]?.execute?.(input, { toolCallId, messages: [], abortSignal: signal })
      skills.emit('tool:after', { toolName, toolInput: input, toolUseId: toolCallId, toolResponse: result })
      await decide(skills, 'PostToolUse', { toolName, toolInput: input, toolResponse: result }, { signal })
      return { text: typeof result === 'string' ? result : JSON.stringify(result), isError: false }
    } catch (error) {
      signal.throwIfAborted()
      write(`[${toolName} ${content}] failed: ${messageOf(error)}\n`)
      return { text: messageOf(error), isError: true }
    }
  }

  /** Changes the agent as a skill asks for, and gives what the conversation gets of it. */
  #take({ newMessages, contextModifier }: Outcome): readonly ModelMessage[] {
    this.#context = contextModifier?.(this.#context) ?? this.#context
    return forConversation(newMessages)
  }

  #shownTools(): ToolSet {
    const { name, description, inputSchema } = this.#engine.tool
    const own = Object.entries(this.#tools).filter(([one]) => isLeft(one, this.#context)).map(([one, { description: about, inputSchema: schema }]) => [one, { description: about, inputSchema: schema }])
    return { ...Object.fromEntries(own), [name]: ai.tool({ description, inputSchema: ai.jsonSchema(inputSchema) }) }
  }
}
