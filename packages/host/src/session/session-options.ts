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

/** Parts of a distribution that a session uses. */
export interface SessionDistribution {
  readonly invoker?: InvokerOptions | undefined
  readonly port?: EnginePortOptions | undefined
  readonly tool?: SkillToolOptions | undefined
  readonly onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined
}

/** Options that sessions share with the front door. */
export const sharedShape = {
  /** Called if no rule decides, about skills and the host's tools alike. Default: such calls are denied. */
  onAsk: fn<OnAsk>(),
  /** Called if a person typed a skill of an untrusted folder. Default: it is denied. */
  onUntrusted: fn<OnUntrusted>(),
  /** Size of the model's context window in tokens, for the budget of the listing. Default: unknown. */
  contextWindow: number({ above: 0 }),
  /** Value of `${CLAUDE_EFFORT}`, unless an active skill sets another. Default: that of `restore`, else none. */
  effort: either(oneOf('low', 'medium', 'high', 'xhigh', 'max'), number()),
  /** Called with events that a person may want to see. Default: none are reported. */
  progress: fn<(event: SessionProgress) => void>(),
} as const

export const agentSessionOptions = /* @__PURE__ */ options('AgentSession.open()', {
  ...sharedShape,
  /** Distribution of the engine, for its invocations and listing. Default: the options of `standard`. */
  distribution: typed<SessionDistribution>('a distribution'),
  /** Default: that of `restore`, else the host's if no open session has it, else a random UUID. */
  id: text(),
  /** The `value()` of an earlier session. */
  restore: typed<unknown>('the value of a session', () => true),
  /**
   * Place of the texts of skills: `results` puts them into tool results and the system prompt, which every framework
   * has. `messages` puts them into separate messages, as the distribution defines.
   */
  gives: oneOf('results', 'messages').default('results'),
  /** Reason for hooks of `SessionStart`. Default: `startup`; with `restore`, no hook is called. */
  reason: text(),
  /** Called with problems that do not end the session. Default: the engine's own `onDiagnostic`. */
  onDiagnostic: fn<(diagnostic: Diagnostic) => void>(),
})

export type AgentSessionOptions = OptionsOf<typeof agentSessionOptions>

/** A call of one of the host's own tools. */
export type HostCall = Pick<ToolCall, 'tool' | 'input' | 'paths'> & Partial<Pick<ToolCall, 'content' | 'toolUseId'>>

export interface SessionCall {
  readonly signal?: AbortSignal | undefined
}

/** Decision about a call of a host's own tool. */
export interface SessionDecision extends AskedPermission {
  /** A message of hooks for the model. */
  readonly told?: string | undefined
}

/** Tool call as it is shown to a person. */
export interface ShownCall {
  readonly tool: string
  /** Text that rules are compared with. */
  readonly content: string
  /** Id of the fork that made the call; absent for the conversation itself. */
  readonly agentId?: string
}

/** An event of a session. */
export type SessionProgress =
  /** Outcome of a command that the user typed. */
  | { readonly type: 'outcome'; readonly outcome: Outcome }
  /** A call that is not made, and the reason. */
  | ({ readonly type: 'refused'; readonly message: string } & ShownCall)
  /** Message of a hook for the user. */
  | { readonly type: 'message'; readonly hookEvent: SkillHookEvent; readonly text: string; readonly agentId?: string }
  /** A hook stopped the work, and the reason. */
  | { readonly type: 'blocked'; readonly hookEvent: SkillHookEvent; readonly message: string }

/** State of a session as JSON: the result of `value()`, and the option `restore`. */
export interface AgentSessionValue extends EngineSessionValue {
  /** Message for the model, sent with the next line. */
  readonly news?: readonly string[] | undefined
  /** Ids of recorded runs whose reports it has. Absent if the engine has no runs. */
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
 * Result of compacting a conversation: its summary, and the active skills with the texts that the shortened
 * conversation begins with; or the reason why it was not compacted.
 */
export type Shortened =
  | {
      readonly summary: string
      readonly skills: readonly { readonly name: string; readonly content: string }[]
      /** One message for the model with the texts of the skills, which says that they are past. Undefined without skills. */
      readonly reminder?: string | undefined
    }
  | { readonly refusal: string }
