import {
  hookDecision,
  hookReminder,
  type HookPayload,
  type Hooks,
  type HookVerdict,
  type SkillHookEvent,
  type ToolCall,
} from '@skills/invocation'
import type { HookDecision, UseCall } from '@skills/invocation/internal'
import { SkillsError, type ContentBlock, type KindAccess } from '@skills/core'

export interface ForkHooksParts {
  readonly hooks: KindAccess<Hooks>
  readonly agentId: string
  readonly sessionId: string | undefined
  /** Name of the skill. */
  readonly name: string
  /** Most times that hooks may make it continue. */
  readonly maxContinuations: number
  /** Most answers of the model. */
  readonly maxSteps: number
  readonly report: UseCall['report']
  /**
   * Settles when it is written that this process has the run. Hooks are no steps of the run, so they wait for it.
   * Rejects if another process has taken the run over.
   */
  written(): Promise<void>
  /** Reports the message of a hook for a person. */
  tell(event: { readonly type: 'message'; readonly hookEvent: SkillHookEvent; readonly text: string }): void
  /** Returns a text as the sub-agent may read it. */
  tells(text: string): string
  /** Ends the fork. */
  end(failure: SkillsError): void
}

/** Asks the hooks of skills on behalf of one fork, and acts on their answers. */
export class ForkHooks {
  /** Texts of hooks for calls that are being made. */
  readonly #waiting: string[] = []
  #continuations = 0
  /** True if the runner has asked whether the sub-agent may stop. A runner that never asks cannot continue it. */
  #isAsked = false
  /** True if the hooks, or their limit, have let it stop with its latest answer. */
  #mayStop = false
  #written: Promise<void> | undefined
  #steps = 0

  constructor(private readonly parts: ForkHooksParts) {}

  /** Returns the hooks' objection to a call, and text for the model if the call is made. */
  async beforeUse(
    { tool, input, toolUseId }: ToolCall,
    signal: AbortSignal,
  ): Promise<{ readonly objection: HookDecision | undefined; readonly besides: string | undefined }> {
    const verdict = await this.#ask('PreToolUse', { toolName: tool, toolInput: input, toolUseId }, signal)
    return { objection: hookDecision(tool, verdict), besides: hookReminder('PreToolUse', verdict, { toolName: tool }) }
  }

  /** Keeps text for the model until the next result. */
  keep(besides: string | undefined): void {
    if (besides !== undefined) this.#waiting.push(besides)
  }

  /** Returns text that the model reads besides the result of a call. */
  async afterUse(
    { tool, input, toolUseId }: ToolCall,
    result: unknown,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const verdict = await this.#ask(
      'PostToolUse',
      { toolName: tool, toolInput: input, toolResponse: result, toolUseId },
      signal,
    )
    this.keep(hookReminder('PostToolUse', verdict, { toolName: tool }))
    return this.#waiting.length === 0 ? undefined : this.parts.tells(this.#waiting.splice(0).join('\n'))
  }

  /**
   * Records a step of the sub-agent.
   * @param steps answers so far
   */
  stepped(steps: number): void {
    this.#steps = Math.max(this.#steps, steps)
  }

  /** Returns the message with which the sub-agent continues instead of stopping; undefined lets it stop. */
  async nextMessage(answer: string, signal: AbortSignal): Promise<readonly ContentBlock[] | undefined> {
    this.#isAsked = true
    const reason = await this.#objection(answer, signal)
    this.#mayStop = reason === undefined
    if (reason === undefined) return undefined
    this.#continuations += 1
    return [{ type: 'text', text: this.parts.tells(reason) }]
  }

  /**
   * Tells the hooks of the last answer, unless they know it. Reports an objection that can no longer have an effect.
   */
  async stopped(answer: string, steps: number | undefined, signal: AbortSignal): Promise<void> {
    if (this.#mayStop) return
    this.stepped(steps ?? 0)
    const reason = await this.#objection(answer, signal)
    if (reason === undefined) return
    const isOutOfSteps = this.#isAsked || this.#steps >= this.parts.maxSteps
    const [why, hint] = isOutOfSteps
      ? [`it has used all of its ${this.parts.maxSteps} steps`, 'Raise maxSteps.']
      : ['its runner cannot continue a sub-agent that has answered', 'Use a runner that asks onStop.']
    this.#reportUnheeded(why, reason, hint)
  }

  /** Returns why the sub-agent must not stop yet; undefined if it may, or if it has continued often enough. */
  async #objection(answer: string, signal: AbortSignal): Promise<string | undefined> {
    const { maxContinuations } = this.parts
    const {
      block,
      stop,
      reason = 'A hook does not let you stop.',
    } = await this.#ask('SubagentStop', { message: answer, stopHookActive: this.#continuations > 0 }, signal)
    if (block !== true || stop === true) return undefined
    if (this.#continuations < maxContinuations) return reason
    this.#reportUnheeded(
      `hooks have already continued it ${maxContinuations} times`,
      reason,
      'Let the hook allow the stop when stop_hook_active is true, or raise maxContinuations.',
    )
    return undefined
  }

  #reportUnheeded(why: string, reason: string, hint: string): void {
    const { name, report } = this.parts
    report({
      severity: 'warning',
      type: 'source',
      code: 'stop-blocked',
      name,
      message: `The fork of "${name}" ended although a hook asked to continue it, because ${why}. The hook said: ${reason}`,
      hint,
    })
  }

  async #ask(event: SkillHookEvent, payload: HookPayload, signal: AbortSignal): Promise<HookVerdict> {
    const { agentId, sessionId, end, hooks, name, tell, written } = this.parts
    if (hooks.ids.length === 0) return {}
    await (this.#written ??= written())
    const verdict =
      (await hooks.first((one, call) => one.decide(event, { ...payload, agentId, sessionId }, call), { signal })) ?? {}
    for (const text of verdict.messages ?? []) tell({ type: 'message', hookEvent: event, text })
    // A sub-agent that is about to stop needs only to be let.
    if (verdict.stop === true && event !== 'SubagentStop') {
      end(
        new SkillsError(
          'E_DENIED',
          `A hook of ${event} ended the fork of "${name}": ${(verdict.reason ?? 'it gave no reason').replace(/\.$/, '')}.`,
          { hint: 'Check the hooks of the active skills.' },
        ),
      )
    }
    return verdict
  }
}
