import { abortError, checkOptions, messageOf, SkillsError, withDeadline, type Skills } from '@skills/core'
import {
  decide,
  endSession,
  hookReminder,
  Session,
  startSession,
  systemReminder,
  toolContent,
  traced,
  type HookPayload,
  type HookVerdict,
  type Outcome,
  type SessionCall,
  type SkillHookEvent,
} from '@skills/invocation'
import {
  forModel,
  ListingRecord,
  searchTool,
  searchToolName,
  skillReminder,
  type SearchTool,
} from '@skills/invocation/skill-tool'
import type { ModelMessage, ToolSet } from 'ai'
import { askModel } from './ask-model.js'
import { RunReports } from './run-reports.js'
import { readState, type ConversationState, type KeptState } from './conversation-state.js'
import { openParts, type ConversationParts } from './conversation-parts.js'
import { forkProgress } from './fork-progress.js'
import { heardProgress } from './heard-progress.js'
import { modelMessages } from './model-messages.js'
import { TurnTools } from './turn-tools.js'
import type { Answer } from './one-answer.js'
import type { Compaction, ConversationOptions } from './conversation-options.js'

export interface SayOptions {
  readonly signal?: AbortSignal | undefined
}

const onlyMessages =
  'The conversation was opened from its messages alone: which skills are at work, their hooks and which skills the model was told of is lost.'
const summaryRequest = 'Sum this conversation up in a few sentences, for yourself to go on with. Use no tool for it.'

/**
 * The main conversation of an agent: what the user says, what the model answers, and the tools and skills in between.
 * It is a session of its engine, which has any number. See
 * docs/reference/ai-sdk.md, "A conversation through the AI SDK".
 */
export class Conversation {
  readonly #skills: Skills
  readonly #options: ConversationOptions
  readonly #parts: ConversationParts
  readonly #record: ListingRecord
  readonly #session: Session
  /** What the model is to be told with the next line of the user, such as what ran in the background. */
  readonly #news: string[] = []
  readonly #stops: readonly (() => void)[]
  #messages: readonly ModelMessage[]
  /** There since a listing left skills out and named it. */
  #search: SearchTool | undefined
  /** That the model read last. */
  #tokens = 0
  #at: 'nothing' | 'commands' | 'model' = 'nothing'
  /** It outlives the line of a command that began it and was given up. */
  #isShortening = false
  #isGone = false
  /** Undefined in an engine that keeps no runs. */
  #reports: RunReports | undefined

  private constructor(
    skills: Skills,
    options: ConversationOptions,
    parts: ConversationParts,
    kept: KeptState | undefined,
  ) {
    this.#skills = skills
    this.#options = options
    this.#parts = parts
    this.#session = parts.session
    this.#messages = options.messages ?? kept?.messages ?? []
    this.#news.push(...(kept?.news ?? []))
    this.#tokens = kept?.tokens ?? 0
    this.#record = new ListingRecord(skills, parts.session)
    const { key } = parts.session
    const stop = skills.hook('fork:ended', ({ agentId, isBackground, commandName, result, error, sessionId }) => {
      if (sessionId === key && this.#reports?.add(agentId) !== false && isBackground)
        this.#news.push(
          systemReminder(`The skill "${commandName}" ended in the background: ${result ?? messageOf(error)}`),
        )
    })
    this.#stops = [stop, forkProgress(skills, key, options.progress), () => this.#record.stop()]
  }

  /**
   * Begins a session, or goes on with one that was kept. Rejects with `E_MISSING_PROVIDER` where the package `ai` is
   * not installed, with `E_ALREADY_RUNNING` for the id of a session that is open, and as `startSession` does.
   * @param call.reason default: `resume` with messages alone, else `startup`; with `state` no hook is told, unless a
   *   reason is given
   */
  static async open(
    skills: Skills,
    options: ConversationOptions,
    { reason, signal }: SessionCall = {},
  ): Promise<Conversation> {
    checkOptions<ConversationOptions>('Conversation.open()', options, {
      model: 1,
      modelFor: 1,
      tools: 1,
      system: 1,
      effortFor: 1,
      contextWindow: 1,
      compactAt: 1,
      maxContinuations: 1,
      onAsk: 1,
      progress: 1,
      onDiagnostic: 1,
      distribution: 1,
      messages: 1,
      contentOf: 1,
      maxRetries: 1,
      maxOutputTokens: 1,
      idleMs: 1,
      maxAnswerChars: 1,
      closeMs: 1,
      onUntrusted: 1,
      state: 1,
      sessionId: 1,
      effort: 1,
    })
    const { messages, state, effort, onDiagnostic } = options
    const kept = state === undefined ? undefined : readState(state)
    const session = Session.open(skills, { id: options.sessionId ?? kept?.id, effort })
    try {
      const parts = await openParts(skills, session, options)
      const progress = heardProgress({ progress: options.progress, report: onDiagnostic, of: 'the conversation' })
      const lost = [
        ...(kept?.lost ?? []),
        ...(kept?.session === undefined
          ? []
          : (await session.restore(kept.session, { signal })).flatMap(({ what, message }) =>
              // What became of them is told, or they go on.
              what === 'forks' && skills.use('runs').ids.length > 0 ? [] : message,
            )),
      ]
      if (kept === undefined && messages !== undefined && messages.length > 0) lost.push(onlyMessages)
      for (const message of lost)
        onDiagnostic({
          severity: 'warning',
          type: 'validation',
          code: 'session-lost',
          message,
          hint: 'Keep state() of a conversation, and give it to open().',
        })
      const verdict =
        kept !== undefined && reason === undefined
          ? {}
          : await startSession(skills, {
              reason: reason ?? (messages === undefined ? 'startup' : 'resume'),
              sessionId: session.key,
              signal,
            })
      const conversation = new Conversation(skills, { ...options, progress }, parts, kept)
      for (const text of verdict.messages ?? []) progress({ type: 'message', hookEvent: 'SessionStart', text })
      const told = hookReminder('SessionStart', verdict)
      if (told !== undefined) conversation.#news.push(told)
      conversation.#reports = await RunReports.open(skills, {
        session,
        kept: kept?.reports ?? [],
        invoker: { ...options.distribution?.invoker, onAsk: options.onAsk, onUntrusted: options.onUntrusted },
        tell: text => void conversation.#news.push(systemReminder(text)),
        report: onDiagnostic,
      })
      return conversation
    } catch (error) {
      await session.close()
      throw error
    }
  }

  /** Its session's id. */
  get sessionId(): string {
    return this.#session.id
  }

  /** As the model has it. */
  get messages(): readonly ModelMessage[] {
    return this.#messages
  }

  /**
   * A line of the user, to the end of all that follows from it: the hooks of `UserPromptSubmit`, commands that it
   * begins with, answers of the model and its calls of tools, and the hooks of `Stop`. Rejects with `E_ALREADY_RUNNING`
   * while it is at another line, with what an invocation and the model reject with, with `E_CLOSED` once it was closed
   * or suspended, and with an `AbortError`; the conversation goes on with the next line.
   */
  async say(line: string, { signal }: SayOptions = {}): Promise<void> {
    this.#throwIfGone()
    if (this.#at !== 'nothing' || this.#isShortening) throw busy()
    this.#at = 'commands'
    try {
      // Not every model, tool and person listens to a signal.
      await traced(
        this.#skills.use('tracer'),
        'invoke_agent',
        'conversation',
        () => ({ agentType: 'conversation', session: this.sessionId, input: line }),
        () => withDeadline(inner => this.#said(line, inner), { signals: [signal, this.#skills.signal] }),
      )
    } finally {
      this.#at = 'nothing'
      this.#session.endTurn()
    }
  }

  /**
   * Has the model sum the conversation up, which goes on with that and with the skills that were at work; the hooks of
   * `PreCompact` may refuse. Rejects as {@link Conversation.say} does; a command that the user typed may call it.
   */
  async compact({ signal }: SayOptions = {}): Promise<Compaction> {
    this.#throwIfGone()
    if (this.#at === 'model' || this.#isShortening) throw busy()
    this.#isShortening = true
    try {
      return await withDeadline(inner => this.#shorten('manual', inner), { signals: [signal, this.#skills.signal] })
    } finally {
      this.#isShortening = false
    }
  }

  /** All of it, between two lines, to be kept as JSON. Rejects with `E_ALREADY_RUNNING` while it is at a line. */
  async state(): Promise<ConversationState> {
    this.#throwIfGone()
    if (this.#at !== 'nothing' || this.#isShortening) throw busy()
    return {
      version: 1,
      session: await this.#session.value(),
      messages: this.#messages,
      news: [...this.#news],
      tokens: this.#tokens,
      ...(this.#reports && { reports: this.#reports.ids }),
    }
  }

  /**
   * Gives up this object and not the conversation: gives its state, and tells no hook of an end. Rejects as {@link
   * Conversation.state} does.
   */
  async suspend(): Promise<ConversationState> {
    const state = await this.state()
    await this.#letGo()
    return state
  }

  /** Ends the session, as `endSession` does; the engine goes on, with its other sessions. */
  async close({ reason, signal }: Omit<SessionCall, 'sessionId'> = {}): Promise<void> {
    if (this.#isGone) return
    try {
      await endSession(this.#skills, { ...(reason !== undefined && { reason }), sessionId: this.#session.key, signal })
      await this.#reports?.close()
    } finally {
      await this.#letGo()
    }
  }

  /** Its hooks are gone with its session, and nothing may go on without them. */
  #throwIfGone(): void {
    if (this.#isGone)
      throw new SkillsError('E_CLOSED', 'The conversation was closed or suspended.', {
        hint: 'Open it again with Conversation.open() and its state.',
      })
  }

  async #letGo(): Promise<void> {
    this.#isGone = true
    for (const stop of this.#stops) stop()
    await this.#session.close()
  }

  #decide(event: SkillHookEvent, payload: HookPayload, signal: AbortSignal): Promise<HookVerdict> {
    return decide(this.#skills, event, { ...payload, sessionId: this.#session.key }, { signal })
  }

  async #said(line: string, signal: AbortSignal): Promise<void> {
    const { progress, closeMs = 2000 } = this.#options
    const skills = this.#skills
    const turn = await this.#turn(signal)
    const verdict = await this.#decide('UserPromptSubmit', { prompt: line }, signal)
    const told = turn.heed('UserPromptSubmit', verdict)
    if (verdict.block === true || turn.end !== undefined)
      return progress({
        type: 'blocked',
        hookEvent: 'UserPromptSubmit',
        message: verdict.reason ?? 'A hook blocks this.',
      })
    const outcomes = await this.#parts.invoker.run(line, { signal })
    // The next line may have begun already.
    if (signal.aborted) throw abortError(signal)
    for (const outcome of outcomes ?? []) progress({ type: 'outcome', outcome })
    const said = outcomes?.flatMap(outcome => this.#take(outcome))
    if (said?.length === 0) return
    const news = this.#news.splice(0)
    this.#add(
      ...(said === undefined ? [userMessages([...news, line].join('\n\n'))] : [userMessages(...news), said]),
      userMessages(told),
    )
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
      if (this.#tokens > (contextWindow ?? Infinity) * compactAt)
        progress({ type: 'compacted', compaction: await this.#shorten('auto', signal) })
      await this.#remind(signal)
      const shown = await turn.shown(contextWindow, this.#search)
      const {
        calls,
        messages,
        text: answer,
      } = await this.#ask(this.#messages, shown, signal, text => progress({ type: 'text', text }))
      progress({ type: 'step', steps })
      const { results, followUps } = await turn.use(calls, this.#messages)
      // All at once: a call whose answer is missing, because the user stopped it, would be refused from then on.
      this.#add(messages, results, followUps)
      if (turn.end !== undefined) return progress({ type: 'blocked', ...turn.end })
      if (calls.length > 0) continue
      const verdict = await this.#decide('Stop', { message: answer, stopHookActive: continuations > 0 }, signal)
      const told = turn.heed('Stop', verdict)
      const { block, reason = 'A hook does not let you stop.' } = verdict
      if (block !== true || turn.end !== undefined) return
      // Not the other way round: without a number there must be an end as well.
      if (!(continuations < maxContinuations)) {
        const message = `A hook was against the end of the conversation's answer, which stands since hooks had it go on ${maxContinuations} times before: ${reason}`
        return onDiagnostic({
          severity: 'warning',
          type: 'source',
          code: 'stop-blocked',
          message,
          hint: 'Have the hook let it stop where stop_hook_active is true, or give maxContinuations a higher value.',
        })
      }
      continuations += 1
      this.#add(userMessages(reason, told))
    }
  }

  async #turn(signal: AbortSignal): Promise<TurnTools> {
    const { tools = {}, onAsk, contentOf = toolContent, progress, onDiagnostic: report } = this.#options
    const { ai, skillTool, session } = this.#parts
    return new TurnTools({
      ai,
      skills: this.#skills,
      skillTool,
      own: typeof tools === 'function' ? await tools() : tools,
      session,
      onAsk,
      contentOf,
      progress,
      report,
      signal,
      take: outcome => this.#take(outcome),
    })
  }

  async #shorten(reason: 'manual' | 'auto', signal: AbortSignal): Promise<Compaction> {
    if (this.#messages.length === 0) return { refusal: 'There is nothing to shorten.' }
    const { block, reason: refusal = 'A hook blocks this.' } = await this.#decide('PreCompact', { reason }, signal)
    if (block === true) return { refusal }
    const sessionId = this.#session.key
    this.#skills.emit('compact:before', { reason, sessionId })
    // Providers want the tools to be there that a conversation speaks of.
    const turn = await this.#turn(signal)
    const { text } = await this.#ask(
      [...this.#messages, { role: 'user', content: summaryRequest }],
      await turn.shown(this.#options.contextWindow, this.#search),
      signal,
      () => {},
    )
    if (text.trim() === '') return { refusal: 'The model summed nothing up, so the conversation stays as it is.' }
    const restored = this.#session.invoked.restore()
    this.#messages = userMessages(
      `What happened so far: ${text}`,
      ...restored.map(({ name, content }) => `The skill "${name}" is at work:\n${content}`),
    )
    this.#tokens = 0
    this.#skills.emit('compact:after', { sessionId })
    return { skills: restored.map(({ name }) => name) }
  }

  /** Tells the model of the skills that it does not know of yet, where it is told in messages. */
  async #remind(signal: AbortSignal): Promise<void> {
    const { distribution: { tool: { listingIn = 'reminder' } = {} } = {}, contextWindow } = this.#options
    if (listingIn !== 'reminder') return
    const { port } = this.#parts
    const listing = await port.listing({ contextWindow, searchTool: searchToolName }, { signal })
    if (listing.omitted.length > 0) this.#search ??= await searchTool(port)
    const news = this.#record.next(listing)
    if (news !== undefined) this.#add(modelMessages([skillReminder(news, { toolName: this.#parts.skillTool.name })]))
  }

  async #ask(
    messages: readonly ModelMessage[],
    tools: ToolSet,
    signal: AbortSignal,
    onText: (text: string) => void,
  ): Promise<Answer> {
    const answer = await askModel(
      {
        ...this.#parts,
        clock: this.#skills.host.clock,
        tracers: this.#skills.use('tracer'),
        options: this.#options,
        messages,
        tools,
        onText,
      },
      signal,
    )
    // It may have been given up with the last of its parts, and the next line have begun.
    if (signal.aborted) throw abortError(signal)
    this.#tokens = answer.inputTokens ?? this.#tokens
    return answer
  }

  /** Changes the agent as a skill asks for, and gives what the conversation gets of it. */
  #take(outcome: Outcome): readonly ModelMessage[] {
    this.#session.take(outcome)
    return modelMessages(forModel(outcome.newMessages, undefined))
  }

  #add(...more: readonly (readonly ModelMessage[])[]): void {
    this.#messages = [...this.#messages, ...more.flat()]
  }
}

function userMessages(...texts: readonly (string | undefined)[]): readonly ModelMessage[] {
  return texts.flatMap(content => (content === undefined ? [] : [{ role: 'user', content }]))
}

function busy(): SkillsError {
  return new SkillsError('E_ALREADY_RUNNING', 'The conversation is at work already.', {
    hint: 'Wait for it to end, or abort it.',
  })
}
