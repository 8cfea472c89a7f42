import { abortError, messageOf, type ContentBlock } from '@skills/core'
import type { RunRequest, RunUsage } from '@skills/invocation'
import type { ModelMessage, UserModelMessage } from 'ai'
import { modelFailure } from './failure.js'
import { incompleteAnswer } from './incomplete-answer.js'
import { streamSettings } from './stream-settings.js'
import type { Run } from './run.js'
import type { SaidBesides } from './said-besides.js'
import { userContent } from './model-messages.js'

export interface Said {
  readonly text: string
  readonly usage: RunUsage
}

/**
 * Answers until one calls no tool and the agent may stop with it, or there are no more.
 * @param besides what the tools of the run have the model told
 */
export async function agentTurns(
  run: Run,
  progress: RunRequest['progress'],
  besides: SaidBesides,
  signal: AbortSignal,
): Promise<Said> {
  const {
    request: { maxSteps, messages: first },
  } = run
  let messages: readonly ModelMessage[] = firstMessages(first)
  let usage: RunUsage = {}
  for (;;) {
    const { messages: more, ...said } = await answersTo(messages, { ...run, usage, besides }, progress, signal)
    usage = said.usage
    // What has no answer left need not be asked; it may have called tools to the last.
    const next = (usage.steps ?? 0) < maxSteps ? await nextMessage(run, said.text, signal) : undefined
    if (next === undefined) return said
    messages = [...messages, ...more, ...firstMessages([next])]
  }
}

/** What the agent goes on with; undefined: it stops, also where that cannot be found out. */
async function nextMessage(
  { request, report }: Run,
  text: string,
  signal: AbortSignal,
): Promise<readonly ContentBlock[] | undefined> {
  try {
    const next = await request.onStop?.(text)
    if (!signal.aborted) return next
  } catch (error) {
    if (!signal.aborted) {
      report({
        severity: 'warning',
        type: 'source',
        code: 'stop-unasked',
        message: `Whether the agent ${request.agentId} may stop could not be found out, so it did: ${messageOf(error)}`,
      })
      return undefined
    }
  }
  throw abortError(signal)
}

interface Turn extends Run {
  /** Of the turns before. */
  readonly usage: RunUsage
  readonly besides: SaidBesides
}

/** Answers until one calls no tool, or there are no more. */
async function answersTo(
  messages: readonly ModelMessage[],
  run: Turn,
  progress: RunRequest['progress'],
  signal: AbortSignal,
): Promise<Said & { readonly messages: readonly ModelMessage[] }> {
  const { ai, model, tools, request, usage, besides } = run
  const { steps: before = 0 } = usage
  const stream = ai.streamText({
    model,
    tools,
    messages: [...messages],
    prepareStep: given => ({ messages: besides.within(given.messages) }),
    abortSignal: signal,
    // Not the other way round: without a number there must be an end as well.
    stopWhen: ({ steps }) => !(before + steps.length < request.maxSteps),
    ...streamSettings(run),
  })
  let text = ''
  let steps = before
  let { inputTokens, outputTokens } = usage
  for await (const part of stream.fullStream) {
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
      const incomplete = incompleteAnswer(`the agent ${request.agentId}`, part.finishReason)
      if (incomplete !== undefined) run.report(incomplete)
    }
  }
  // Read only here: read earlier, it would reject without a handler when the stream fails.
  const { messages: more } = await stream.response
  return { text, usage: { inputTokens, outputTokens, steps }, messages: more }
}

function sum(total: number | undefined, more: number | undefined): number | undefined {
  return more === undefined ? total : (total ?? 0) + more
}

/** The messages that a conversation begins with, in the form of the AI SDK. */
function firstMessages(messages: readonly (readonly ContentBlock[])[]): UserModelMessage[] {
  return messages.map(blocks => ({ role: 'user', content: userContent(blocks) }))
}
