import { abortError, messageOf, SkillsError, type Effort, type Skills } from '@skills/core'
import {
  askPermission,
  decide,
  endSession,
  hookDecision,
  hookReminder,
  Invoker,
  Session,
  startSession,
  systemReminder,
  toolContent,
  toolLimitsOf,
  type HookPayload,
  type HookVerdict,
  type Message,
  type Outcome,
  type SkillHookEvent,
  type ToolLimits,
} from '@skills/invocation'
import {
  errorWithTexts,
  heardProgress,
  isOffered,
  outcomeWithTexts,
  withTexts,
  restoredReminder,
  type AskedPermission,
  type Lost,
  textForModel,
} from '@skills/invocation/internal'
import type { OnAsk } from '@skills/rules'
import {
  enginePort,
  forModel,
  ListingRecord,
  modelTools,
  searchToolName,
  skillReminder,
  type EnginePort,
  type ListingContext,
} from '@skills/invocation/skill-tool'
import { forkProgress, RunReports } from './run-reports.js'
import { sessionTool, type SessionTool } from './session-tools.js'
import {
  agentSessionOptions,
  type AgentSessionOptions,
  type AgentSessionValue,
  type HostCall,
  type SentLine,
  type SessionCall,
  type SessionDecision,
  type SessionProgress,
  type Shortened,
} from './session-options.js'

/** Lines of the user that are kept for a listing that depends on what is asked. */
const keptLines = 5

/** Parts of an {@link AgentSession}. */
interface Parts {
  readonly session: Session
  readonly invoker: Invoker
  readonly port: EnginePort
  readonly lost: readonly Lost[]
  readonly news: readonly string[]
  readonly progress: (event: SessionProgress) => void
}

/**
 * One conversation of an agent: its system prompt and messages about skills, the tools for its model, permissions of
 * its other tools under the active skills, and reports of background work. It depends on no framework. See
 * docs/reference/host.md, "A session of a host".
 */
export class AgentSession {
  readonly engine: Skills
  readonly #options: ReturnType<typeof agentSessionOptions.read>
  readonly #parts: Parts
  readonly #session: Session
  readonly #record: ListingRecord
  readonly #tools: SessionTool[] = []
  /** Messages for the model, sent with the next line of the user. */
  readonly #news: string[]
  /** Decisions about calls that need no answer of a person. */
  readonly #decided = new Map<string, AskedPermission>()
  readonly #stops: readonly (() => void)[]
  /** Changes a text before the model or a client gets it. */
  readonly #tells: (text: string) => string
  /** Reports of runs. Undefined if the engine has no runs. */
  #reports: RunReports | undefined
  #stopped: { readonly hookEvent: SkillHookEvent; readonly message: string } | undefined
  /** True once a listing left skills out: those without room, or those of large sources, which it never has. */
  #isSearchTold = false
  /** Last lines of the user, the newest last. */
  readonly #lines: string[] = []
  #isOpen = true

  private constructor(engine: Skills, options: ReturnType<typeof agentSessionOptions.read>, parts: Parts) {
    this.engine = engine
    this.#options = options
    this.#parts = parts
    this.#session = parts.session
    this.#news = [...parts.news]
    this.#tells = parts.port.tells ?? (text => text)
    this.#record = new ListingRecord(engine, parts.session)
    const { key } = parts.session
    this.#stops = [
      engine.hook('fork:ended', ({ agentId, isBackground, commandName, result, error, sessionId }) => {
        if (sessionId === key && this.#reports?.add(agentId) !== false && isBackground)
          this.#tell(`The skill "${commandName}" ended in the background: ${result ?? messageOf(error)}`)
      }),
      forkProgress(engine, key, parts.progress, this.#tells),
      () => this.#record.stop(),
    ]
  }

  /**
   * Opens a new session of an engine, or one that was stored. Rejects with `E_ALREADY_RUNNING` for the id of an open
   * session, with `E_INVALID_OPTION`, with an `AbortError`, and as hooks of `SessionStart` do.
   */
  static async open(
    engine: Skills,
    options: AgentSessionOptions = {},
    { signal }: SessionCall = {},
  ): Promise<AgentSession> {
    const read = agentSessionOptions.read(options)
    const { distribution = {}, onAsk, onUntrusted, restore, effort, gives, reason } = read
    const report = read.onDiagnostic ?? distribution.onDiagnostic ?? (() => {})
    const progress = heardProgress({ progress: read.progress ?? (() => {}), report, of: 'the conversation' })
    const kept = keptOf(restore)
    const session = Session.open(engine, { id: read.id ?? kept.id, effort })
    let begun: AgentSession | undefined
    try {
      const lost =
        restore === undefined
          ? []
          : (await session.restore(restore, { signal })).filter(
              // Their reports follow, or they continue.
              ({ what }) => what !== 'forks' || engine.use('runs').ids.length === 0,
            )
      const asking = { ...distribution.invoker, onAsk, onUntrusted }
      const invoker = new Invoker(engine, { ...asking, session })
      const port = enginePort(engine, { ...distribution.port, invoker })
      const opened = new AgentSession(engine, read, { session, invoker, port, lost, news: kept.news, progress })
      begun = opened
      // A fork has no more tools than the agent that makes it.
      const limited: EnginePort = {
        ...port,
        isUntold: entry => opened.#record.isUntold(entry),
        invoke: request => port.invoke({ ...request, tools: toolLimitsOf(session.context) }),
      }
      const tool = gives === 'results' ? { ...distribution.tool, listingIn: 'system' as const } : distribution.tool
      const tools = await modelTools(limited, { tool: { listingIn: 'reminder', ...tool }, gives })
      const asked = gives === 'results' ? onAsk : undefined
      opened.#tools.push(
        ...tools.map(one =>
          sessionTool(one, {
            session: opened,
            of: session,
            onAsk: asked,
            listingFor: () => opened.#asked(),
            tells: opened.#tells,
          }),
        ),
      )
      if (restore === undefined || reason !== undefined) {
        // Which paths a text of a hook may not show is known from the catalog.
        if (port.tells !== undefined) await port.catalog({ signal })
        const verdict = await startSession(engine, { reason, sessionId: session.key, signal })
        const told = opened.#heed('SessionStart', verdict)
        if (told !== undefined) opened.#news.push(told)
      }
      opened.#reports = await RunReports.open(engine, {
        session,
        kept: kept.reports,
        invoker: asking,
        tell: text => opened.#tell(text),
        report,
      })
      return opened
    } catch (error) {
      await (begun ?? session).close()
      throw error
    }
  }

  get id(): string {
    return this.#session.id
  }

  /** Parts of `restore` that could not be restored, a sentence each. */
  get lost(): readonly Lost[] {
    return this.#parts.lost
  }

  /** Model and effort for the next answer: those that active skills set, else the host's. */
  get wanted(): { readonly model: string | undefined; readonly effort: Effort | string | undefined } {
    const { options: { mainLoopModel, maxThinkingTokens } = {}, effortValue } = this.#session.context
    return { model: mainLoopModel, effort: effortValue ?? maxThinkingTokens ?? this.#session.effort }
  }

  /** Tools that active skills allow the agent, including those that run and find skills. */
  get limits(): ToolLimits {
    const { only, without } = toolLimitsOf(this.#session.context)
    // A skill that is limited to some tools may still invoke other skills, which have their own limits.
    return { ...(only !== undefined && { only: [...only, ...this.#tools.map(({ name }) => name)] }), without }
  }

  /** Hook that stopped the work on the last line, with its reason. */
  get stopped(): { readonly hookEvent: SkillHookEvent; readonly message: string } | undefined {
    return this.#stopped
  }

  /** Returns the tools for a model that run and find skills, under the distribution's names. */
  tools(): readonly SessionTool[] {
    return this.#tools
  }

  /** Returns true if a tool is to be shown to the model. An active skill may hide it. */
  offers(tool: string): boolean {
    const isSearch = this.#tools[1]?.name === tool
    if (isSearch && this.#options.gives === 'messages' && !this.#isSearchTold) return false
    return isOffered(tool, this.limits)
  }

  /**
   * Returns the system prompt: the host's own text, then the available skills and how to use them. Empty if there is
   * neither. The text is the same as before if nothing changed. Rejects as the listing does.
   * @param options.own the host's text; default: none
   */
  async system({ own = '', signal }: SessionCall & { readonly own?: string | undefined } = {}): Promise<string> {
    this.throwIfClosed()
    const { gives, distribution } = this.#options
    const inMessages = gives === 'messages'
    // Messages contain the listing, or the description of the tool does.
    if (inMessages && distribution?.tool?.listingIn !== 'system') return own
    const searchTool = inMessages ? undefined : searchToolName
    const { text } = await this.#parts.port.listing({ searchTool, ...this.#asked() }, { signal })
    const told =
      text === '' || inMessages
        ? this.#tells(text)
        : systemReminder(
            `The following skills are available for use with the ${this.#tools[0]?.name} tool:\n\n${this.#tells(text)}`,
          )
    return [own, told].filter(part => part !== '').join('\n\n')
  }

  /**
   * Returns the message that lists skills which are new to the model. Undefined if there are none, or if the listing
   * does not go into messages. Skills in the returned message count as listed. Rejects as the listing does.
   */
  async reminder({ signal }: SessionCall = {}): Promise<Message | undefined> {
    this.throwIfClosed()
    const { gives, distribution: { tool: { listingIn = 'reminder' } = {} } = {} } = this.#options
    if (gives !== 'messages' || listingIn !== 'reminder') return undefined
    const listing = await this.#parts.port.listing({ searchTool: searchToolName, ...this.#asked() }, { signal })
    this.#isSearchTold ||= listing.omitted.length > 0 || (await this.#parts.port.large?.({ signal })) !== undefined
    const news = this.#record.next(listing)
    return news && withTexts(skillReminder(news, { toolName: this.#tools[0]?.name ?? 'Skill' }), this.#tells)
  }

  /** Returns what a listing depends on: what the user said last, and the skills whose text the model has. */
  #asked(): Pick<ListingContext, 'contextWindow' | 'messages' | 'inUse'> {
    const { contextWindow } = this.#options
    return { contextWindow, messages: [...this.#lines], inUse: this.#session.invoked.known().map(({ name }) => name) }
  }

  /**
   * Handles a line that the user typed: calls hooks of `UserPromptSubmit` and runs the commands at its beginning.
   * Rejects with `E_DENIED` if a hook blocks it, with `E_CLOSED`, and as {@link Invoker.run} does.
   */
  async send(line: string, { signal }: SessionCall = {}): Promise<SentLine> {
    this.throwIfClosed()
    const { progress } = this.#parts
    this.#stopped = undefined
    this.#lines.push(line)
    if (this.#lines.length > keptLines) this.#lines.shift()
    const verdict = await this.#decide('UserPromptSubmit', { prompt: line }, signal)
    const told = this.#heed('UserPromptSubmit', verdict)
    if (verdict.block === true || this.#stopped !== undefined) {
      const message = this.#tells(verdict.reason ?? 'A hook of UserPromptSubmit blocks this line.')
      this.#stopped = { hookEvent: 'UserPromptSubmit', message }
      progress({ type: 'blocked', ...this.#stopped })
      throw new SkillsError('E_DENIED', message)
    }
    const ended = await this.#run(line, signal)
    // The next line may have begun already.
    if (signal?.aborted === true) throw abortError(signal)
    const outcomes = ended?.map(outcome => outcomeWithTexts(outcome, this.#tells))
    for (const outcome of outcomes ?? []) progress({ type: 'outcome', outcome })
    for (const outcome of ended ?? []) this.#session.take(outcome)
    const said = outcomes
      ?.flatMap(({ newMessages }) => forModel(newMessages, undefined))
      .filter(({ type, content }) => type === 'user' && content.length > 0)
    const isForModel = said?.length !== 0
    const news = isForModel ? this.#news.splice(0).map(this.#tells) : []
    const texts = [...news, ...(outcomes?.map(textOf) ?? [line]), ...(told === undefined ? [] : [told])]
    const messages =
      said === undefined
        ? [messageFor([...news, line].join('\n\n'))]
        : isForModel
          ? [...news.map(messageFor), ...said]
          : []
    return {
      text: texts.join('\n\n'),
      messages: isForModel && told !== undefined ? [...messages, messageFor(told)] : messages,
      outcomes,
      isForModel,
    }
  }

  /**
   * Returns true if a person must be asked about a call of the host's tool, for a framework that asks itself. Rejects
   * as `authorize` does.
   */
  async isAsked(call: HostCall, { signal }: SessionCall = {}): Promise<boolean> {
    let isAsked = false
    const decision = await this.#permission(call, signal, () => {
      isAsked = true
      return 'deny'
    })
    // Hooks have answered already.
    if (!isAsked && call.toolUseId !== undefined) this.#decided.set(call.toolUseId, decision)
    return isAsked
  }

  /**
   * Decides about a call of a tool: active skills, hooks and rules answer, then `onAsk`. For a tool of skills only
   * hooks answer, because the skill itself is decided about when it runs. Rejects as {@link askPermission} does.
   * @param options.isApproved true if the framework has asked a person, who said yes
   */
  async authorize(
    call: HostCall,
    { isApproved = false, signal }: SessionCall & { readonly isApproved?: boolean | undefined } = {},
  ): Promise<SessionDecision> {
    this.throwIfClosed()
    const { tool, input, toolUseId = '' } = call
    const [runs, searches] = this.#tools
    const decided = isApproved ? this.#decided.get(toolUseId) : undefined
    this.#decided.delete(toolUseId)
    const onAsk: OnAsk | undefined =
      // A search returns only what a listing may show, so only a deny rule applies to it.
      isApproved || tool === searches?.name ? () => 'allow' : this.#options.onAsk
    const decision =
      decided ??
      (tool === runs?.name ? await this.#skillDecision(call, signal) : await this.#permission(call, signal, onAsk))
    const told = decision.verdict && this.#heed('PreToolUse', decision.verdict, { toolName: tool })
    const { behavior } = decision
    const message = this.#tells(decision.message)
    if (behavior === 'allow')
      this.engine.emit('tool:before', { toolName: tool, toolInput: input, toolUseId, sessionId: this.#session.key })
    else this.#parts.progress({ type: 'refused', tool, content: call.content ?? toolContent(tool, input), message })
    return { ...decision, message, ...(told !== undefined && { told }) }
  }

  /**
   * Calls hooks of `PostToolUse` after a call, and returns their message for the model. Rejects as they do.
   * @param response result of the call, or `{ error }`
   */
  async used(
    { tool, input, toolUseId }: HostCall,
    response: unknown,
    { signal }: SessionCall = {},
  ): Promise<string | undefined> {
    const about = { toolName: tool, toolInput: input, toolUseId: toolUseId ?? '', toolResponse: response }
    this.engine.emit('tool:after', { ...about, sessionId: this.#session.key })
    return this.#heed('PostToolUse', await this.#decide('PostToolUse', about, signal), { toolName: tool })
  }

  /**
   * Asks hooks of `Stop` whether the agent may end with an answer. Returns undefined if it may, else the texts with
   * which the model continues. Rejects as they do.
   * @param isContinued true if it has already continued because of such a hook
   */
  async mayStop(
    answer: string,
    { isContinued = false, signal }: SessionCall & { readonly isContinued?: boolean } = {},
  ): Promise<readonly [reason: string, ...more: string[]] | undefined> {
    const verdict = await this.#decide('Stop', { message: answer, stopHookActive: isContinued }, signal)
    const told = this.#heed('Stop', verdict)
    const { block, reason = 'A hook keeps you from stopping.' } = verdict
    if (block !== true || this.#stopped !== undefined) return undefined
    const why = this.#tells(reason)
    return told === undefined ? [why] : [why, told]
  }

  /**
   * Compacts the conversation unless hooks of `PreCompact` refuse. Returns the texts with which it continues; all other
   * texts and names of skills count as unknown to the model. Rejects as hooks and `summarize` do.
   * @param summarize returns the model's summary of the conversation so far
   */
  async shorten(
    reason: 'manual' | 'auto',
    summarize: () => Promise<string>,
    { signal }: SessionCall = {},
  ): Promise<Shortened> {
    this.throwIfClosed()
    const verdict = await this.#decide('PreCompact', { reason }, signal)
    if (verdict.block === true) return { refusal: this.#tells(verdict.reason ?? 'A hook blocks this.') }
    const { key: sessionId } = this.#session
    this.engine.emit('compact:before', { reason, sessionId })
    const summary = await summarize()
    if (summary.trim() === '')
      return { refusal: 'The model gave an empty summary, so the conversation stays as it is.' }
    const skills = this.#session.invoked
      .restore()
      .map(skill => ({ ...skill, content: this.#tells(skill.content), path: skill.path && this.#tells(skill.path) }))
    this.engine.emit('compact:after', { sessionId })
    const reminder = restoredReminder(skills)
    return { summary, skills, ...(reminder !== undefined && { reminder }) }
  }

  /**
   * Says that the work of a skill is done: its text is not given again when the conversation is shortened. Returns true
   * if the conversation had it.
   */
  finishSkill(name: string): boolean {
    return this.#session.invoked.finish(name)
  }

  /** Ends the turn after an answer of the agent. Settings of skills for this turn end. */
  endTurn(): void {
    this.#session.endTurn()
  }

  /** Returns the session as JSON, between two lines, for `restore`. Rejects with `E_CLOSED`. */
  async value(): Promise<AgentSessionValue> {
    this.throwIfClosed()
    return {
      ...(await this.#session.value()),
      ...(this.#news.length > 0 && { news: [...this.#news] }),
      ...(this.#reports && { reports: this.#reports.ids }),
    }
  }

  /** Ends the session, calls hooks of `SessionEnd`, and closes this object. The engine stays open. */
  async end({ reason, signal }: SessionCall & { readonly reason?: string | undefined } = {}): Promise<void> {
    if (!this.#isOpen) return
    try {
      await endSession(this.engine, { ...(reason !== undefined && { reason }), sessionId: this.#session.key, signal })
      await this.#reports?.close()
    } finally {
      await this.close()
    }
  }

  /** Closes this object and keeps the conversation, whose `value()` may be opened again. */
  async close(): Promise<void> {
    this.#isOpen = false
    for (const stop of this.#stops) stop()
    await this.#session.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end()
  }

  throwIfClosed(): void {
    // Its hooks ended with its session, and no call may be made without them.
    if (!this.#isOpen)
      throw new SkillsError('E_CLOSED', 'The session was closed.', {
        hint: 'Open the session again with its saved value.',
      })
  }

  #tell(text: string): void {
    this.#news.push(systemReminder(text))
  }

  #decide(event: SkillHookEvent, payload: HookPayload, signal: AbortSignal | undefined): Promise<HookVerdict> {
    return decide(this.engine, event, { ...payload, sessionId: this.#session.key }, { signal })
  }

  /** Shows messages of hooks to the user, and returns their message for the model. */
  #heed(event: SkillHookEvent, verdict: HookVerdict, about: Pick<HookPayload, 'toolName'> = {}): string | undefined {
    const { messages = [], stop = false, reason = 'A hook ends it.' } = verdict
    for (const text of messages) this.#parts.progress({ type: 'message', hookEvent: event, text: this.#tells(text) })
    if (stop) this.#stopped ??= { hookEvent: event, message: this.#tells(reason) }
    const told = hookReminder(event, verdict, about)
    return told && this.#tells(told)
  }

  /** Runs the commands at the beginning of a line. */
  async #run(line: string, signal: AbortSignal | undefined): Promise<readonly Outcome[] | undefined> {
    const { invoker, port } = this.#parts
    try {
      await port.catalog({ signal })
      return await invoker.run(line, { signal, tools: toolLimitsOf(this.#session.context) })
    } catch (error) {
      throw errorWithTexts(error, this.#tells)
    }
  }

  #permission(call: HostCall, signal: AbortSignal | undefined, onAsk: OnAsk | undefined): Promise<AskedPermission> {
    const { key: sessionId, context } = this.#session
    return askPermission(this.engine, { toolUseId: '', ...call, sessionId }, { onAsk, context, signal })
  }

  async #skillDecision(
    { tool, input, toolUseId }: HostCall,
    signal: AbortSignal | undefined,
  ): Promise<AskedPermission> {
    if (!isOffered(tool, this.limits))
      return {
        behavior: 'deny',
        message: `An active skill forbids ${tool}.`,
        decisionReason: { type: 'rule', rule: tool },
      }
    const verdict = await this.#decide('PreToolUse', { toolName: tool, toolInput: input, toolUseId }, signal)
    const objection = hookDecision(tool, verdict)
    if (objection !== undefined) return { ...objection, behavior: 'deny', verdict }
    return {
      behavior: 'allow',
      message: 'The permission to run a skill is decided when the skill runs.',
      decisionReason: { type: 'default' },
      verdict,
    }
  }
}

/** Returns the text of a skill, or the text for the person of a host's own command. */
function textOf(outcome: Outcome): string {
  const { status, text } = outcome.data
  return status === 'local' && typeof text === 'string' ? text : textForModel(outcome)
}

function messageFor(content: string): Message {
  return { type: 'user', content }
}

/** Reads the parts of a stored session that the engine's own session does not read. */
function keptOf(value: unknown): {
  readonly id: string | undefined
  readonly news: readonly string[]
  readonly reports: readonly string[]
} {
  const { id, news, reports }: Partial<Record<keyof AgentSessionValue, unknown>> =
    typeof value === 'object' && value !== null ? value : {}
  return {
    id: typeof id === 'string' && id !== '' ? id : undefined,
    news: isTexts(news) ? news : [],
    reports: isTexts(reports) ? reports : [],
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(one => typeof one === 'string')
}
