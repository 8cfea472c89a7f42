import {
  isAbortError,
  messageOf,
  SkillsError,
  withDeadline,
  type ContentBlock,
  type Host,
  type KindAccess,
} from '@skills/core'
import {
  countUse,
  registerHooks,
  traced,
  type Hooks,
  type Invocation,
  type Runner,
  type RunRequest,
  type RunResult,
  type RunUsage,
  type ToolCall,
  type Tracer,
  type WorkFacts,
} from '@skills/invocation'
import type { UseCall } from '@skills/invocation/internal'
import type { PermissionDecision } from '@skills/rules'
import { conversationOf } from './conversation.js'
import { ForkHooks } from './fork-hooks.js'
import type { AgentDefinition } from './agent.js'
import type { Expander } from '@skills/expansion'
import type { ForkRun } from './fork-run.js'
import type { ForkSettings } from './fork-options.js'
import type { State } from '@skills/state'
import type { Free, ToolGate } from './tool-gate.js'

/** Settings and providers that all forks of an engine share. */
export interface ForkGround {
  readonly settings: ForkSettings
  readonly host: Host
  readonly report: UseCall['report']
  readonly runner: KindAccess<Runner>
  readonly expanders: KindAccess<Expander>
  readonly hooks: KindAccess<Hooks>
  readonly state: KindAccess<State>
  readonly tracers: KindAccess<Tracer>
  /** Signal that aborts when the engine closes. */
  readonly closing: AbortSignal
}

export interface ForkParts {
  readonly agentId: string
  readonly invocation: Invocation
  readonly agent: AgentDefinition
  /** Path of the file that defines the agent; undefined if none does. */
  readonly agentPath: string | undefined
  readonly gate: ToolGate
  /** Gate of the outer fork. */
  readonly around: ToolGate | undefined
  readonly isBackground: boolean
  /** Record of the run; undefined in an engine that keeps no runs. */
  readonly run: ForkRun | undefined
}

/** The fork has ended, but its run continues: it waits for an answer, or another process resumes it. */
export class RunLeft extends Error {
  override readonly name = 'RunLeft'
}

export interface ForkResult {
  readonly result: string
  readonly usage: RunUsage
}

/**
 * One sub-agent, from its hooks to its result. After its end it may do nothing more, even if its runner still works.
 */
export class Fork {
  readonly gate: ToolGate
  readonly #hooks: ForkHooks
  readonly #over = new AbortController()
  /** Reason why it ended; undefined if the caller aborted it. */
  #failure: SkillsError | undefined
  /** Running call of the runner. It may work for a while after it was told to stop. */
  #running: Promise<unknown> = Promise.resolve()

  constructor(
    private readonly ground: ForkGround,
    private readonly parts: ForkParts,
  ) {
    this.gate = parts.gate
    const { agentId, invocation, run } = parts
    const stop = (): void => {
      const reason: unknown = run?.signal.reason
      if (SkillsError.is(reason)) this.#failure ??= reason
      this.stop()
    }
    run?.signal.addEventListener('abort', stop)
    // A run that was cancelled while no process worked on it is aborted from the beginning.
    if (run?.signal.aborted === true) stop()
    const {
      hooks,
      report,
      settings: { maxContinuations, maxSteps },
    } = ground
    this.#hooks = new ForkHooks({
      hooks,
      agentId,
      sessionId: invocation.session?.key,
      name: invocation.entry.name,
      maxContinuations,
      maxSteps,
      report,
      tell: event => invocation.progress({ ...event, agentId }),
      tells: text => invocation.tells?.(text) ?? text,
      written: async () => run?.written(),
      end: failure => this.#fail(failure),
    })
  }

  /** Signal that aborts when the fork is over or has to end. */
  get over(): AbortSignal {
    return this.#over.signal
  }

  /** Settles when the runner has ended. Never rejects. */
  get left(): Promise<unknown> {
    return this.#running.catch(() => {
      // The caller that waits for the fork gets the error.
    })
  }

  stop(): void {
    this.#over.abort()
  }

  /** Record of the run, for runs nested in it. */
  get recorded(): ForkRun | undefined {
    return this.parts.run
  }

  /**
   * Runs the fork and emits `fork:ended` once. If the run moves to another process ({@link RunLeft}), that process
   * emits it.
   * @param signals any of them stops the fork
   * @throws SkillsError `E_TIMEOUT`, `E_PROVIDER_FAILED` (also after {@link Fork.stop}); an `AbortError`; errors of
   * expanding
   */
  async run(signals: readonly (AbortSignal | undefined)[]): Promise<ForkResult> {
    const { agentId, agent, invocation, run } = this.parts
    const { entry, command, caller, session, toolUseId } = invocation
    const facts = {
      agentId,
      agentType: agent.name,
      skill: entry.name,
      source: command.source,
      digest: run?.record.skill.digest,
      trigger: caller,
      session: run?.record.session ?? session?.key,
      model: command.model ?? agent.model,
      toolUseId,
    }
    return traced(
      this.ground.tracers,
      'invoke_agent',
      agent.name,
      () => facts,
      tell => this.#toEnd(signals, tell),
    )
  }

  async #toEnd(signals: readonly (AbortSignal | undefined)[], tell: (more: WorkFacts) => void): Promise<ForkResult> {
    const { agentId, isBackground, invocation, run } = this.parts
    const {
      settings: { limitMs },
      host: { clock },
      report,
    } = this.ground
    const {
      entry: { name },
      agentId: parentId,
      toolUseId,
    } = invocation
    const told = { agentId, commandName: name, parentId, toolUseId, isBackground }
    try {
      const result = await withDeadline(signal => this.#work(signal), {
        signals: [...signals, this.over],
        limit: { ms: limitMs, clock, what: `The fork of "${name}"` },
        onLate: error =>
          report({
            severity: 'info',
            type: 'source',
            code: 'late-failure',
            name,
            message: `The fork of "${name}" failed after the engine had stopped waiting for it: ${messageOf(error)}`,
          }),
      })
      await run?.done(result.result, result.usage)
      invocation.ended({ ...told, ...result })
      const { inputTokens, outputTokens } = result.usage
      tell({ state: 'done', inputTokens, outputTokens, output: result.result })
      return result
    } catch (thrown) {
      const error = this.#failure ?? thrown
      const isOver = await this.#recorded(error)
      tell({ state: isOver === false ? 'left' : isAbortError(error) ? 'cancelled' : 'failed' })
      if (isOver === false) throw new RunLeft('The run continues in another process.', { cause: error })
      invocation.ended({ ...told, error })
      // The engine takes an AbortError without an aborted signal for a failure, and has no message for it.
      const isStopped = isAbortError(error) && signals.every(signal => signal?.aborted !== true)
      throw isStopped
        ? new SkillsError('E_PROVIDER_FAILED', `The fork of "${name}" was told to stop.`, { cause: error })
        : error
    } finally {
      this.#over.abort()
    }
  }

  /**
   * Records the end. Returns true if the run has ended with its fork, false if it continues; undefined if there is no
   * run.
   */
  async #recorded(error: unknown): Promise<boolean | undefined> {
    const { invocation, run } = this.parts
    const { closing, report } = this.ground
    try {
      return await run?.failed(error, closing.aborted)
    } catch (failure) {
      const { name } = invocation.entry
      const message = `The end of the run of "${name}" could not be recorded, so the run will be resumed later: ${messageOf(failure)}`
      report({ severity: 'warning', type: 'source', code: 'run-unrecorded', name, message })
      return true
    }
  }

  async #work(signal: AbortSignal): Promise<ForkResult> {
    const { agentId, agent, agentPath, invocation, around, run } = this.parts
    const {
      settings: { prompt, emptyResult, skillHooks },
      host,
      expanders,
      hooks,
      report,
      state,
    } = this.ground
    const { command, entry } = invocation
    const start = host.clock.now()
    const hooked = skillHooks ? invocation : { ...invocation, command: { ...command, hooks: undefined } }
    const forgetHooks = await registerHooks(hooks, hooked, { signal, forkId: agentId })
    try {
      const effort = command.effort ?? agent.effort
      const expanded = (begin?: () => Promise<void>): ReturnType<typeof conversationOf> =>
        conversationOf({
          invocation,
          agent,
          agentPath,
          effort,
          expanders,
          host,
          signal,
          prompt,
          authorize: async asked => {
            const refused = await this.#refused(
              { tool: asked.tool, content: asked.content, input: asked.content, isFree: asked.isFree },
              around,
            )
            const decision = refused ?? (await invocation.authorize({ ...asked, asking: run?.asking(asked) }))
            // A command is an effect, so a prompt that runs one is not repeated without asking.
            if (decision.behavior === 'allow') await begin?.()
            return decision
          },
        })
      const { skill, args } = run?.record ?? {}
      // The digest identifies it: a record that was read has its properties in another order.
      const conversation = await (run?.step('prompt', [skill?.digest, args], expanded) ?? expanded())
      await countUse(entry.name, state, { clock: host.clock, signal, report })
      const answer = await this.#runnerWith({ ...conversation, effort }, signal)
      await this.#hooks.stopped(answer.text, answer.usage?.steps, signal)
      return {
        result: answer.text === '' ? emptyResult : answer.text,
        usage: { ms: host.clock.now() - start, ...answer.usage },
      }
    } finally {
      forgetHooks()
    }
  }

  async #runnerWith(
    conversation: Pick<RunRequest, 'system' | 'messages' | 'effort'>,
    signal: AbortSignal,
  ): Promise<RunResult> {
    const {
      runner,
      settings: { maxSteps },
    } = this.ground
    const {
      agentId,
      agent,
      invocation: { command, entry, depth, session },
      run,
    } = this.parts
    const request: RunRequest = {
      ...conversation,
      agentId,
      sessionId: session?.key,
      agentType: agent.name,
      tools: this.gate.toolLimits,
      model: command.model ?? agent.model,
      maxSteps,
      depth: depth + 1,
      authorize: call => this.#authorize(call, signal),
      used: async (call, result) =>
        signal.aborted || this.over.aborted ? undefined : this.#hooks.afterUse(call, result, signal),
      onStop: text => this.#next(text, signal),
      progress: event => this.#progress(event),
      journal: run?.journal,
    }
    const answer: unknown = await runner.first(
      async (one, call) => {
        if ((await run?.restartUnless(one.keepsSteps === true)) === true) this.#reportRestart()
        // Kept beside the answer: after an abort, no caller waits for the answer.
        const running = (async () => one.run(request, call))()
        this.#running = running
        return running
      },
      { signal },
    )
    if (isResult(answer)) return answer
    throw new SkillsError('E_PROVIDER_FAILED', `The runner returned no result for "${entry.name}".`, {
      hint: 'A runner has to return { text }, with an empty text if the agent said nothing.',
    })
  }

  /** Asks the hooks for the next message, and records it, so that they are not asked again when the run is replayed. */
  async #next(text: string, signal: AbortSignal): ReturnType<NonNullable<RunRequest['onStop']>> {
    const { run } = this.parts
    if (signal.aborted || this.over.aborted) return undefined
    const next = async (): Promise<readonly ContentBlock[] | null> =>
      (await this.#hooks.nextMessage(text, signal)) ?? null
    return (await (run?.step(`stop ${run.steps}`, text, next) ?? next())) ?? undefined
  }

  #reportRestart(): void {
    const { name } = this.parts.invocation.entry
    this.ground.report({
      severity: 'warning',
      type: 'source',
      code: 'run-starts-over',
      name,
      message: `The run of "${name}" starts from the beginning, because its runner records no steps. Steps that were done before may be done twice.`,
      hint: 'Use a runner that records its steps, such as aiSdkRunner().',
    })
  }

  /** Decides about a call, and tells a person if it is refused. */
  async #authorize(call: ToolCall, signal: AbortSignal): Promise<PermissionDecision> {
    const decision = await this.#decision(call, signal)
    const { agentId, invocation } = this.parts
    const { tool, content } = call
    if (decision.behavior !== 'allow' && !this.over.aborted)
      invocation.progress({ type: 'refused', tool, content, message: decision.message, agentId })
    return { ...decision, message: invocation.tells?.(decision.message) ?? decision.message }
  }

  /** Decides by the limits of the tools, then the hooks, then the rules. Each step can only restrict the one before. */
  async #decision(call: ToolCall, signal: AbortSignal): Promise<PermissionDecision> {
    const { invocation, run } = this.parts
    const { tool, content, paths } = call
    const refused = await this.#refused(call, this.gate)
    if (refused !== undefined) return refused
    try {
      const { besides, objection } = await this.#hooks.beforeUse(call, signal)
      if (objection?.behavior === 'deny') return objection
      const asking = run?.asking(call)
      const grants = this.ground.settings.listedTools === 'grant' ? 'listed' : false
      const decision = await invocation.authorize({ tool, content, paths, grants, objection, asking })
      if (decision.behavior === 'allow') this.#hooks.keep(besides)
      // The fork may have ended while a person was asked.
      return (await this.#refused(call, undefined)) ?? decision
    } catch (error) {
      if (signal.aborted) throw error
      return {
        behavior: 'deny',
        message: `The permission check for ${tool} failed: ${messageOf(error)}`,
        decisionReason: { type: 'failure' },
      }
    }
  }

  async #refused(call: ToolCall & Free, gate: ToolGate | undefined): Promise<PermissionDecision | undefined> {
    if (this.over.aborted)
      return { behavior: 'deny', message: 'The fork has ended.', decisionReason: { type: 'default' } }
    const refusal = await gate?.refuses(call, this.ground.host)
    if (refusal === undefined) return undefined
    const { message, of, rule } = refusal
    return {
      behavior: 'deny',
      message: message.charAt(0).toUpperCase() + message.slice(1),
      decisionReason: { type: 'rule', source: of, rule },
    }
  }

  #progress(event: Parameters<RunRequest['progress']>[0]): void {
    if (this.over.aborted) return
    const { agentId, invocation, run } = this.parts
    const { maxSteps } = this.ground.settings
    invocation.progress({ ...event, agentId })
    if (event.type !== 'step') return
    if (run !== undefined) run.steps = event.steps
    this.#hooks.stepped(event.steps)
    if (event.steps <= maxSteps) return
    this.#fail(
      new SkillsError(
        'E_PROVIDER_FAILED',
        `The fork of "${invocation.entry.name}" took more steps than its limit of ${maxSteps}.`,
        { hint: 'Raise maxSteps, or give the fork a smaller task.' },
      ),
    )
  }

  /** Ends the fork with an error. The first one counts. */
  #fail(failure: SkillsError): void {
    this.#failure ??= failure
    this.stop()
  }
}

function isResult(answer: unknown): answer is RunResult {
  return typeof answer === 'object' && answer !== null && 'text' in answer && typeof answer.text === 'string'
}
