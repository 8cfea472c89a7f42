import type { ContentBlock, Effort, MaybePromise } from '@skills/core'
import type { PermissionDecisionShape } from '../permission/permission-shape.js'

/** Which tools a sub-agent has, as `ToolLimits` of `@skills/invocation`. */
export interface ToolLimitsShape {
  readonly only?: readonly string[] | undefined
  readonly without: readonly string[]
}

/** A call of a tool, as `ToolCall` of `@skills/invocation`. */
export interface ToolCallShape {
  readonly tool: string
  readonly content: string
  readonly input: unknown
  readonly toolUseId?: string | undefined
}

/** What a runner tells while it runs, as `RunProgress` of `@skills/invocation`. */
export type RunProgressShape =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool'; readonly tool: string; readonly content: string }
  | { readonly type: 'step'; readonly steps: number }

/** A sub-agent to be run to its end, as `RunRequest` of `@skills/invocation`. */
export interface RunRequestShape {
  readonly agentId: string
  readonly sessionId?: string | undefined
  readonly agentType: string
  readonly system?: string | undefined
  readonly messages: readonly (readonly ContentBlock[])[]
  readonly tools: ToolLimitsShape
  readonly model?: string | undefined
  readonly effort?: Effort | undefined
  readonly maxSteps: number
  readonly depth: number
  authorize(call: ToolCallShape): Promise<PermissionDecisionShape>
  used(call: ToolCallShape, result: unknown): Promise<string | void>
  readonly onStop?: ((text: string) => Promise<readonly ContentBlock[] | undefined>) | undefined
  progress(event: RunProgressShape): void
}

/** What a run took, as `RunUsage` of `@skills/invocation`. */
export interface RunUsageShape {
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  readonly steps?: number | undefined
  readonly ms?: number | undefined
}

/** What a sub-agent gives, as `RunResult` of `@skills/invocation`. */
export interface RunResultShape {
  readonly text: string
  readonly usage?: RunUsageShape | undefined
}

/** A runner that is set up, as `Runner` of `@skills/invocation`. */
export interface RunnerShape {
  run(request: RunRequestShape, call: { readonly signal: AbortSignal }): MaybePromise<RunResultShape>
}
