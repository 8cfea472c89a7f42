import type { Diagnostic, MaybePromise } from '@skills/core'
import type { AgentSession } from '@skills/host/session'
import type { AgentSessionOptions, SessionCall, SessionProgress, ShownCall } from '@skills/host/internal'
import type { ModelMessage, ToolSet } from 'ai'
import type { AiSdkRunnerOptions, Model, ProviderOptions } from './options.js'

/** What sessions are opened with: what `openSkills()` of `@skills/host` gave. */
export interface SessionHost {
  session(options: Omit<AgentSessionOptions, 'distribution'>, call?: SessionCall): Promise<AgentSession>
}

/**
 * What a conversation and the runner of its forks share is given to both in the same words; what it and its session
 * share is that of the session.
 */
export interface ConversationOptions
  extends
    Pick<AiSdkRunnerOptions, 'contentOf' | 'maxRetries' | 'maxOutputTokens' | 'idleMs' | 'maxAnswerChars' | 'closeMs'>,
    Pick<AgentSessionOptions, 'onAsk' | 'onUntrusted' | 'contextWindow' | 'id' | 'effort' | 'reason'> {
  /** A function is asked for each answer, for a host whose user changes the model meanwhile. */
  readonly model: Model | (() => MaybePromise<Model>)
  /**
   * The model of a name that a skill asks for. Undefined: there is none of this name, and `model` goes on, with a
   * warning. Default: there is none.
   */
  readonly modelFor?: ((name: string) => MaybePromise<Model | undefined>) | undefined
  /**
   * The host's own tools; each has to have an `execute`. A function is asked for each line of the user. The Skill tool
   * comes after them.
   */
  readonly tools?: ToolSet | (() => MaybePromise<ToolSet>) | undefined
  /** What precedes the conversation. */
  readonly system?: string | undefined
  /** How an effort is put to the provider. Default: `effortOptions`. */
  readonly effortFor?: ((effort: string | number, model: Model) => ProviderOptions) | undefined
  /**
   * How much of the context window may be in use before the conversation is shortened by itself, from 0 to 1. Default
   * 0.8.
   */
  readonly compactAt?: number | undefined
  /** How often hooks of `Stop` may have the model go on after one line of the user. Default 8. */
  readonly maxContinuations?: number | undefined
  /** Told of everything that a person might want to see, as it happens. */
  readonly progress: (event: ConversationProgress) => void
  readonly onDiagnostic: (diagnostic: Diagnostic) => void
  /**
   * What `state()` of a conversation gave, from wherever it was kept: it goes on where it was. What cannot be restored
   * is reported.
   */
  readonly state?: unknown
  /**
   * Messages alone, of a conversation that is taken up again: what was at work in it is lost, which is reported.
   * Default: those of `state`, else none.
   */
  readonly messages?: readonly ModelMessage[] | undefined
}

/** What a conversation tells while it goes on. */
export type ConversationProgress =
  | SessionProgress
  | { readonly type: 'text'; readonly text: string }
  /** A call that is made; one that failed. */
  | ({ readonly type: 'tool' } & ShownCall)
  | ({ readonly type: 'failed'; readonly message: string } & ShownCall)
  /** An answer of the model is over, with all its calls; how many there were since the user's line. */
  | { readonly type: 'step'; readonly steps: number }
  /** The conversation was shortened by itself, or could not be. */
  | { readonly type: 'compacted'; readonly compaction: Compaction }

/**
 * What came of shortening a conversation: the skills that were at work, whose texts it goes on with; or why it stays as
 * it is.
 */
export type Compaction = { readonly skills: readonly string[] } | { readonly refusal: string }
