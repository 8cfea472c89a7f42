import type { Clock } from '@skills/core'
import type { Session } from '@skills/invocation'
import type { EnginePort } from '@skills/invocation/skill-tool'
import { effortOptions } from './effort-options.js'
import { namedModel } from './named-model.js'
import { oneAnswer, type Answer, type Asked } from './one-answer.js'
import type { ConversationOptions } from './conversation-options.js'

export interface Question extends Pick<Asked, 'ai' | 'messages' | 'tools' | 'onText' | 'tracers'> {
  readonly options: ConversationOptions
  readonly port: Pick<EnginePort, 'listing'>
  readonly clock: Clock
  readonly session: Session
}

/**
 * One answer of a conversation's model: of the one, and with the effort, that the skills at work ask for. Rejects with
 * its error, once.
 */
export async function askModel(
  { options, port, session, clock, ...asked }: Question,
  signal: AbortSignal,
): Promise<Answer> {
  const {
    model: own,
    modelFor,
    effortFor = effortOptions,
    maxRetries,
    maxOutputTokens,
    idleMs,
    maxAnswerChars,
    onDiagnostic: report,
  } = options
  const { options: { mainLoopModel, maxThinkingTokens } = {}, effortValue = maxThinkingTokens ?? session.effort } =
    session.context
  const model = await namedModel(mainLoopModel, {
    own: () => (typeof own === 'function' ? own() : own),
    named: name => modelFor?.(name),
    onUnknown: ({ modelId }) =>
      report({
        severity: 'warning',
        type: 'validation',
        code: 'unknown-model',
        message: `A skill asks for the model "${mainLoopModel ?? ''}", which is not known here; "${modelId}" goes on.`,
        hint: 'Say in modelFor which model that is.',
      }),
  })
  return oneAnswer(
    {
      ...asked,
      model,
      sessionId: session.id,
      system: await systemOf(options, port, signal),
      maxRetries,
      maxOutputTokens,
      report,
      limits: { idleMs, maxAnswerChars, clock },
      providerOptions: effortValue === undefined ? undefined : effortFor(effortValue, model),
    },
    signal,
  )
}

/** What precedes the conversation, with the skills there are where that is the place to tell of them. */
async function systemOf(
  { system, distribution: { tool: { listingIn } = {} } = {}, contextWindow }: ConversationOptions,
  port: Pick<EnginePort, 'listing'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (listingIn !== 'system') return system
  const { text } = await port.listing({ contextWindow }, { signal })
  return [system ?? '', text].filter(part => part !== '').join('\n\n')
}
