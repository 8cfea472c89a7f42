import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { Model } from '@skills/runner-ai-sdk'

export interface Endpoint {
  /** Name of the model for the conversation. */
  readonly model: string
  readonly modelFor: (name: string) => Model
  /** Most tokens of one answer. Default: that of the provider. */
  readonly maxOutputTokens?: number
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the endpoint that the environment names. `AGENT_BASE_URL` with `AGENT_PROTOCOL` (`anthropic`, or by default
 * `openai`) and `AGENT_API_KEY` names any server, also a local one. Otherwise `ANTHROPIC_API_KEY` counts, then
 * `OPENAI_API_KEY`. `AGENT_MODEL` is the model. Undefined if none of them is set.
 */
export function endpointOf(env: Environment): Endpoint | undefined {
  const {
    AGENT_BASE_URL: baseURL,
    AGENT_PROTOCOL: protocol,
    AGENT_MODEL: model,
    AGENT_API_KEY,
    ANTHROPIC_API_KEY,
    OPENAI_API_KEY,
  } = env
  if (protocol === 'anthropic' || (baseURL === undefined && ANTHROPIC_API_KEY !== undefined)) {
    const anthropic = createAnthropic({
      apiKey: AGENT_API_KEY ?? ANTHROPIC_API_KEY ?? 'none',
      ...(baseURL !== undefined && { baseURL }),
    })
    return { model: model ?? 'claude-sonnet-5-5', modelFor: name => anthropic(name) }
  }
  if (baseURL === undefined && OPENAI_API_KEY === undefined) return undefined
  if (model === undefined) throw new Error('AGENT_MODEL has to say which model of the endpoint is meant.')
  const apiKey = AGENT_API_KEY ?? OPENAI_API_KEY
  const openai = createOpenAICompatible({
    name: 'endpoint',
    baseURL: baseURL ?? 'https://api.openai.com/v1',
    includeUsage: true,
    ...(apiKey !== undefined && { apiKey }),
  })
  return { model, modelFor: name => openai(name) }
}
