import { abortError, messageOf, SkillsError, withDeadline, type Skills } from '@skills/core'
import { decide, endSession, hookReminder, InvokedSkills, startSession, systemReminder, toolContent, type Outcome, type SessionCall } from '@skills/invocation'
import { forModel, ListingRecord, skillReminder } from '@skills/skill-tool'
import type { ModelMessage, ToolSet } from 'ai'
import { askModel } from './ask-model.js'
import { openParts, type ConversationParts } from './conversation-parts.js'
import { heardProgress } from './heard-progress.js'
import { modelMessages } from './model-messages.js'
import { TurnTools } from './turn-tools.js'
import type { Answer } from './one-answer.js'
import type { Compaction, ConversationOptions } from './conversation-options.js'

export interface SayOptions {
  readonly signal?: AbortSignal | undefined
}

const summaryRequest = 'Sum this conversation up in a few sentences, for yourself to go on with. Use no tool for it.'

/**
 * The main conversation of an agent: what the user says, what the model answers, and the tools and skills in between. It is a session of its
 * engine, which has one at a time. See docs/reference.md, "A conversation through the AI SDK".
 */
export class Conversation {
  readonly #skills: Skills
  readonly #options: ConversationOptions
  readonly #parts: ConversationParts
  readonly #record: ListingRecord
  readonly #invoked: InvokedSkills
  /** What the model is to be told with the next line of the user, such as what ran in the background. */
  readonly #news: string[] = []
  readonly #stopListening: () => void
  #messages: readonly ModelMessage[]
  /** That the model read last. */
  #tokens = 0
  #at: 'nothing' | 'commands' | 'model' = 'nothing'
  /** It outlives the line of a command that began it and was given up. */
  #isShortening = false

  private constructor(skills: Skills, options: ConversationOptions, parts: ConversationParts) {
    this.#skills = skills
    this.#options = options
    this.#parts = parts
    this.#messages = options.messages ?? []
    this.#record = new ListingRecord(skills)
    this.#invoked = new InvokedSkills(skills)
    this.#stopListening = skills.hook('fork:ended', ({ isBackground, commandName, result, error }) => {
      if (isBackground) this.#news.push(systemReminder(`The skill "${commandName}" ended in the background: ${result ?? messageOf(error)}`))
    })
  }

  /**
   * Begins a session. Rejects with `E_MISSING_PROVIDER` where the package `ai` is not installed, and as `startSession` does.
   * @param call.reason default: `resume` with messages of before, else `startup`
   */
  static async open(skills: Skills, options: ConversationOptions, { reason = options.messages === undefined ? 'startup' : 'resume', signal }: SessionCall = {}): Promise<Conversation> {
    const parts = await openParts(skills, options)
    const progress = heardProgress({ progress: options.progress, report: options.onDiagnostic, of: 'the conversation' })
    const verdict = await startSession(skills, { reason, signal })
    const conversation = new Conversation(skills, { ...options, progress }, parts)
    for (const text of verdict.messages ?? []) progress({ type: 'message', hookEvent: 'SessionStart', text })
    const told = hookReminder('SessionStart', verdict)
    if (told !== undefined) conversation.#news.push(told)
    return conversation
  }

  /** As the model has it. */
  get messages(): readonly ModelMessage[] {
    return this.#messages
  }

  /**
   * A line of the user, to the end of all that follows from it: the hooks of `UserPromptSubmit`, commands that it begins with, answers of the
   * model and its calls of tools, and the hooks of `Stop`. Rejects with `E_ALREADY_RUNNING` while it is at another line, with what an invocation
   * and the model reject with, and with an `AbortError`; the conversation goes on with the next line.
   */
  async say(line: string, { signal }: SayOptions = {}): Promise<void> {
    if (this.#at !== 'nothing' || this.#isShortening) throw busy()
    this.#at = 'commands'
    try {
      // Not every model, tool and person listens to a signal.
      await withDeadline(inner => this.#said(line, inner), { signals: [signal, this.#skills.signal] })
    } finally {
      this.#at = 'nothing'
      // What skills asked for ends with the line.
      this.#parts.agent.context = {}
    }
  }

  /**
   * Has the model sum the conversation up, which goes on with that and with the skills that were at work; the hooks of `PreCompact` may
   * refuse. Rejects as {@link Conversation.say} does; a command that the user typed may call it.
   */
  async compact({ signal }: SayOptions = {}): Promise<Compaction> {
    if (this.#at === 'model' || this.#isShortening) throw busy()
    this.#isShortening = true
    try {
      return await withDeadline(inner => this.#shorten('manual', inner), { signals: [signal, this.#skills.signal] })
    } finally {
      this.#isShortening = false
    }
  }

  /** Ends the session, as `endSession` does; the engine goes on, and may have another one. */
  async close({ reason, signal }: SessionCall = {}): Promise<void> {
    this.#stopListening()
    this.#invoked.stop()
    await endSession(this.#skills, { ...reason !== undefined && { reason }, signal })
  }

  async #said(line: string, signal: AbortSignal): Promise<void> {
    const { progress, closeMs = 2000 } = this.#options
    const skills = this.#skills
    const turn = await this.#turn(signal)
    const verdict = await decide(skills, 'UserPromptSubmit', { prompt: line }, { signal })
    const told = turn.heed('UserPromptSubmit', verdict)
    if (verdict.block === true || turn.end !== undefined) return progress({ type: 'blocked', hookEvent: 'UserPromptSubmit', message: verdict.reason ?? 'A hook blocks this.' })
    const outcomes = await this.#parts.invoker.run(line, { signal })
    // The next line may have begun already.
    if (signal.aborted) throw abortError(signal)
    for (const outcome of outcomes ?? []) progress({ type: 'outcome', outcome })
    const said = outcomes?.flatMap(outcome => this.#take(outcome))
    if (said?.length === 0) return
    const news = this.#news.splice(0)
    this.#add(...said === undefined ? [userMessages([...news, line].join('\n\n'))] : [userMessages(...news), said], userMessages(told))
    this.#at = 'model'
    try {
      await withDeadline(() => this.#answered(turn, signal), { signals: [signal] })
    } finally {
      // The user need not wait for it.
      await turn.ended(skills.host.clock, closeMs)
    }
  }

  async #answered(turn: TurnTools, signal: AbortSignal): Promise<void> {
    const { progress, onDiagnostic, contextWindow, compactAt = 0.8, maxContinuations = 8 } = this.#options
    for (let steps = 1, continuations = 0; ; steps++) {
      if (this.#tokens > (contextWindow ?? Infinity) * compactAt) progress({ type: 'compacted', compaction: await this.#shorten('auto', signal) })
      await this.#remind(signal)
      const { calls, messages, text: answer } = await this.#ask(this.#messages, await turn.shown(contextWindow), signal, text => progress({ type: 'text', text }))
      progress({ type: 'step', steps })
      const { results, followUps } = await turn.use(calls, this.#messages)
      // All at once: a call whose answer is missing, because the user stopped it, would be refused from then on.
      this.#add(messages, results, followUps)
      if (turn.end !== undefined) return progress({ type: 'blocked', ...turn.end })
      if (calls.length > 0) continue
      const verdict = await decide(this.#skills, 'Stop', { message: answer, stopHookActive: continuations > 0 }, { signal })
      const told = turn.heed('Stop', verdict)
      const { block, reason = 'A hook does not let you stop.' } = verdict
      if (block !== true || turn.end !== undefined) return
      // Not the other way round: without a number there must be an end as well.
      if (!(continuations < maxContinuations)) {
        const message = `A hook was against the end of the conversation's answer, which stands since hooks had it go on ${maxContinuations} times before: ${reason}`
        return onDiagnostic({ severity: 'warning', type: 'source', code: 'stop-blocked', message, hint: 'Have the hook let it stop where stop_hook_active is true, or give maxContinuations a higher value.' })
      }
      continuations += 1
      this.#add(userMessages(reason, told))
    }
  }

  async #turn(signal: AbortSignal): Promise<TurnTools> {
    const { tools = {}, onAsk, contentOf = toolContent, progress, onDiagnostic: report } = this.#options
    const { ai, skillTool, agent } = this.#parts
    return new TurnTools({
      ai, skills: this.#skills, skillTool, own: typeof tools === 'function' ? await tools() : tools, context: () => agent.context, onAsk, contentOf, progress, report, signal,
      take: outcome => this.#take(outcome),
    })
  }

  async #shorten(reason: 'manual' | 'auto', signal: AbortSignal): Promise<Compaction> {
    if (this.#messages.length === 0) return { refusal: 'There is nothing to shorten.' }
    const { block, reason: refusal = 'A hook blocks this.' } = await decide(this.#skills, 'PreCompact', { reason }, { signal })
    if (block === true) return { refusal }
    this.#skills.emit('compact:before', { reason })
    // Providers want the tools to be there that a conversation speaks of.
    const turn = await this.#turn(signal)
    const { text } = await this.#ask([...this.#messages, { role: 'user', content: summaryRequest }], await turn.shown(this.#options.contextWindow), signal, () => {})
    if (text.trim() === '') return { refusal: 'The model summed nothing up, so the conversation stays as it is.' }
    const restored = this.#invoked.restore()
    this.#messages = userMessages(`What happened so far: ${text}`, ...restored.map(({ name, content }) => `The skill "${name}" is at work:\n${content}`))
    this.#tokens = 0
    this.#skills.emit('compact:after', {})
    return { skills: restored.map(({ name }) => name) }
  }

  /** Tells the model of the skills that it does not know of yet, where it is told in messages. */
  async #remind(signal: AbortSignal): Promise<void> {
    const { distribution: { tool: { listingIn = 'reminder' } = {} } = {}, contextWindow } = this.#options
    if (listingIn !== 'reminder') return
    const news = this.#record.next(await this.#parts.port.listing({ contextWindow }, { signal }))
    if (news !== undefined) this.#add(modelMessages([skillReminder(news, { toolName: this.#parts.skillTool.name })]))
  }

  async #ask(messages: readonly ModelMessage[], tools: ToolSet, signal: AbortSignal, onText: (text: string) => void): Promise<Answer> {
    const answer = await askModel({ ...this.#parts, clock: this.#skills.host.clock, options: this.#options, context: this.#parts.agent.context, messages, tools, onText }, signal)
    // It may have been given up with the last of its parts, and the next line have begun.
    if (signal.aborted) throw abortError(signal)
    this.#tokens = answer.inputTokens ?? this.#tokens
    return answer
  }

  /** Changes the agent as a skill asks for, and gives what the conversation gets of it. */
  #take({ newMessages, contextModifier }: Outcome): readonly ModelMessage[] {
    this.#parts.agent.context = contextModifier?.(this.#parts.agent.context) ?? this.#parts.agent.context
    return modelMessages(forModel(newMessages, undefined))
  }

  #add(...more: readonly (readonly ModelMessage[])[]): void {
    this.#messages = [...this.#messages, ...more.flat()]
  }
}

function userMessages(...texts: readonly (string | undefined)[]): readonly ModelMessage[] {
  return texts.flatMap(content => content === undefined ? [] : [{ role: 'user', content }])
}

function busy(): SkillsError {
  return new SkillsError('E_ALREADY_RUNNING', 'The conversation is at work already.', { hint: 'Wait for it to end, or abort it.' })
}
