import { abortError, messageOf, type ContentBlock } from '@skills/core'
import type { RunRequest, RunUsage } from '@skills/invocation'
import type { ModelMessage, UserModelMessage } from 'ai'
import { modelFailure } from './failure.js'
import { incompleteAnswer } from './incomplete-answer.js'
import { conversationOf, responseMessages } from './response-messages.js'
import { streamSettings } from './stream-settings.js'
import type { Run } from './run.js'
import type { SaidBesides } from './said-besides.js'
import { userContent } from './model-messages.js'

export interface Said {
  readonly text: string
  readonly usage: RunUsage
}

/**
 * Asks the model for answers until an answer calls no tool and the agent may stop, or until the limit is reached.
 * @param besides texts for the model in addition to the results of tools
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
    // Without answers left nothing is asked. The last answer may have called tools.
    const next = (usage.steps ?? 0) < maxSteps ? await nextMessage(run, said.text, signal) : undefined
    if (next === undefined) return said
    messages = [...messages, ...more, ...firstMessages([next])]
  }
}

/** Returns the message with which the agent continues. Undefined if it stops, or if that cannot be determined. */
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
        message: `The agent ${request.agentId} stopped, because the hook that may make it continue failed: ${messageOf(error)}`,
      })
      return undefined
    }
  }
  throw abortError(signal)
}

interface Turn extends Run {
  /** Usage of the turns before. */
  readonly usage: RunUsage
  readonly besides: SaidBesides
}

/** Asks for answers until one calls no tool, or until the limit is reached. */
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
    prepareStep: given => ({ messages: besides.within(conversationOf(given)) }),
    abortSignal: signal,
    // Written with `!`, so that NaN ends the loop as well.
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
  const more = await responseMessages(stream)
  return { text, usage: { inputTokens, outputTokens, steps }, messages: more }
}

function sum(total: number | undefined, more: number | undefined): number | undefined {
  return more === undefined ? total : (total ?? 0) + more
}

/** Converts the first messages of a conversation for the AI SDK. */
function firstMessages(messages: readonly (readonly ContentBlock[])[]): UserModelMessage[] {
  return messages.map(blocks => ({ role: 'user', content: userContent(blocks) }))
}
