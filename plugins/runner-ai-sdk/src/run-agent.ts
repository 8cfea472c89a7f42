import { isAbortError, withDeadline, type Clock } from '@skills/core'
import { heardProgress } from '@skills/invocation/internal'
import type { RunProgress, RunRequest, RunResult } from '@skills/invocation'
import { agentTurns } from './agent-turns.js'
import { modelFailure } from './failure.js'
import { SaidBesides } from './said-besides.js'
import { ToolCalls } from './tool-calls.js'
import type { Run } from './run.js'

/**
 * Runs one sub-agent from its first message to its end. However it ends, no work of the sub-agent continues afterwards.
 */
export async function runAgent(run: Run, signal: AbortSignal): Promise<RunResult> {
  const { clock, request } = run
  const startedAt = clock.now()
  // Aborts when the run ends, which the caller's signal may not.
  const own = new AbortController()
  const { contentOf, report, closeMs, count, tracers } = run
  const heard = heardProgress<RunProgress>({
    progress: event => request.progress(event),
    report,
    of: `the agent ${request.agentId}`,
  })
  const progress: RunRequest['progress'] = event => {
    if (!own.signal.aborted) heard(event)
  }
  const besides = new SaidBesides()
  const calls = new ToolCalls({
    request,
    count,
    tracers,
    progress,
    contentOf,
    signal: own.signal,
    report,
    say: text => besides.say(text),
  })
  try {
    const tools = calls.guard(run.tools)
    // Some models do not react to a signal.
    const { text, usage } = await withDeadline(
      inner => {
        inner.addEventListener('abort', () => own.abort(inner.reason))
        return agentTurns({ ...run, tools }, progress, besides, own.signal).catch((error: unknown) => {
          // A lost connection is thrown; all other errors are in the stream.
          throw isAbortError(error) && own.signal.aborted ? error : modelFailure(run.model, error)
        })
      },
      { signals: [signal] },
    )
    return { text, usage: { ...usage, ms: clock.now() - startedAt } }
  } finally {
    own.abort(new Error('The run is over.'))
    await Promise.all([calls.ended(clock, closeMs), settledWithin(run.endings, clock, closeMs)])
  }
}

/** Waits for cancelled answers, at most some milliseconds: a model may not react. */
async function settledWithin(endings: ReadonlySet<Promise<void>> | undefined, clock: Clock, ms: number): Promise<void> {
  if (endings === undefined || endings.size === 0) return
  let cancel = (): void => {}
  await Promise.race([
    Promise.allSettled(endings),
    new Promise<void>(resolve => {
      cancel = clock.after(ms, resolve)
    }),
  ])
  cancel()
}
