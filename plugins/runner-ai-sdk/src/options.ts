import * as s from '@skills/core/schema'
import type { Effort, MaybePromise } from '@skills/core'
import type { RunRequest } from '@skills/invocation'
import type { streamText, ToolSet, wrapLanguageModel } from 'ai'

type SdkModel = Parameters<typeof wrapLanguageModel>[0]['model']
type SdkProviderOptions = NonNullable<Parameters<typeof streamText>[0]['providerOptions']>

/** Model of any provider of the AI SDK, such as the result of `anthropic('…')`. */
export interface Model extends SdkModel {}

/** Options for single providers, by provider. */
export interface ProviderOptions extends SdkProviderOptions {}

export const aiSdkRunnerOptions = s.options('aiSdkRunner()', {
  /** Model of the parent. A function is called for each run, for a host whose user changes the model. */
  model: s.either(s.typed<Model>('a model'), s.fn<(request: RunRequest) => MaybePromise<Model>>()).required(),
  /**
   * Returns the model of a name that a skill or an agent sets. If it returns undefined, `model` is used, with a
   * warning. Default: returns undefined.
   */
  modelFor: s.fn<(name: string, request: RunRequest) => MaybePromise<Model | undefined>>(),
  /**
   * The host's tools. A function is called for each run, for example to make a Skill tool that passes on the depth.
   * Every call is asked about; `needsApproval` of a tool is ignored.
   */
  tools: s
    .either(s.typed<ToolSet>('tools by name'), s.fn<(request: RunRequest) => MaybePromise<ToolSet>>())
    .default({}),
  /** System text for an agent without a prompt of its own. */
  system: s.either(s.text(), s.fn<(request: RunRequest) => MaybePromise<string | undefined>>()),
  /** Returns the text that rules about a tool are compared with. Default: `toolContent` of `@skills/invocation`. */
  contentOf: s.fn<(tool: string, input: unknown) => string>(),
  /** Converts an effort to options of the provider. Default: {@link effortOptions}. */
  effortFor: s.fn<(effort: Effort, model: Model) => ProviderOptions>(),
  /** Most repetitions of a request that was refused for a temporary reason. Default 2. */
  maxRetries: s.number(),
  /** Most tokens of one answer. Default: the limit of the provider. */
  maxOutputTokens: s.number(),
  /**
   * Milliseconds without any part of an answer after which it fails (`E_TIMEOUT`); `Infinity` for no limit. Default
   * 300,000.
   */
  idleMs: s.number({ above: 0 }),
  /**
   * Most UTF-16 code units of one answer with its reasoning and calls. A longer one fails (`E_PROVIDER_FAILED`);
   * `Infinity` for no limit. Default 8,000,000.
   */
  maxAnswerChars: s.number({ above: 0 }),
  /** Milliseconds in which tools may finish after a run is aborted. */
  closeMs: s.number().default(2000),
})

export interface AiSdkRunnerOptions extends s.OptionsOf<typeof aiSdkRunnerOptions> {}
