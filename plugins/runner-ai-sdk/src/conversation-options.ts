import type { Diagnostic, MaybePromise } from '@skills/core'
import type { AgentSession } from '@skills/host/session'
import type { AgentSessionOptions, SessionCall, SessionProgress, ShownCall } from '@skills/host/internal'
import type { ModelMessage, ToolSet } from 'ai'
import type { AiSdkRunnerOptions, Model, ProviderOptions } from './options.js'

/** Object that opens sessions: the result of `openSkills()` of `@skills/host`. */
export interface SessionHost {
  session(options: Omit<AgentSessionOptions, 'distribution'>, call?: SessionCall): Promise<AgentSession>
}

/**
 * Options of a conversation. Options that the runner of forks has too have the same names and meanings there. Options
 * of the session are passed to the session.
 */
export interface ConversationOptions
  extends
    Pick<AiSdkRunnerOptions, 'contentOf' | 'maxRetries' | 'maxOutputTokens' | 'idleMs' | 'maxAnswerChars' | 'closeMs'>,
    Pick<AgentSessionOptions, 'onAsk' | 'onUntrusted' | 'contextWindow' | 'id' | 'effort' | 'reason'> {
  /** Model of the conversation. A function is called for each answer, for a host whose user changes the model. */
  readonly model: Model | (() => MaybePromise<Model>)
  /**
   * Returns the model of a name that a skill sets. If it returns undefined, `model` is used, with a warning. Default:
   * returns undefined.
   */
  readonly modelFor?: ((name: string) => MaybePromise<Model | undefined>) | undefined
  /**
   * The host's own tools; each has to have an `execute`. A function is called for each line of the user. The Skill tool
   * comes after them.
   */
  readonly tools?: ToolSet | (() => MaybePromise<ToolSet>) | undefined
  /** System text before the conversation. */
  readonly system?: string | undefined
  /** Converts an effort to options of the provider. Default: `effortOptions`. */
  readonly effortFor?: ((effort: string | number, model: Model) => ProviderOptions) | undefined
  /**
   * Fraction of the context window in use, from 0 to 1, at which the conversation is compacted automatically. Default
   * 0.8.
   */
  readonly compactAt?: number | undefined
  /** Most times that hooks of `Stop` may make the model continue after one line of the user. Default 8. */
  readonly maxContinuations?: number | undefined
  /** Called with every event that a person may want to see. */
  readonly progress: (event: ConversationProgress) => void
  readonly onDiagnostic: (diagnostic: Diagnostic) => void
  /** Stored result of `state()`. The conversation continues from there. Parts that cannot be restored are reported. */
  readonly state?: unknown
  /**
   * Messages of an earlier conversation without its state. Its active skills are lost, which is reported. Default:
   * those of `state`, else none.
   */
  readonly messages?: readonly ModelMessage[] | undefined
}

/** Event of a conversation. */
export type ConversationProgress =
  | SessionProgress
  | { readonly type: 'text'; readonly text: string }
  /** A call that is made, or a call that failed. */
  | ({ readonly type: 'tool' } & ShownCall)
  | ({ readonly type: 'failed'; readonly message: string } & ShownCall)
  /** An answer of the model and its calls are finished. `steps` counts the answers since the user's line. */
  | { readonly type: 'step'; readonly steps: number }
  /** The conversation was compacted automatically, or could not be. */
  | { readonly type: 'compacted'; readonly compaction: Compaction }

/**
 * Result of compacting a conversation: the active skills, whose texts are kept, or the reason why the conversation was
 * not compacted.
 */
export type Compaction = { readonly skills: readonly string[] } | { readonly refusal: string }
