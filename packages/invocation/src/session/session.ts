import { SkillsError, type CatalogEntry, type ContentBlock, type Effort } from '@skills/core'
import { GivenTexts } from './given-texts.js'
import { InvokedSkills } from '../invoked-skills.js'
import { Lasting } from './lasting.js'
import { restoreSession, type Lost } from './restore-session.js'
import { valueOf, type SessionEngine, type SessionState, type SessionValue } from './session-value.js'
import type { AgentContext, InvocationSession, Outcome } from '../executor.js'

export interface SessionOptions {
  /** Default: the host's session id if no open session has it, else a random UUID. */
  readonly id?: string | undefined
  /**
   * Value of `${CLAUDE_EFFORT}` when neither the skill nor an active one sets an effort. Default: the variable is not
   * replaced.
   */
  readonly effort?: Effort | undefined
}

/** Sessions of each engine by key. */
const known = new WeakMap<object, Map<string | undefined, Session>>()

/**
 * One conversation: its active skills, their hooks, the names of skills that it was sent, the changes that skills asked
 * for, and its effort. An engine can have any number of sessions. If none is open, the engine's own session is used,
 * which has the session id of the host. See docs/reference/sessions.md, "Sessions".
 */
export class Session implements InvocationSession, SessionState {
  readonly #skills: SessionEngine
  /** `sessionId` of events, hooks and questions; undefined for the engine's own session. */
  readonly key: string | undefined
  /** Texts of skills that its agents have. */
  readonly texts = new GivenTexts()
  /** Latest texts of skills, to give again after the conversation was shortened. */
  readonly invoked = new InvokedSkills(undefined)
  /** Running invocations, by agent and name. */
  readonly running = new Set<string>()
  /** Running forks, by agent, with the names of their skills. */
  readonly forks = new Map<string, string>()
  readonly #sent = new Map<string, Set<string>>()
  readonly #lasting = new Lasting()
  readonly #stops: readonly (() => void)[]
  /** Context that the active skills ask for. It is reset at the end of the user's turn. */
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
   * Opens a session of an engine; close it when done.
   * @throws SkillsError `E_ALREADY_RUNNING` for an id that an open session has
   */
  static open(skills: SessionEngine, { id, effort }: SessionOptions = {}): Session {
    const all = sessionsOf(skills)
    const isOwnTaken = all.get(undefined)?.isOpen === true
    const key =
      id === undefined ? (isOwnTaken ? crypto.randomUUID() : undefined) : id === skills.host.sessionId ? undefined : id
    if (all.get(key)?.isOpen === true) {
      throw new SkillsError('E_ALREADY_RUNNING', `The session "${String(id)}" is already open.`, {
        hint: 'Close that session first, or use another id.',
      })
    }
    const session = Session.#made(skills, key)
    session.#isOpen = true
    session.effort = effort
    return session
  }

  /**
   * Returns the session with an id, else the session whose fork the agent is, else the engine's own.
   * @throws SkillsError `E_CLOSED` for an id that no open session has
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
        hint: 'Open the session again with Session.open().',
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

  /** Returns the names that an agent was told of. The caller adds to the set. */
  sentTo(agentId = ''): Set<string> {
    const sent = this.#sent.get(agentId) ?? new Set<string>()
    this.#sent.set(agentId, sent)
    return sent
  }

  /** Changes the context as a skill asks that was invoked in the main conversation. */
  take({ contextModifier }: Outcome): void {
    this.context = contextModifier?.(this.context) ?? this.context
  }

  /** Records a skill that was invoked: its text and, in the main conversation, changes for the rest of the session. */
  remember(outcome: Outcome, entry: CatalogEntry, agentId: string | undefined, args: string): void {
    this.invoked.hear({ outcome, entry, agentId, args })
    const { contextModifier, data } = outcome
    if (agentId === undefined && contextModifier !== undefined && data['grants'] === 'session')
      this.#lasting.add(contextModifier, entry.command)
  }

  /** Ends the user's turn: drops the changes that skills asked for, except those for the rest of the session. */
  endTurn(): void {
    this.context = this.#lasting.context
  }

  /** Returns the whole state of the main conversation as JSON. */
  value(): Promise<SessionValue> {
    return valueOf(this.#skills, this, this.#lasting)
  }

  /**
   * Restores a {@link Session.value}, even after it was saved as JSON, and returns the parts that could not be
   * restored. No part of a value widens a permission: hooks and grants count only for skills that are trusted now and
   * unchanged.
   */
  restore(value: unknown, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<readonly Lost[]> {
    return restoreSession(this.#skills, this, { value, lasting: this.#lasting, signal })
  }

  /** Forgets the session without telling hooks. Call `endSession` first if it ends for good. */
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
