import { checkOptions, messageOf, SkillsError, type Effort, type Skills } from '@skills/core'
import { askPermission, type AskedPermission } from '../ask-permission.js'
import { hookReminder, systemReminder } from '../hook-reminder.js'
import { endSession, startSession, type SessionCall } from '../hook-session.js'
import { decide } from '../hooks.js'
import { Invoker, type InvokerOptions } from '../invoker.js'
import { Session } from '../session/session.js'
import { enginePort, type EnginePort, type EnginePortOptions } from '../skill-tool/engine-port.js'
import { searchToolName } from '../skill-tool/search-tool.js'
import type { SkillToolOptions } from '../skill-tool/skill-tool.js'
import { forModel, givenText } from '../skill-tool/for-model.js'
import { textOf } from '../skill-tool/tool-result.js'
import { isOffered, toolLimitsOf } from '../tool-limits.js'
import { agentTools, type AgentCall, type AgentTool } from './agent-tools.js'
import type { OnAsk } from '../permission.js'
import type { ToolCall } from '../runner.js'
import type { Lost } from '../session/restore-session.js'
import type { SessionValue } from '../session/session-value.js'

export interface AgentSkillsOptions {
  /** The distribution that the engine is made of, for its ways of invoking and listing. Default: those of `standard`. */
  readonly distribution?:
    | { readonly invoker?: InvokerOptions; readonly port?: EnginePortOptions; readonly tool?: SkillToolOptions }
    | undefined
  /** Asked where no rule decides, about skills and the host's tools alike. Default: no one, which denies. */
  readonly onAsk?: OnAsk | undefined
  /** Asked where a person typed a skill in a place that is not trusted. Default: no one, which denies. */
  readonly onUntrusted?: InvokerOptions['onUntrusted']
  /** Tokens that the model takes, for the budget of the listing. */
  readonly contextWindow?: number | undefined
  /** Default: that of `state`, else as {@link Session.open} has it. */
  readonly sessionId?: string | undefined
  readonly effort?: Effort | undefined
  /** What {@link AgentSkills.value} gave, from wherever it was kept. */
  readonly state?: unknown
}

/** A call of one of the host's own tools. */
export type HostCall = Pick<ToolCall, 'tool' | 'input'> & { readonly toolUseId?: string | undefined }

/**
 * The skills of one conversation, for an agent of any framework: what its model is told, the tools it is given, and
 * what the skills at work let its other tools do. See docs/reference/adapters.md, "Skills for any framework".
 */
export class AgentSkills {
  readonly #skills: Skills
  readonly #session: Session
  readonly #invoker: Invoker
  readonly #port: EnginePort
  readonly #options: AgentSkillsOptions
  /** What the model is to be told with the next line of the user, such as what ran in the background. */
  readonly #news: string[] = []
  readonly #stop: () => void
  /** About calls that need no answer of a person. */
  readonly #decided = new Map<string, AskedPermission>()
  /** `Skill` and `SkillSearch`, under the distribution's names. */
  readonly tools: readonly AgentTool[]
  /** What of `state` could not be restored, a sentence each. */
  readonly lost: readonly Lost[]

  private constructor(
    skills: Skills,
    options: AgentSkillsOptions,
    parts: Pick<AgentSkills, 'tools' | 'lost'> & {
      readonly session: Session
      readonly invoker: Invoker
      readonly port: EnginePort
    },
  ) {
    this.#skills = skills
    this.#options = options
    this.#session = parts.session
    this.#invoker = parts.invoker
    this.#port = parts.port
    this.tools = parts.tools
    this.lost = parts.lost
    this.#stop = skills.hook('fork:ended', ({ isBackground, commandName, result, error, sessionId }) => {
      if (sessionId === this.#session.key && isBackground)
        this.#news.push(
          systemReminder(`The skill "${commandName}" ended in the background: ${result ?? messageOf(error)}`),
        )
    })
  }

  /**
   * Opens a session of an engine; hooks of `SessionStart` are asked where it is a new one. Rejects with
   * `E_ALREADY_RUNNING` for the id of a session that is open, with `E_INVALID_OPTION`, and with an `AbortError`.
   */
  static async open(
    skills: Skills,
    options: AgentSkillsOptions = {},
    { signal }: Pick<AgentCall, 'signal'> = {},
  ): Promise<AgentSkills> {
    checkOptions<AgentSkillsOptions>('AgentSkills.open()', options, {
      distribution: 1,
      onAsk: 1,
      onUntrusted: 1,
      contextWindow: 1,
      sessionId: 1,
      effort: 1,
      state: 1,
    })
    const { distribution: { invoker: rules, port: ports, tool } = {}, onAsk, onUntrusted, state, effort } = options
    const session = Session.open(skills, { id: options.sessionId ?? idOf(state), effort })
    try {
      const lost = state === undefined ? [] : await session.restore(state, { signal })
      const invoker = new Invoker(skills, { ...rules, onAsk, onUntrusted, session })
      const port = enginePort(skills, { ...ports, invoker })
      // A fork has no more than the agent that it is made in.
      const limited: EnginePort = {
        ...port,
        invoke: request => invoker.invoke({ ...request, tools: toolLimitsOf(session.context) }),
      }
      const tools = await agentTools({ skills, session, port: limited, options: tool, onAsk })
      const agent = new AgentSkills(skills, options, { session, invoker, port, tools, lost })
      if (state === undefined)
        agent.#tell(hookReminder('SessionStart', await startSession(skills, { sessionId: session.key, signal })))
      return agent
    } catch (error) {
      await session.close()
      throw error
    }
  }

  get sessionId(): string {
    return this.#session.id
  }

  /** What the skills at work ask for: the model and effort of the next answer among it. */
  get context(): Session['context'] {
    return this.#session.context
  }

  /**
   * What stands in the system prompt: which skills there are now, and how they are used. Empty where there are none.
   * The same text as before where nothing changed. Rejects as the listing does.
   */
  async system({ signal }: Pick<AgentCall, 'signal'> = {}): Promise<string> {
    const { contextWindow } = this.#options
    const { text } = await this.#port.listing({ contextWindow, searchTool: searchToolName }, { signal })
    return text === ''
      ? ''
      : systemReminder(`The following skills are available for use with the ${this.tools[0]?.name} tool:\n\n${text}`)
  }

  /**
   * What the model reads of a line that the user typed: before it what ended in the background meanwhile; of commands
   * that it begins with, which are run, what they give; else the line itself. Rejects with `E_DENIED` where a hook of
   * `UserPromptSubmit` blocks it, and as {@link Invoker.run} does.
   */
  async turn(line: string, { signal }: Pick<AgentCall, 'signal'> = {}): Promise<string> {
    const { key: sessionId } = this.#session
    const verdict = await decide(this.#skills, 'UserPromptSubmit', { prompt: line, sessionId }, { signal })
    if (verdict.block === true || verdict.stop === true)
      throw new SkillsError('E_DENIED', verdict.reason ?? 'A hook of UserPromptSubmit blocks this line.')
    const outcomes = await this.#invoker.run(line, { signal, tools: toolLimitsOf(this.#session.context) })
    for (const outcome of outcomes ?? []) this.#session.take(outcome)
    const said = outcomes?.map(
      outcome => givenText(forModel(outcome.newMessages, undefined)) || textOf({ outcome }),
    ) ?? [line]
    this.#tell(hookReminder('UserPromptSubmit', verdict))
    return [...this.#news.splice(0), ...said].join('\n\n')
  }

  /** Whether the skills at work leave a tool of the host's to the model, so that it is shown. */
  offers(tool: string): boolean {
    const { only, without } = toolLimitsOf(this.#session.context)
    // A skill that may use nothing but some tools may invoke others: each of those has its own.
    return isOffered(tool, { without, ...(!this.tools.some(({ name }) => name === tool) && { only }) })
  }

  /**
   * Whether a person is to be asked about a call of the host's tool, for a framework that asks itself. Rejects as
   * {@link askPermission} does.
   */
  async isAsked(call: HostCall, { signal }: Pick<AgentCall, 'signal'> = {}): Promise<boolean> {
    let isAsked = false
    const decision = await this.#authorized(call, signal, () => {
      isAsked = true
      return 'deny'
    })
    // Hooks have answered already.
    if (!isAsked && call.toolUseId !== undefined) this.#decided.set(call.toolUseId, decision)
    return isAsked
  }

  /**
   * Whether a tool of the host's may be called, as the skills at work, hooks, rules and `onAsk` have it. Rejects as
   * {@link askPermission} does.
   */
  async authorize(
    call: HostCall,
    { isApproved = false, signal }: Pick<AgentCall, 'isApproved' | 'signal'> = {},
  ): Promise<AskedPermission> {
    const { toolUseId = '' } = call
    const decided = isApproved ? this.#decided.get(toolUseId) : undefined
    this.#decided.delete(toolUseId)
    return decided ?? this.#authorized(call, signal, isApproved ? () => 'allow' : this.#options.onAsk)
  }

  /** The agent answered: what skills asked for until then ends. */
  endTurn(): void {
    this.#session.endTurn()
  }

  /** All of it as JSON, for `state`. */
  value(): Promise<SessionValue> {
    return this.#session.value()
  }

  /** Ends the session, of which hooks of `SessionEnd` are told, and gives up this object. */
  async end({ reason, signal }: Omit<SessionCall, 'sessionId'> = {}): Promise<void> {
    try {
      await endSession(this.#skills, { ...(reason !== undefined && { reason }), sessionId: this.#session.key, signal })
    } finally {
      await this.close()
    }
  }

  /** Gives up this object and not the conversation, whose {@link AgentSkills.value} may be opened again. */
  close(): Promise<void> {
    this.#stop()
    return this.#session.close()
  }

  #authorized(call: HostCall, signal: AbortSignal | undefined, onAsk: OnAsk | undefined): Promise<AskedPermission> {
    const { key: sessionId, context } = this.#session
    return askPermission(this.#skills, { toolUseId: '', ...call, sessionId }, { onAsk, context, signal })
  }

  #tell(news: string | undefined): void {
    if (news !== undefined) this.#news.push(news)
  }
}

function idOf(state: unknown): string | undefined {
  const id: unknown = typeof state === 'object' && state !== null ? Reflect.get(state, 'id') : undefined
  return typeof id === 'string' ? id : undefined
}
