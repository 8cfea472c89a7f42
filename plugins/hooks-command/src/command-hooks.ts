import { abortError, messageOf, withDeadline, type MaybePromise, type PromptCommand, type SetupContext } from '@skills/core'
import { isHookSource, readHooks, type HookOwner, type HookPayload, type Hooks, type HookVerdict, type SkillHookEvent } from '@skills/invocation'
import { hasHooksFor, hooksFor } from './hook-scope.js'
import { hookProblem, nameOf, unheededProblem } from './hook-problem.js'
import { isSettled, joinedVerdict } from './joined-verdict.js'
import { Matcher } from './matcher.js'
import { Nesting } from './nesting.js'
import { RegisteredHooks, type ActiveHook } from './registered-hooks.js'
import { runHook } from './run-hook.js'
import { isBound, whyNotAnyMore } from './standing.js'
import { whyRefused } from './why-refused.js'
import type { CommandHooksOptions } from './options.js'

export type HooksContext = SetupContext<'trust' | 'source' | 'gate'>

const pass: HookVerdict = Object.freeze({})

/** The hooks of one engine, one session after the other. */
export class CommandHooks implements Hooks {
  readonly #ctx: HooksContext
  readonly #options: Required<CommandHooksOptions>
  readonly #registered = new RegisteredHooks()
  readonly #nesting = new Nesting()
  /** Hooks that were told of that nothing heeds what they say. */
  readonly #unheeded = new Set<string>()
  readonly #running = new Set<Promise<unknown>>()
  /** Aborts when there is no more time for the hooks of the last end. */
  readonly #ending = new AbortController()
  /** Settles when the hooks are registered that hold from the start of the session; undefined before it was begun. */
  #session: Promise<void> | undefined
  #isReady = false
  #hasStarted = false

  constructor(ctx: HooksContext, options: Required<CommandHooksOptions>) {
    this.#ctx = ctx
    this.#options = options
  }

  async register(owner: HookOwner, { signal }: { readonly signal: AbortSignal }): Promise<() => void> {
    await this.#begin(signal)
    return this.#add(owner, signal)
  }

  hasHooks(event: SkillHookEvent, payload: HookPayload): boolean {
    // What a plugin brings along is known once the session has begun; an end need not begin one.
    if (!this.#isReady) return event !== 'SessionEnd' || this.#session !== undefined
    // Beginning and ending are more than asking.
    if (event === 'SessionStart' || event === 'SessionEnd') return true
    return hasHooksFor(this.#registered, this.#nesting, event, payload)
  }

  decide(event: SkillHookEvent, payload: HookPayload, { signal }: { readonly signal: AbortSignal }): MaybePromise<HookVerdict> {
    if (event === 'SessionEnd') return this.#track(this.#end(payload, [signal, this.#ending.signal]))
    if (event === 'SessionStart') this.#hasStarted = true
    if (this.#isReady) return this.#decide(event, payload, signal)
    return this.#begin(signal).then(() => this.#decide(event, payload, signal))
  }

  enter(agentId: string, parentId: string | undefined): void {
    this.#nesting.enter(agentId, parentId)
  }

  forget(agentId: string): void {
    this.#nesting.leave(agentId)
    this.#registered.forget(agentId)
  }

  /** Hears that a session began, where nobody has asked about it already. */
  async sessionStarted(reason: string | undefined): Promise<void> {
    const { signal } = this.#ctx
    if (this.#hasStarted) return
    try {
      await this.decide('SessionStart', { reason }, { signal })
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  async sessionEnded(reason: string | undefined): Promise<void> {
    await this.#track(this.#end({ reason }, [this.#ending.signal]))
  }

  /** Ends the session, and settles when nothing is running any more. */
  async close(): Promise<void> {
    const { host: { clock }, report } = this.#ctx
    const { closeTimeoutMs } = this.#options
    const stop = closeTimeoutMs === Infinity ? undefined : clock.after(closeTimeoutMs, () => {
      this.#ending.abort()
      const message = `The hooks of "SessionEnd" took longer than ${closeTimeoutMs} ms at the end, and were ended.`
      report({ severity: 'warning', type: 'source', code: 'hook-failed', field: 'hooks.SessionEnd', message, hint: 'Make them faster, or give closeTimeoutMs a higher value.' })
    })
    // What still runs of an earlier end has the same time.
    await Promise.allSettled([this.sessionEnded('other'), ...this.#running])
    stop?.()
  }

  /** Registers what plugins bring along. Whoever waits may give up; the others go on waiting. */
  #begin(signal: AbortSignal): Promise<void> {
    if (this.#session === undefined) {
      const session: Promise<void> = this.#registerPlugins(() => this.#session === session).then(() => {
        if (this.#session === session) this.#isReady = true
      })
      this.#session = session
      // Whoever waits for it hears of a failure; where nobody does any more there is nobody to tell.
      session.catch(() => {
        if (this.#session === session) this.#session = undefined
      })
    }
    const begun = this.#session
    return withDeadline(() => begun, { signals: [signal] })
  }

  async #registerPlugins(isCurrent: () => boolean): Promise<void> {
    const { signal, use } = this.#ctx
    const answers = await use('source').each(async (source, call) => isHookSource(source) ? await source.hooks(call) : [], { signal })
    for (const command of answers.flatMap(({ value }) => value)) {
      const verdict = await use('trust').first((trust, call) => trust.judge(command, false, call), { signal })
      const undo = await this.#add({ command, trust: verdict?.level ?? 'untrusted' }, signal)
      // It may have ended meanwhile.
      if (!isCurrent()) undo()
    }
  }

  async #add(owner: HookOwner, signal: AbortSignal): Promise<() => void> {
    const { command } = owner
    const { hooks, problems } = readHooks(command.hooks)
    const refused = await whyRefused(owner, this.#ctx, signal)
    if (refused !== undefined) {
      if (hooks.length > 0) this.#report(command, 'hooks-not-registered', 'hooks', `The hooks of the ${nameOf(command)} do nothing: ${refused.reason}.`, refused.hint)
      return () => undefined
    }
    const bound = hooks.length > 0 && await isBound(command, this.#ctx, signal)
    if (signal.aborted) throw abortError(signal)
    return this.#registered.add(owner, () => {
      for (const { field, message, hint } of problems) this.#report(command, 'invalid-hook', field, `"${field}" of the ${nameOf(command)} ${message}.`, hint)
      return hooks.map(hook => ({ ...hook, owner, isBound: bound, isDone: false, turn: Promise.resolve(), tools: this.#matcherOf(command, hook) }))
    })
  }

  #matcherOf(command: PromptCommand, { matcher, field }: Pick<ActiveHook, 'matcher' | 'field'>): Matcher {
    return new Matcher(matcher, this.#options.matchLimitMs, (name, why) => this.#report(
      command, 'undecided-matcher', field, `The matcher of "${field}" of the ${nameOf(command)} ${why} for the tool ${JSON.stringify(name.slice(0, 100))}, and counts as matching.`,
      'Write an expression without a repetition within a repetition.',
    ))
  }

  #decide(event: SkillHookEvent, payload: HookPayload, signal: AbortSignal): MaybePromise<HookVerdict> {
    const hooks = hooksFor(this.#registered, this.#nesting, event, payload)
    return hooks.length === 0 ? pass : this.#track(this.#ask(hooks, event, payload, [signal, this.#ctx.signal]))
  }

  /** Takes the hooks of the session away, and tells those of its end. */
  async #end(payload: HookPayload, signals: readonly AbortSignal[]): Promise<HookVerdict> {
    const hooks = hooksFor(this.#registered, this.#nesting, 'SessionEnd', payload)
    this.#registered.clear()
    this.#session = undefined
    this.#isReady = false
    this.#hasStarted = false
    return this.#ask(hooks, 'SessionEnd', payload, signals)
  }

  /** One after the other: what one changes, the next sees. */
  async #ask(hooks: readonly ActiveHook[], event: SkillHookEvent, payload: HookPayload, signals: readonly AbortSignal[]): Promise<HookVerdict> {
    let verdict = pass
    for (const hook of hooks) {
      const { problem, unheeded = [], verdict: own } = await this.#inTurn(hook, event, payload, signals)
      for (const signal of signals) if (signal.aborted) throw abortError(signal)
      const { command } = hook.owner
      if (problem !== undefined) this.#report(command, 'hook-failed', hook.field, `The hook "${hook.field}" of the ${nameOf(command)} ${problem[0]}.`, problem[1])
      if (unheeded.length > 0) this.#reportUnheeded(hook, unheeded)
      verdict = joinedVerdict(verdict, own)
      if (isSettled(event, own)) return verdict
    }
    return verdict
  }

  /** Once for each hook: one that is asked before each call of a tool would drown everything else. */
  #reportUnheeded({ field, owner: { command } }: ActiveHook, keys: readonly string[]): void {
    const hook = JSON.stringify([command.source, command.name, command.filePath, field])
    if (this.#unheeded.has(hook)) return
    this.#unheeded.add(hook)
    this.#ctx.report(unheededProblem(command, field, keys))
  }

  #inTurn(hook: ActiveHook, event: SkillHookEvent, payload: HookPayload, signals: readonly AbortSignal[]): ReturnType<typeof runHook> {
    const run = async (): ReturnType<typeof runHook> => {
      // Another has been first.
      if (hook.isDone) return { verdict: pass, isSuccess: true }
      const lost = await whyNotAnyMore(hook, this.#ctx, signals[0])
      if (lost !== undefined) return { verdict: pass, isSuccess: false, problem: lost }
      const answer = await runHook(hook, event, payload, { host: this.#ctx.host, options: this.#options, signals })
      if (hook.isOnce && answer.isSuccess) hook.isDone = true
      return answer
    }
    if (!hook.isOnce) return run()
    const mine = hook.turn.then(run)
    // Whoever gives up goes at once; closing waits for what still ends.
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
    this.#ctx.report(hookProblem(command, code, field, message, hint))
  }
}
