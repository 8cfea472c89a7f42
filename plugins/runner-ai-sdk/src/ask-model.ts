import type { Clock } from '@skills/core'
import type { AgentSession } from '@skills/host/session'
import { effortOptions } from './effort-options.js'
import { namedModel } from './named-model.js'
import { oneAnswer, type Answer, type Asked } from './one-answer.js'
import type { ConversationOptions } from './conversation-options.js'

export interface Question extends Pick<Asked, 'ai' | 'messages' | 'tools' | 'onText' | 'tracers'> {
  readonly options: ConversationOptions
  readonly clock: Clock
  readonly session: AgentSession
}

/**
 * Asks the model of a conversation for one answer, with the model and the effort that the active skills set. Rejects
 * with the error of the model.
 */
export async function askModel({ options, session, clock, ...asked }: Question, signal: AbortSignal): Promise<Answer> {
  const { model: own, modelFor, effortFor = effortOptions, onDiagnostic: report } = options
  const { model: name, effort } = session.wanted
  const model = await namedModel(name, {
    own: () => (typeof own === 'function' ? own() : own),
    named: wanted => modelFor?.(wanted),
    onUnknown: ({ modelId }) =>
      report({
        severity: 'warning',
        type: 'validation',
        code: 'unknown-model',
        message: `A skill asks for the model "${name ?? ''}", which is not known here. The model "${modelId}" is used instead.`,
        hint: 'Make modelFor return a model for this name.',
      }),
  })
  const system = await session.system({ own: options.system, signal })
  return oneAnswer(
    {
      ...asked,
      model,
      sessionId: session.id,
      system: system === '' ? undefined : system,
      maxRetries: options.maxRetries,
      maxOutputTokens: options.maxOutputTokens,
      report,
      limits: { idleMs: options.idleMs, maxAnswerChars: options.maxAnswerChars, clock },
      providerOptions: effort === undefined ? undefined : effortFor(effort, model),
    },
    signal,
  )
}
