import type { MaybePromise } from '@skills/core'
import type { KindFixture } from '../kind-fixture.js'
import type { Runner } from '@skills/invocation'

/**
 * One answer of the model that the suite wants: a text, calls of the tool `Note` with a text each, or both; the text of
 * the last message that it was given; none ever; or a failure of the model.
 */
export type RunnerStep =
  | { readonly says: string; readonly notes?: readonly string[] }
  | { readonly repeats: true }
  | { readonly waits: true }
  | { readonly fails: string }

/** What every sub-agent of a fixture does, from its first answer to its last. */
export type RunnerScript = readonly RunnerStep[]

/** A runner whose model does what a script says, with a tool `Note` that only remembers its text. */
export interface RunnerFixture extends KindFixture<Runner> {
  /**
   * What each sub-agent was given to read so far, in the order in which they began: system prompt, messages, results of
   * tools and what is said besides.
   */
  read(): MaybePromise<readonly string[]>
  /** Texts of the calls of `Note` that were really made. */
  noted(): readonly string[]
  /** Sub-agents that are at work. */
  working(): MaybePromise<number>
  /** Resolves once a sub-agent has come to a step that waits. */
  waiting(): Promise<void>
}

/**
 * Makes a runner that plays a script; called anew for every case, and more than once where a rule is about several
 * scripts.
 */
export type MakeRunner = (script: RunnerScript) => MaybePromise<RunnerFixture>

/**
 * What a runner may do without: `tools`, since what its sub-agents use is not in its hands; `steps`, since no limit can
 * say when a sub-agent has to end; `progress`, since it hears of nothing before the end; `continuation`, since a
 * sub-agent that has answered is over.
 */
export type RunnerLack = 'tools' | 'steps' | 'progress' | 'continuation'
