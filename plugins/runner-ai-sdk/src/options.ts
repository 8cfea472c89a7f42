import type { Effort, MaybePromise } from '@skills/core'
import type { RunRequest } from '@skills/invocation'
import type { streamText, ToolSet, wrapLanguageModel } from 'ai'

/** A model of any provider of the AI SDK, as `anthropic('…')` gives it. */
export type Model = Parameters<typeof wrapLanguageModel>[0]['model']

/** What is sent to a provider besides what all of them know, by provider. */
export type ProviderOptions = NonNullable<Parameters<typeof streamText>[0]['providerOptions']>

export interface AiSdkRunnerOptions {
  /** The parent's model; a function is asked for each run, for a host whose user changes it meanwhile. */
  readonly model: Model | ((request: RunRequest) => MaybePromise<Model>)
  /**
   * The model of a name that a skill or an agent asks for. Undefined: there is none of this name, and `model` runs it,
   * with a warning. Default: there is none.
   */
  readonly modelFor?: ((name: string, request: RunRequest) => MaybePromise<Model | undefined>) | undefined
  /**
   * The host's tools; a function is asked for each run, as for a Skill tool that passes the depth on. Every call is
   * asked about; their `needsApproval` is ignored.
   */
  readonly tools?: ToolSet | ((request: RunRequest) => MaybePromise<ToolSet>) | undefined
  /** What precedes the conversation of an agent that has no prompt of its own. */
  readonly system?: string | ((request: RunRequest) => MaybePromise<string | undefined>) | undefined
  /** What rules about a tool are compared with. Default: `toolContent` of `@skills/invocation`. */
  readonly contentOf?: ((tool: string, input: unknown) => string) | undefined
  /** How an effort is put to the provider. Default: {@link effortOptions}. */
  readonly effortFor?: ((effort: Effort, model: Model) => ProviderOptions) | undefined
  /** How often a request that was refused for the time being is made again. Default 2. */
  readonly maxRetries?: number | undefined
  /** Tokens of one answer. Default: what the provider says. */
  readonly maxOutputTokens?: number | undefined
  /**
   * Milliseconds without any part of an answer after which it is given up (`E_TIMEOUT`); `Infinity` for no limit.
   * Default 300,000.
   */
  readonly idleMs?: number | undefined
  /**
   * UTF-16 code units that one answer may have, with its thoughts and calls (`E_PROVIDER_FAILED`); `Infinity` for no
   * limit. Default 8,000,000.
   */
  readonly maxAnswerChars?: number | undefined
  /** Milliseconds that tools are given to end once a run is aborted. Default 2,000. */
  readonly closeMs?: number | undefined
}
