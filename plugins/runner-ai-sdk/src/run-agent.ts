import { abortError, isAbortError, messageOf, withDeadline, type Clock, type SetupContext } from '@skills/core'
import type { RunRequest, RunResult, RunUsage } from '@skills/invocation'
import type { ToolSet } from 'ai'
import { modelFailure } from './failure.js'
import { firstMessages } from './first-messages.js'
import { ToolCalls } from './tool-calls.js'
import type { AiLibrary } from './ai-library.js'
import type { AiSdkRunnerOptions, Model, ProviderOptions } from './options.js'

export interface Run extends Pick<AiSdkRunnerOptions, 'maxRetries' | 'maxOutputTokens'> {
  readonly ai: AiLibrary
  readonly request: RunRequest
  readonly model: Model
  readonly tools: ToolSet
  readonly system: string | undefined
  readonly providerOptions: ProviderOptions | undefined
  readonly contentOf: (tool: string, input: unknown) => string
  readonly closeMs: number
  readonly clock: Clock
  readonly report: SetupContext['report']
}

/** One sub-agent, from its first message to its end, on every path of which nothing of it goes on. */
export async function runAgent(run: Run, signal: AbortSignal): Promise<RunResult> {
  const { clock, request } = run
  const startedAt = clock.now()
  // Ends with the run, which the caller's signal need not.
  const own = new AbortController()
  const { contentOf, report, closeMs } = run
  let isHeard = true
  const progress: RunRequest['progress'] = event => {
    if (own.signal.aborted || !isHeard) return
    try {
      request.progress(event)
    } catch (error) {
      isHeard = false
      report({ severity: 'warning', type: 'source', code: 'progress-failed', message: `Whoever is told of the agent ${request.agentId} failed: ${messageOf(error)}` })
    }
  }
  const calls = new ToolCalls({ request, progress, contentOf, signal: own.signal, report })
  try {
    const tools = calls.guard(run.tools)
    // Not every model listens to a signal.
    const { text, usage } = await withDeadline(inner => {
      inner.addEventListener('abort', () => own.abort(inner.reason))
      return converse({ ...run, tools }, progress, own.signal).catch((error: unknown) => {
        // A broken connection is thrown, where everything else comes in the stream.
        throw isAbortError(error) && own.signal.aborted ? error : modelFailure(run.model, error)
      })
    }, { signals: [signal] })
    return { text, usage: { ...usage, ms: clock.now() - startedAt } }
  } finally {
    own.abort(new Error('The run is over.'))
    await calls.ended(clock, closeMs)
  }
}

async function converse(run: Run, progress: RunRequest['progress'], signal: AbortSignal): Promise<{ readonly text: string; readonly usage: RunUsage }> {
  const { ai, model, tools, system, request, providerOptions, maxRetries, maxOutputTokens } = run
  const { fullStream } = ai.streamText({
    model, tools,
    ...system !== undefined && { system },
    messages: firstMessages(request.messages),
    abortSignal: signal,
    // Not the other way round: without a number there must be an end as well.
    stopWhen: ({ steps }) => !(steps.length < request.maxSteps),
    ...providerOptions && { providerOptions },
    ...maxRetries !== undefined && { maxRetries },
    ...maxOutputTokens !== undefined && { maxOutputTokens },
    // They come in the stream as well; without this they are printed.
    onError: () => {},
  })
  let text = ''
  let steps = 0
  let inputTokens: number | undefined
  let outputTokens: number | undefined
  for await (const part of fullStream) {
    if (signal.aborted || part.type === 'abort') throw abortError(signal)
    if (part.type === 'error') throw modelFailure(model, part.error)
    if (part.type === 'start-step') text = ''
    if (part.type === 'text-delta') {
      text += part.text
      progress({ type: 'text', text: part.text })
    }
    if (part.type === 'finish-step') {
      steps += 1
      inputTokens = sum(inputTokens, part.usage.inputTokens)
      outputTokens = sum(outputTokens, part.usage.outputTokens)
      progress({ type: 'step', steps })
      if (part.finishReason === 'length' || part.finishReason === 'content-filter') {
        const why = part.finishReason === 'length' ? 'it had no room left' : 'the provider held the rest back'
        run.report({ severity: 'warning', type: 'source', code: 'answer-incomplete', message: `An answer of the agent ${request.agentId} ended early: ${why}.` })
      }
    }
  }
  return { text, usage: { inputTokens, outputTokens, steps } }
}

function sum(total: number | undefined, more: number | undefined): number | undefined {
  return more === undefined ? total : (total ?? 0) + more
}
