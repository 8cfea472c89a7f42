import { abortError, messageOf, withDeadline, type MaybePromise, type PromptCommand } from '@skills/core'
import {
  isHookSource,
  readHooks,
  type HookPayload,
  type Hooks,
  type HooksAtWork,
  type HookVerdict,
  type SkillHookEvent,
} from '@skills/invocation'
import { describeUnsupported, type HookOwner } from '@skills/invocation/internal'
import { hasHooksFor, hooksFor } from './hook-scope.js'
import { hookProblem, nameOf, unheededProblem } from './hook-problem.js'
import { isSettled, joinedVerdict } from './joined-verdict.js'
import { Matcher } from './matcher.js'
import { SessionHooks } from './session-hooks.js'
import { runHook } from './run-hook.js'
import { isBound, whyNotAnyMore } from './standing.js'
import { whyRefused } from './why-refused.js'
import type { CheckedOptions, HooksContext } from './options.js'
import type { ActiveHook, SessionOwner } from './active-hook.js'

const pass: HookVerdict = Object.freeze({})

/** Hooks of one engine, separate for each session. */
export class CommandHooks implements Hooks {
  /** Sessions by id; undefined for the engine's own. */
  readonly #sessions = new Map<string | undefined, SessionHooks>()
  /** Session ids of forks. */
  readonly #forks = new Map<string, string | undefined>()
  /** Hooks whose ignored answers were reported. */
  readonly #unheeded = new Set<string>()
  readonly #running = new Set<Promise<unknown>>()
  /** Aborts when the time for the hooks of the last session ends has run out. */
  readonly #ending = new AbortController()

  constructor(
    private readonly ctx: HooksContext,
    private readonly options: CheckedOptions,
  ) {}

  async register(owner: HookOwner, { signal }: { readonly signal: AbortSignal }): Promise<() => void> {
    const session = this.#session(owner)
    await this.#begin(session, signal)
    return this.#add(session, owner, signal)
  }

  hasHooks(event: SkillHookEvent, payload: HookPayload): boolean {
    const session = this.#sessions.get(this.#keyOf(payload))
    // Hooks of plugins are known once the session has begun. The end of a session that never began has none.
    if (session?.isReady !== true) return event !== 'SessionEnd' || session?.begun !== undefined
    // Beginning and ending a session do more than ask hooks.
    if (event === 'SessionStart' || event === 'SessionEnd') return true
    return hasHooksFor(session, event, payload)
  }

  decide(
    event: SkillHookEvent,
    payload: HookPayload,
    { signal }: { readonly signal: AbortSignal },
  ): MaybePromise<HookVerdict> {
    if (event === 'SessionEnd') return this.#track(this.#end(payload, [signal, this.#ending.signal]))
    const session = this.#session(payload)
    if (event === 'SessionStart') session.hasStarted = true
    if (session.isReady) return this.#decide(session, event, payload, signal)
    return this.#begin(session, signal).then(() => this.#decide(session, event, payload, signal))
  }

  enter(agentId: string, parentId: string | undefined, sessionId?: string): void {
    const key = sessionId ?? this.#forks.get(parentId ?? '')
    this.#forks.set(agentId, key)
    this.#session({ sessionId: key }).nesting.enter(agentId, parentId)
  }

  forget(agentId: string): void {
    const key = this.#keyOf({ agentId })
    const session = this.#session({ agentId })
    session.nesting.leave(agentId)
    session.registered.forget(agentId)
    this.#forks.delete(agentId)
    if (session.begun === undefined && session.nesting.isEmpty) this.#sessions.delete(key)
  }

  atWork(sessionId: string | undefined): HooksAtWork {
    return this.#sessions.get(sessionId)?.atWork() ?? { skills: [], done: [] }
  }

  resume(sessionId: string | undefined, done: readonly string[]): void {
    const session = this.#session({ sessionId })
    for (const key of done) session.done.add(key)
    session.registered.finish(hook => session.isDone(hook.owner, hook))
  }

  drop(sessionId: string | undefined): void {
    const session = this.#sessions.get(sessionId)
    session?.end()
    // Forks in the background outlive the session, and their nesting with them.
    if (session?.nesting.isEmpty === true) this.#sessions.delete(sessionId)
  }

  /** Runs the hooks of a session's start, unless they ran already. */
  async sessionStarted({ reason, sessionId }: Pick<HookPayload, 'reason' | 'sessionId'>): Promise<void> {
    const { signal } = this.ctx
    if (this.#sessions.get(sessionId)?.hasStarted === true) return
    try {
      await this.decide('SessionStart', { reason, sessionId }, { signal })
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  async sessionEnded({ reason, sessionId }: Pick<HookPayload, 'reason' | 'sessionId'>): Promise<void> {
    await this.#track(this.#end({ reason, sessionId }, [this.#ending.signal]))
  }

  /** Ends every session, and settles when nothing is running any more. */
  async close(): Promise<void> {
    const {
      host: { clock },
      report,
    } = this.ctx
    const { closeTimeoutMs } = this.options
    const stop =
      closeTimeoutMs === Infinity
        ? undefined
        : clock.after(closeTimeoutMs, () => {
            this.#ending.abort()
            const message = `The hooks of "SessionEnd" took longer than ${closeTimeoutMs} ms, and were ended.`
            report({
              severity: 'warning',
              type: 'source',
              code: 'hook-failed',
              field: 'hooks.SessionEnd',
              message,
              hint: 'Make the hooks faster, or raise closeTimeoutMs.',
            })
          })
    // Running hooks of earlier session ends have the same time limit.
    const ends = [...this.#sessions.keys()].map(sessionId => this.sessionEnded({ reason: 'other', sessionId }))
    await Promise.allSettled([...ends, ...this.#running])
    stop?.()
  }

  #keyOf({ sessionId, agentId }: Pick<HookPayload, 'sessionId' | 'agentId'>): string | undefined {
    return sessionId ?? this.#forks.get(agentId ?? '')
  }

  #session(of: Pick<HookPayload, 'sessionId' | 'agentId'>): SessionHooks {
    const key = this.#keyOf(of)
    const session = this.#sessions.get(key) ?? new SessionHooks()
    this.#sessions.set(key, session)
    return session
  }

  /** Registers the hooks of plugins. A caller may stop waiting; the others continue to wait. */
  #begin(session: SessionHooks, signal: AbortSignal): Promise<void> {
    if (session.begun === undefined) {
      const begun: Promise<void> = this.#registerPlugins(session, () => session.begun === begun).then(() => {
        if (session.begun === begun) session.isReady = true
      })
      session.begun = begun
      // A failure is reported to those that wait for it.
      begun.catch(() => {
        if (session.begun === begun) session.begun = undefined
      })
    }
    const { begun } = session
    return withDeadline(() => begun, { signals: [signal] })
  }

  async #registerPlugins(session: SessionHooks, isCurrent: () => boolean): Promise<void> {
    const { signal, use } = this.ctx
    const answers = await use('source').each(
      async (source, call) => (isHookSource(source) ? await source.hooks(call) : []),
      { signal },
    )
    for (const command of answers.flatMap(({ value }) => value)) {
      const verdict = await use('trust').first((trust, call) => trust.judge(command, false, call), { signal })
      const undo = await this.#add(session, { command, trust: verdict?.level ?? 'untrusted', fromStart: true }, signal)
      // The session may have ended meanwhile.
      if (!isCurrent()) undo()
    }
  }

  async #add(session: SessionHooks, owner: SessionOwner, signal: AbortSignal): Promise<() => void> {
    const { command } = owner
    const { hooks, problems, unsupported } = readHooks(command.hooks, this.options.strict)
    const refused = await whyRefused(owner, this.ctx, signal)
    if (refused !== undefined) {
      if (hooks.length > 0)
        this.#report(
          command,
          'hooks-not-registered',
          'hooks',
          `The hooks of the ${nameOf(command)} do not run: ${refused.reason}.`,
          refused.hint,
        )
      return () => undefined
    }
    const bound = hooks.length > 0 && (await isBound(owner, this.ctx, signal))
    if (signal.aborted) throw abortError(signal)
    return session.registered.add(owner, () => {
      for (const { field, message, hint } of problems)
        this.#report(command, 'invalid-hook', field, `"${field}" of the ${nameOf(command)} ${message}.`, hint)
      const other = describeUnsupported(unsupported)
      if (other !== undefined)
        this.#report(
          command,
          'unsupported-hook',
          other.field,
          `${other.message}, of the ${nameOf(command)}.`,
          other.hint,
        )
      return hooks.map(hook => ({
        ...hook,
        owner,
        isBound: bound,
        isDone: session.isDone(owner, hook),
        turn: Promise.resolve(),
        tools: this.#matcherOf(command, hook),
      }))
    })
  }

  #matcherOf(command: PromptCommand, { matcher, field }: Pick<ActiveHook, 'matcher' | 'field'>): Matcher {
    return new Matcher(matcher, this.options.matchLimitMs, (name, why) =>
      this.#report(
        command,
        'undecided-matcher',
        field,
        `The matcher of "${field}" of the ${nameOf(command)} ${why} for the tool ${JSON.stringify(name.slice(0, 100))}, and counts as matching.`,
        'Write an expression without a repetition within a repetition.',
      ),
    )
  }

  #decide(
    session: SessionHooks,
    event: SkillHookEvent,
    payload: HookPayload,
    signal: AbortSignal,
  ): MaybePromise<HookVerdict> {
    const hooks = hooksFor(session, event, payload)
    return hooks.length === 0 ? pass : this.#track(this.#ask(hooks, event, payload, [signal, this.ctx.signal]))
  }

  /** Removes the hooks of a session, and runs those of its end. */
  async #end(payload: HookPayload, signals: readonly AbortSignal[]): Promise<HookVerdict> {
    const { sessionId } = payload
    const session = this.#sessions.get(sessionId)
    if (session === undefined) return pass
    const hooks = hooksFor(session, 'SessionEnd', payload)
    this.drop(sessionId)
    return this.#ask(hooks, 'SessionEnd', payload, signals)
  }

  /** Runs hooks one after the other: each sees the changes of those before. */
  async #ask(
    hooks: readonly ActiveHook[],
    event: SkillHookEvent,
    payload: HookPayload,
    signals: readonly AbortSignal[],
  ): Promise<HookVerdict> {
    let verdict = pass
    for (const hook of hooks) {
      const { problem, unheeded = [], verdict: own } = await this.#inTurn(hook, event, payload, signals)
      for (const signal of signals) if (signal.aborted) throw abortError(signal)
      const { command } = hook.owner
      if (problem !== undefined)
        this.#report(
          command,
          'hook-failed',
          hook.field,
          `The hook "${hook.field}" of the ${nameOf(command)} ${problem[0]}.`,
          problem[1],
        )
      if (unheeded.length > 0) this.#reportUnheeded(hook, unheeded)
      verdict = joinedVerdict(verdict, own)
      if (isSettled(event, own)) return verdict
    }
    return verdict
  }

  /**
   * Reports ignored answers once for each hook: one that is asked before each call of a tool would flood the
   * diagnostics.
   */
  #reportUnheeded({ field, owner: { command } }: ActiveHook, keys: readonly string[]): void {
    const hook = JSON.stringify([command.source, command.name, command.filePath, field])
    if (this.#unheeded.has(hook)) return
    this.#unheeded.add(hook)
    this.ctx.report(unheededProblem(command, field, keys))
  }

  #inTurn(
    hook: ActiveHook,
    event: SkillHookEvent,
    payload: HookPayload,
    signals: readonly AbortSignal[],
  ): ReturnType<typeof runHook> {
    const run = async (): ReturnType<typeof runHook> => {
      // Another run was first.
      if (hook.isDone) return { verdict: pass, isSuccess: true }
      const lost = await whyNotAnyMore(hook, this.ctx, signals[0])
      if (lost !== undefined) return { verdict: pass, isSuccess: false, problem: lost }
      const answer = await runHook(hook, event, payload, { host: this.ctx.host, options: this.options, signals })
      // A hook that blocks goes on blocking.
      if (hook.isOnce && answer.isSuccess && answer.verdict.block !== true && answer.verdict.stop !== true)
        hook.isDone = true
      return answer
    }
    if (!hook.isOnce) return run()
    const mine = hook.turn.then(run)
    // A caller that gives up returns at once. Closing waits until the hook has ended.
    hook.turn = this.#track(mine.catch(messageOf))
    return withDeadline(() => mine, { signals })
  }

  async #track<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work)
    try {
      return await work
    } finally {
      this.#running.delete(work)
    }
  }

  #report(command: PromptCommand, code: string, field: string, message: string, hint: string): void {
    this.ctx.report(hookProblem(command, code, field, message, hint))
  }
}
