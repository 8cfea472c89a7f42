import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { Model } from '@skills/runner-ai-sdk'

export interface Endpoint {
  /** Of the conversation. */
  readonly model: string
  readonly modelFor: (name: string) => Model
  /** Of one answer. Default: what the provider says. */
  readonly maxOutputTokens?: number
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The endpoint that the environment names: `AGENT_BASE_URL` with `AGENT_PROTOCOL` (`anthropic`, or `openai`, the
 * default) and `AGENT_API_KEY` for any server, also a local one; else `ANTHROPIC_API_KEY`, else `OPENAI_API_KEY`.
 * `AGENT_MODEL` is the model. Undefined where there is none of them.
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
