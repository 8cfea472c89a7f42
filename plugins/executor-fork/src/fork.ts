import { isAbortError, messageOf, SkillsError, withDeadline, type Host, type KindAccess } from '@skills/core'
import {
  countUse,
  registerHooks,
  type Hooks,
  type Invocation,
  type PermissionDecision,
  type Runner,
  type RunRequest,
  type RunResult,
  type RunUsage,
  type ToolCall,
  type UseCall,
} from '@skills/invocation'
import { conversationOf } from './conversation.js'
import { ForkHooks } from './fork-hooks.js'
import type { AgentDefinition } from './agent.js'
import type { Expander } from '@skills/invocation/template'
import type { ForkSettings } from './fork-options.js'
import type { State } from '@skills/state'
import type { ToolGate } from './tool-gate.js'

/** What every fork of an engine stands on. */
export interface ForkGround {
  readonly settings: ForkSettings
  readonly host: Host
  readonly report: UseCall['report']
  readonly runner: KindAccess<Runner>
  readonly expanders: KindAccess<Expander>
  readonly hooks: KindAccess<Hooks>
  readonly state: KindAccess<State>
}

export interface ForkParts {
  readonly agentId: string
  readonly invocation: Invocation
  readonly agent: AgentDefinition
  /** The file that defines the agent, where one does. */
  readonly agentPath: string | undefined
  readonly gate: ToolGate
  /** The gate of the fork around it. */
  readonly around: ToolGate | undefined
  readonly isBackground: boolean
}

export interface ForkResult {
  readonly result: string
  readonly usage: RunUsage
}

/** One sub-agent, from its hooks to its result. Once it is over it may do nothing more, even if its runner goes on. */
export class Fork {
  readonly gate: ToolGate
  readonly #ground: ForkGround
  readonly #parts: ForkParts
  readonly #hooks: ForkHooks
  readonly #over = new AbortController()
  /** Why it ended, unless the caller aborted it. */
  #failure: SkillsError | undefined
  /** The runner at work, which may go on for a while after it was told to stop. */
  #running: Promise<unknown> = Promise.resolve()

  constructor(ground: ForkGround, parts: ForkParts) {
    this.#ground = ground
    this.#parts = parts
    this.gate = parts.gate
    const { agentId, invocation } = parts
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
      end: failure => this.#fail(failure),
    })
  }

  /** Aborts when it is over, or is to be. */
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

  /**
   * Runs it to its end and tells of that, once. Rejects with `E_TIMEOUT`, `E_PROVIDER_FAILED` (also where {@link
   * Fork.stop} ended it), an `AbortError`, or what expanding throws.
   * @param signals any of them gives it up
   */
  async run(signals: readonly (AbortSignal | undefined)[]): Promise<ForkResult> {
    const { agentId, isBackground, invocation } = this.#parts
    const {
      settings: { limitMs },
      host: { clock },
      report,
    } = this.#ground
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
            message: `The fork of "${name}" failed after it had been given up: ${messageOf(error)}`,
          }),
      })
      invocation.ended({ ...told, ...result })
      return result
    } catch (thrown) {
      const error = this.#failure ?? thrown
      invocation.ended({ ...told, error })
      // The engine takes an AbortError that no signal of its own stands behind for a failure, and has no sentence for
      // it.
      const isStopped = isAbortError(error) && signals.every(signal => signal?.aborted !== true)
      throw isStopped
        ? new SkillsError('E_PROVIDER_FAILED', `The fork of "${name}" was told to stop.`, { cause: error })
        : error
    } finally {
      this.#over.abort()
    }
  }

  async #work(signal: AbortSignal): Promise<ForkResult> {
    const { agentId, agent, agentPath, invocation, around } = this.#parts
    const {
      settings: { prompt, emptyResult },
      host,
      expanders,
      hooks,
      report,
      state,
    } = this.#ground
    const { command, entry } = invocation
    const start = host.clock.now()
    const forgetHooks = await registerHooks(hooks, invocation, { signal, forkId: agentId })
    try {
      const effort = command.effort ?? agent.effort
      const conversation = await conversationOf({
        invocation,
        agent,
        agentPath,
        effort,
        expanders,
        host,
        signal,
        prompt,
        authorize: async asked =>
          (await this.#refused({ tool: asked.tool, content: asked.content, input: asked.content }, around)) ??
          invocation.authorize(asked),
      })
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
    } = this.#ground
    const {
      agentId,
      agent,
      invocation: { command, entry, depth, session },
    } = this.#parts
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
      onStop: async text => (signal.aborted || this.over.aborted ? undefined : this.#hooks.nextMessage(text, signal)),
      progress: event => this.#progress(event),
    }
    const answer: unknown = await runner.first(
      (one, call) => {
        // Kept beside the answer: once the fork is aborted, no caller waits for the answer.
        const running = (async () => one.run(request, call))()
        this.#running = running
        return running
      },
      { signal },
    )
    if (isResult(answer)) return answer
    throw new SkillsError('E_PROVIDER_FAILED', `The runner gave nothing for "${entry.name}".`, {
      hint: 'It has to give { text }, empty if the agent said nothing.',
    })
  }

  /** Tells a person of a call that is refused. */
  async #authorize(call: ToolCall, signal: AbortSignal): Promise<PermissionDecision> {
    const decision = await this.#decision(call, signal)
    const { agentId, invocation } = this.#parts
    const { tool, content } = call
    if (decision.behavior !== 'allow' && !this.over.aborted)
      invocation.progress({ type: 'refused', tool, content, message: decision.message, agentId })
    return decision
  }

  /** The limits of its tools, then the hooks, then the rules: each can only take away. */
  async #decision(call: ToolCall, signal: AbortSignal): Promise<PermissionDecision> {
    const { invocation } = this.#parts
    const { tool, content } = call
    const refused = await this.#refused(call, this.gate)
    if (refused !== undefined) return refused
    try {
      const { besides, objection } = await this.#hooks.beforeUse(call, signal)
      if (objection?.behavior === 'deny') return objection
      const decision = await invocation.authorize({ tool, content, grants: false, objection })
      if (decision.behavior === 'allow') this.#hooks.keep(besides)
      // The fork may have ended while a person was asked.
      return (await this.#refused(call, undefined)) ?? decision
    } catch (error) {
      if (signal.aborted) throw error
      return {
        behavior: 'deny',
        message: `No one could decide about ${tool}: ${messageOf(error)}`,
        decisionReason: { type: 'failure' },
      }
    }
  }

  async #refused(call: ToolCall, gate: ToolGate | undefined): Promise<PermissionDecision | undefined> {
    if (this.over.aborted)
      return { behavior: 'deny', message: 'The fork has ended.', decisionReason: { type: 'default' } }
    const refusal = await gate?.refuses(call)
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
    const { agentId, invocation } = this.#parts
    const { maxSteps } = this.#ground.settings
    invocation.progress({ ...event, agentId })
    if (event.type !== 'step') return
    this.#hooks.stepped(event.steps)
    if (event.steps <= maxSteps) return
    this.#fail(
      new SkillsError(
        'E_PROVIDER_FAILED',
        `The fork of "${invocation.entry.name}" went on after its ${maxSteps} steps.`,
        { hint: 'Give it a higher maxSteps, or a smaller task.' },
      ),
    )
  }

  /** Ends it for a reason of its own, the first of which counts. */
  #fail(failure: SkillsError): void {
    this.#failure ??= failure
    this.stop()
  }
}

function isResult(answer: unknown): answer is RunResult {
  return typeof answer === 'object' && answer !== null && 'text' in answer && typeof answer.text === 'string'
}
