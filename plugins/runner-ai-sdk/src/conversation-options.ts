import type { Diagnostic, Effort, MaybePromise } from '@skills/core'
import type { InvokerOptions, OnAsk, OnUntrusted, Outcome, SkillHookEvent } from '@skills/invocation'
import type { EnginePortOptions, SkillToolOptions } from '@skills/invocation/skill-tool'
import type { ModelMessage, ToolSet } from 'ai'
import type { AiSdkRunnerOptions, Model, ProviderOptions } from './options.js'

/** What a conversation and the runner of its forks share is given to both in the same words. */
export interface ConversationOptions extends Pick<
  AiSdkRunnerOptions,
  'contentOf' | 'maxRetries' | 'maxOutputTokens' | 'idleMs' | 'maxAnswerChars' | 'closeMs'
> {
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
  /** Tokens of the model. Undefined: not known, and the conversation is shortened only when it is told to be. */
  readonly contextWindow?: number | undefined
  /**
   * How much of the context window may be in use before the conversation is shortened by itself, from 0 to 1. Default
   * 0.8.
   */
  readonly compactAt?: number | undefined
  /** How often hooks of `Stop` may have the model go on after one line of the user. Default 8. */
  readonly maxContinuations?: number | undefined
  /** Asked when no rule decides. Default: none, which denies. */
  readonly onAsk?: OnAsk | undefined
  /** Asked when the user typed the name of a skill in a place that is not trusted. Default: none, which denies. */
  readonly onUntrusted?: OnUntrusted | undefined
  /** Told of everything that a person might want to see, as it happens. */
  readonly progress: (event: ConversationProgress) => void
  readonly onDiagnostic: (diagnostic: Diagnostic) => void
  /**
   * The distribution that the engine is made of, for its ways of invoking skills and of listing them. Default: those of
   * `standard`.
   */
  readonly distribution?:
    | { readonly invoker?: InvokerOptions; readonly port?: EnginePortOptions; readonly tool?: SkillToolOptions }
    | undefined
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
  /** Default: that of `state`, else the host's where no open session has it, else a random UUID. */
  readonly sessionId?: string | undefined
  /**
   * What the model is asked with, and `${CLAUDE_EFFORT}` stands for, unless a skill at work says otherwise. Default:
   * that of `state`, else the model's own.
   */
  readonly effort?: Effort | undefined
}

/** A call of a tool, as a person is to see it. */
interface ShownCall {
  readonly tool: string
  /** As rules are compared with. */
  readonly content: string
  /** Of the fork that wanted to make it; absent for the conversation itself. */
  readonly agentId?: string
}

/** What a conversation tells while it goes on. */
export type ConversationProgress =
  /** What became of a command that the user typed. */
  | { readonly type: 'outcome'; readonly outcome: Outcome }
  | { readonly type: 'text'; readonly text: string }
  /** A call that is made; one that is not, and why; one that failed. */
  | ({ readonly type: 'tool' } & ShownCall)
  | ({ readonly type: 'refused' | 'failed'; readonly message: string } & ShownCall)
  /** An answer of the model is over, with all its calls; how many there were since the user's line. */
  | { readonly type: 'step'; readonly steps: number }
  /** What a hook has for the user. */
  | { readonly type: 'message'; readonly hookEvent: SkillHookEvent; readonly text: string; readonly agentId?: string }
  /** A hook ended what was being done, and why. */
  | { readonly type: 'blocked'; readonly hookEvent: SkillHookEvent; readonly message: string }
  /** The conversation was shortened by itself, or could not be. */
  | { readonly type: 'compacted'; readonly compaction: Compaction }

/**
 * What came of shortening a conversation: the skills that were at work, whose texts it goes on with; or why it stays as
 * it is.
 */
export type Compaction = { readonly skills: readonly string[] } | { readonly refusal: string }
