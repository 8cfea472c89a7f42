import { abortError, isAbortError, SkillsError, type ErrorCode } from '@skills/core'
import type { ForkResult } from './fork.js'
import type { Invocation } from '@skills/invocation'
import type { RunAnswer, RunRecord, Runs, RunSpec } from '@skills/runs'
import type { RunQuestion } from '@skills/runs/internal'

/** Fork that a worker runs. This process waits for it, and can cancel it. */
export class SubmittedRun {
  #over: Promise<void> = Promise.resolve()

  constructor(
    private readonly runs: Runs,
    private readonly spec: RunSpec,
    private readonly invocation: Invocation,
    private readonly closing: AbortSignal,
  ) {}

  /** Settles when it has ended, once {@link SubmittedRun.end} has settled. */
  get over(): Promise<void> {
    return this.#over
  }

  /** Cancels the run, in any process that works on it. */
  async stop(): Promise<void> {
    try {
      await this.runs.cancel(this.spec.id)
    } catch (error) {
      // The run has ended meanwhile.
      if (!SkillsError.is(error) || error.code !== 'E_RUN_STATE') throw error
    }
  }

  /**
   * Waits for its end and emits `fork:ended`. Its questions are put to a person here. Returns undefined if it waits for
   * an answer that this process cannot give; {@link SubmittedRun.over} then waits for the end. Rejects with its error,
   * and with an `AbortError` if it is given up. That cancels the run, unless the engine is closing.
   * @param signals any of them gives it up
   */
  async end(signals: readonly (AbortSignal | undefined)[]): Promise<ForkResult | undefined> {
    return this.#toEnd(signals)
  }

  async #toEnd(signals: readonly (AbortSignal | undefined)[], past?: string): Promise<ForkResult | undefined> {
    const { id: agentId, skill, parentId, toolUseId, isBackground } = this.spec
    const told = { agentId, commandName: skill.name, parentId, toolUseId, isBackground }
    try {
      const result = await this.#result(signals, past)
      if (!('question' in result)) {
        this.invocation.ended({ ...told, ...result })
        return result
      }
      // Another process answers. Its caller is told that it waits, and the host when it ends.
      this.#over = this.#toEnd([], result.question).then(
        // After another question that this process cannot answer, it is over later.
        later => (later === undefined ? this.#over : undefined),
        // The event reports the failure.
        () => {},
      )
      return undefined
    } catch (error) {
      if (!this.closing.aborted) this.invocation.ended({ ...told, error })
      throw error
    }
  }

  async #result(
    signals: readonly (AbortSignal | undefined)[],
    past: string | undefined,
  ): Promise<ForkResult | { readonly question: string }> {
    const signal = AbortSignal.any([this.closing, ...signals].flatMap(one => one ?? []))
    try {
      for (;;) {
        const record = await this.runs.settled(this.spec.id, { signal, past })
        const { question } = record
        if (question === undefined) return resultOf(record)
        const answer = await this.#answer(question, signal)
        if (answer === undefined) return { question: question.id }
        await this.#answered(question, answer)
      }
    } catch (error) {
      if (!isAbortError(error)) throw error
      if (!this.closing.aborted) await this.stop()
      throw signal.aborted ? abortError(signal) : error
    }
  }

  /**
   * Asks a person, or denies by a rule. An allow rule here does not count, since it says nothing about the worker's
   * machine.
   */
  async #answer({ kind, tool, content }: RunQuestion, signal: AbortSignal): Promise<RunAnswer | undefined> {
    if (kind !== 'permission') return undefined
    let isAsked: boolean | undefined
    const { behavior } = await this.invocation.authorize({
      tool,
      content,
      grants: false,
      asking: {
        signal,
        ask(question, onAsk) {
          isAsked = onAsk !== undefined
          return onAsk?.(question) ?? 'deny'
        },
      },
    })
    if (isAsked === true) return behavior === 'allow' ? 'allow' : 'deny'
    return isAsked === undefined && behavior === 'deny' ? 'deny' : undefined
  }

  async #answered({ id }: RunQuestion, answer: RunAnswer): Promise<void> {
    try {
      await this.runs.answer(this.spec.id, id, answer)
    } catch (error) {
      // Another process answered first.
      if (!SkillsError.is(error) || error.code !== 'E_RUN_STATE') throw error
    }
  }
}

function resultOf({ id, skill: { name }, state, result = '', usage, error }: RunRecord): ForkResult {
  if (state === 'done') return { result, usage: { ms: 0, ...usage } }
  const message = error?.message ?? `The fork of "${name}" was cancelled; see the run ${id}.`
  throw new SkillsError((error?.code ?? 'E_PROVIDER_FAILED') as ErrorCode, message)
}
