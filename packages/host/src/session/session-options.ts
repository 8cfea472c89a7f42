import { either, fn, number, oneOf, options, text, typed, type OptionsOf } from '@skills/core/schema'
import type { Diagnostic } from '@skills/core'
import type { AskedPermission } from '@skills/invocation/internal'
import type {
  InvokerOptions,
  Message,
  OnUntrusted,
  Outcome,
  SessionValue as EngineSessionValue,
  SkillHookEvent,
  ToolCall,
} from '@skills/invocation'
import type { OnAsk } from '@skills/rules'
import type { EnginePortOptions, SkillToolOptions } from '@skills/invocation/skill-tool'

/** The parts of a distribution that a session uses. */
export interface SessionDistribution {
  readonly invoker?: InvokerOptions | undefined
  readonly port?: EnginePortOptions | undefined
  readonly tool?: SkillToolOptions | undefined
  readonly onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined
}

/** Options that sessions share with the front door. */
export const sharedShape = {
  /** Asked where no rule decides, about skills and the host's tools alike. Default: no one, which denies. */
  onAsk: fn<OnAsk>(),
  /** Asked where a person typed a skill in a place that is not trusted. Default: no one, which denies. */
  onUntrusted: fn<OnUntrusted>(),
  /** Tokens that the model takes, for the budget of the listing. Default: not known. */
  contextWindow: number({ above: 0 }),
  /** Value of `${CLAUDE_EFFORT}`, unless a skill at work sets another. Default: that of `restore`, else none. */
  effort: either(oneOf('low', 'medium', 'high', 'xhigh', 'max'), number()),
  /** Told of what a person might want to see, as it happens. Default: no one. */
  progress: fn<(event: SessionProgress) => void>(),
} as const

export const agentSessionOptions = /* @__PURE__ */ options('AgentSession.open()', {
  ...sharedShape,
  /** The distribution that the engine is made of, for its ways of invoking and listing. Default: those of `standard`. */
  distribution: typed<SessionDistribution>('a distribution'),
  /** Default: that of `restore`, else the host's where no open session has it, else a random UUID. */
  id: text(),
  /** The `value()` of an earlier session. */
  restore: typed<unknown>('the value of a session', () => true),
  /**
   * Where the model reads what skills say: in results of tools and the system prompt, which every framework has
   * (default), or in messages of their own, as the distribution has it.
   */
  gives: oneOf('results', 'messages').default('results'),
  /**
   * Why the session begins, for hooks of `SessionStart`. Default: `startup`, and none is asked where `restore` is given.
   */
  reason: text(),
  /** Told of what goes wrong and ends nothing. Default: who is told of the engine's problems. */
  onDiagnostic: fn<(diagnostic: Diagnostic) => void>(),
})

export type AgentSessionOptions = OptionsOf<typeof agentSessionOptions>

/** A call of one of the host's own tools. */
export type HostCall = Pick<ToolCall, 'tool' | 'input' | 'paths'> & Partial<Pick<ToolCall, 'content' | 'toolUseId'>>

export interface SessionCall {
  readonly signal?: AbortSignal | undefined
}

/** The decision about a call. */
export interface SessionDecision extends AskedPermission {
  /** A message of hooks for the model. */
  readonly told?: string | undefined
}

/** A call of a tool, as a person is to see it. */
export interface ShownCall {
  readonly tool: string
  /** As rules are compared with. */
  readonly content: string
  /** Id of the fork that made the call; absent for the conversation itself. */
  readonly agentId?: string
}

/** An event of a session. */
export type SessionProgress =
  /** Outcome of a command that the user typed. */
  | { readonly type: 'outcome'; readonly outcome: Outcome }
  /** A call that is not made, and why. */
  | ({ readonly type: 'refused'; readonly message: string } & ShownCall)
  /** Message of a hook for the user. */
  | { readonly type: 'message'; readonly hookEvent: SkillHookEvent; readonly text: string; readonly agentId?: string }
  /** A hook ended what was being done, and why. */
  | { readonly type: 'blocked'; readonly hookEvent: SkillHookEvent; readonly message: string }

/** All that a session has at work, as JSON: `value()` gives it, `restore` takes it. */
export interface AgentSessionValue extends EngineSessionValue {
  /** Message for the model, sent with the next line. */
  readonly news?: readonly string[] | undefined
  /** Ids of recorded runs whose reports it has; absent in an engine that keeps no runs. */
  readonly reports?: readonly string[] | undefined
}

/** Result of a line that the user typed. */
export interface SentLine {
  /** One text for the model; for a host's own command, text for the person. */
  readonly text: string
  /** The same as messages of the user, with images. */
  readonly messages: readonly Message[]
  /** Outcomes of the commands that the line begins with; undefined without any. */
  readonly outcomes: readonly Outcome[] | undefined
  /** False if the line was only a command of the host, so that the model has nothing to answer. */
  readonly isForModel: boolean
}

/**
 * What came of shortening a conversation: its summary, and the skills at work with the texts that it goes on with; or
 * why it stays as it is.
 */
export type Shortened =
  | { readonly summary: string; readonly skills: readonly { readonly name: string; readonly content: string }[] }
  | { readonly refusal: string }
