import { SkillsError, type CatalogEntry, type ContentBlock, type Effort } from '@skills/core'
import { GivenTexts } from './given-texts.js'
import { InvokedSkills } from '../invoked-skills.js'
import { Lasting } from './lasting.js'
import { restoreSession, type Lost } from './restore-session.js'
import { valueOf, type SessionEngine, type SessionState, type SessionValue } from './session-value.js'
import type { AgentContext, InvocationSession, Outcome } from '../executor.js'

export interface SessionOptions {
  /** Default: the host's session id where no open session has it, else a random UUID. */
  readonly id?: string | undefined
  /**
   * What `${CLAUDE_EFFORT}` stands for where neither a skill nor one at work says. Default: it stays as it is written.
   */
  readonly effort?: Effort | undefined
}

/** The sessions of each engine by their keys. */
const known = new WeakMap<object, Map<string | undefined, Session>>()

/**
 * One conversation: the skills at work in it, their hooks, the names that it was told of, what they ask for, and the
 * effort. An engine has any number. What happens in none that was opened happens in the engine's own, which has the
 * session id of the host. See docs/reference/sessions.md, "Sessions".
 */
export class Session implements InvocationSession, SessionState {
  readonly #skills: SessionEngine
  /** Undefined for the engine's own: what events, hooks and questions have as `sessionId`. */
  readonly key: string | undefined
  /** Which texts of skills its agents have. */
  readonly texts = new GivenTexts()
  /** The last texts of skills, to be given again after the conversation was shortened. */
  readonly invoked = new InvokedSkills(undefined)
  /** What runs now, by agent and name. */
  readonly running = new Set<string>()
  /** Forks at work, with the names of their skills. */
  readonly forks = new Map<string, string>()
  readonly #sent = new Map<string, Set<string>>()
  readonly #lasting = new Lasting()
  readonly #stops: readonly (() => void)[]
  /** What the skills at work ask for, until the line of the user has ended. */
  context: AgentContext = {}
  effort: Effort | undefined
  #isOpen = false

  private constructor(skills: SessionEngine, key: string | undefined) {
    this.#skills = skills
    this.key = key
    const forget = (agentId: string | undefined): void => {
      this.texts.forget(agentId)
      this.#sent.delete(agentId ?? '')
    }
    this.#stops = [
      skills.hook('compact:after', ({ agentId, sessionId }) => {
        if (sessionId === key) forget(agentId)
      }),
      skills.hook('fork:ended', ({ agentId, sessionId }) => {
        if (sessionId !== key) return
        forget(agentId)
        this.invoked.forget(agentId)
      }),
    ]
  }

  /**
   * Opens a session of an engine. Throws `E_ALREADY_RUNNING` for an id that an open session has. Close it when done.
   */
  static open(skills: SessionEngine, { id, effort }: SessionOptions = {}): Session {
    const all = sessionsOf(skills)
    const isOwnTaken = all.get(undefined)?.isOpen === true
    const key =
      id === undefined ? (isOwnTaken ? crypto.randomUUID() : undefined) : id === skills.host.sessionId ? undefined : id
    if (all.get(key)?.isOpen === true) {
      throw new SkillsError('E_ALREADY_RUNNING', `The session "${String(id)}" is open already.`, {
        hint: 'Close it first, or give this one another id.',
      })
    }
    const session = Session.#made(skills, key)
    session.#isOpen = true
    session.effort = effort
    return session
  }

  /**
   * The session that something happens in: the one of that id, the one whose fork the agent is, else the engine's own.
   * Throws `E_CLOSED` for an id that no open session has.
   */
  static of(
    skills: SessionEngine,
    { sessionId, agentId }: { readonly sessionId?: string | undefined; readonly agentId?: string | undefined } = {},
  ): Session {
    const all = sessionsOf(skills)
    if (sessionId !== undefined && sessionId !== skills.host.sessionId) {
      const found = all.get(sessionId)
      if (found !== undefined) return found
      throw new SkillsError('E_CLOSED', `There is no open session "${sessionId}".`, {
        hint: 'Open it again with Session.open().',
      })
    }
    if (sessionId === undefined && agentId !== undefined) {
      for (const session of all.values()) if (session.forks.has(agentId)) return session
    }
    return Session.#made(skills, undefined)
  }

  static #made(skills: SessionEngine, key: string | undefined): Session {
    const all = sessionsOf(skills)
    const session = all.get(key) ?? new Session(skills, key)
    all.set(key, session)
    return session
  }

  get id(): string {
    return this.key ?? this.#skills.host.sessionId
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  get effortNow(): string | number | undefined {
    return this.context.effortValue ?? this.effort
  }

  hasText(agentId: string | undefined, name: string, content: readonly ContentBlock[]): boolean {
    return this.texts.has(agentId, name, content)
  }

  forkBegins(agentId: string, name: string): void {
    this.forks.set(agentId, name)
  }

  /** The names that an agent was told of; to be added to. */
  sentTo(agentId = ''): Set<string> {
    const sent = this.#sent.get(agentId) ?? new Set<string>()
    this.#sent.set(agentId, sent)
    return sent
  }

  /** Changes the context as a skill asks for that was invoked in the main conversation. */
  take({ contextModifier }: Outcome): void {
    this.context = contextModifier?.(this.context) ?? this.context
  }

  /** Remembers a skill that ran in it: its text, and what it asks of the main conversation beyond the line. */
  remember(outcome: Outcome, entry: CatalogEntry, agentId: string | undefined): void {
    this.invoked.hear({ outcome, entry, agentId })
    const { contextModifier, data } = outcome
    if (agentId === undefined && contextModifier !== undefined && data['grants'] === 'session')
      this.#lasting.add(contextModifier, entry.command)
  }

  /** The line of the user has ended, and with it what skills asked for, but for what lasts. */
  endTurn(): void {
    this.context = this.#lasting.context
  }

  /** Everything that the main conversation has at work, as JSON. */
  value(): Promise<SessionValue> {
    return valueOf(this.#skills, this, this.#lasting)
  }

  /**
   * Restores what {@link Session.value} gave, also after it was kept as JSON; gives what could not be. Nothing of a
   * value widens a permission: hooks and grants are of the skills as they are now, trusted now and unchanged.
   */
  restore(value: unknown, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<readonly Lost[]> {
    return restoreSession(this.#skills, this, { value, lasting: this.#lasting, signal })
  }

  /** Forgets it without telling any hook. A session that ends for good is told with `endSession` before. */
  async close(): Promise<void> {
    this.#isOpen = false
    for (const stop of this.#stops) stop()
    const all = sessionsOf(this.#skills)
    if (all.get(this.key) === this) all.delete(this.key)
    if (this.#skills.signal.aborted) return
    await this.#skills.use('hooks').first(hooks => hooks.drop?.(this.key))
  }
}

function sessionsOf(skills: SessionEngine): Map<string | undefined, Session> {
  const all = known.get(skills) ?? new Map<string | undefined, Session>()
  known.set(skills, all)
  return all
}
