import type { Clock, KindAccess, SetupContext } from '@skills/core'
import type { RunRequest, Tracer } from '@skills/invocation'
import type { ToolSet } from 'ai'
import type { AiLibrary } from './ai-library.js'
import type { AnswerCount } from './journaled-model.js'
import type { Model } from './options.js'
import type { StreamSettings } from './stream-settings.js'

/** Values with which a sub-agent runs. */
export interface Run extends StreamSettings {
  readonly ai: AiLibrary
  readonly request: RunRequest
  readonly model: Model
  readonly tools: ToolSet
  readonly contentOf: (tool: string, input: unknown) => string
  /** Count of answers. Only for a recorded run. */
  readonly count?: AnswerCount | undefined
  readonly tracers: KindAccess<Tracer>
  /** Ends of cancelled answers, which are waited for at the end of the run. */
  readonly endings?: ReadonlySet<Promise<void>> | undefined
  readonly closeMs: number
  readonly clock: Clock
  readonly report: SetupContext['report']
}
