import * as s from '@skills/core/schema'
import type { Effort, MaybePromise } from '@skills/core'
import type { RunRequest } from '@skills/invocation'
import type { streamText, ToolSet, wrapLanguageModel } from 'ai'

type SdkModel = Parameters<typeof wrapLanguageModel>[0]['model']
type SdkProviderOptions = NonNullable<Parameters<typeof streamText>[0]['providerOptions']>

/** A model of any provider of the AI SDK, as `anthropic('…')` gives it. */
export interface Model extends SdkModel {}

/** What is sent to a provider besides what all of them know, by provider. */
export interface ProviderOptions extends SdkProviderOptions {}

export const aiSdkRunnerOptions = s.options('aiSdkRunner()', {
  /** The parent's model; a function is asked for each run, for a host whose user changes it meanwhile. */
  model: s.either(s.typed<Model>('a model'), s.fn<(request: RunRequest) => MaybePromise<Model>>()).required(),
  /**
   * The model of a name that a skill or an agent asks for. Undefined: there is none of this name, and `model` runs it,
   * with a warning. Default: there is none.
   */
  modelFor: s.fn<(name: string, request: RunRequest) => MaybePromise<Model | undefined>>(),
  /**
   * The host's tools; a function is asked for each run, as for a Skill tool that passes the depth on. Every call is
   * asked about; their `needsApproval` is ignored.
   */
  tools: s
    .either(s.typed<ToolSet>('tools by name'), s.fn<(request: RunRequest) => MaybePromise<ToolSet>>())
    .default({}),
  /** What precedes the conversation of an agent that has no prompt of its own. */
  system: s.either(s.text(), s.fn<(request: RunRequest) => MaybePromise<string | undefined>>()),
  /** What rules about a tool are compared with. Default: `toolContent` of `@skills/invocation`. */
  contentOf: s.fn<(tool: string, input: unknown) => string>(),
  /** How an effort is put to the provider. Default: {@link effortOptions}. */
  effortFor: s.fn<(effort: Effort, model: Model) => ProviderOptions>(),
  /** How often a request that was refused for the time being is made again. Default 2. */
  maxRetries: s.number(),
  /** Tokens of one answer. Default: what the provider says. */
  maxOutputTokens: s.number(),
  /**
   * Milliseconds without any part of an answer after which it is given up (`E_TIMEOUT`); `Infinity` for no limit.
   * Default 300,000.
   */
  idleMs: s.number({ above: 0 }),
  /**
   * UTF-16 code units that one answer may have, with its thoughts and calls (`E_PROVIDER_FAILED`); `Infinity` for no
   * limit. Default 8,000,000.
   */
  maxAnswerChars: s.number({ above: 0 }),
  /** Milliseconds that tools are given to end once a run is aborted. */
  closeMs: s.number().default(2000),
})

export interface AiSdkRunnerOptions extends s.OptionsOf<typeof aiSdkRunnerOptions> {}
