import { KindTrial, type KindFixture } from '../kind-trial.js'
import type { MaybePromise } from '@skills/core'
import type { ContractRule } from '../../contract/contract-rule.js'
import type { Runner, RunProgress, RunRequest, RunResult, ToolCall } from '@skills/invocation'

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

export type RunnerRule = ContractRule<RunnerTrial, RunnerLack>

/** What a sub-agent was allowed, and what was told of it. */
export class Watched {
  readonly asked: ToolCall[] = []
  readonly used: { readonly call: ToolCall; readonly result: unknown }[] = []
  readonly progress: RunProgress[] = []
  #count = 0

  /** A request that allows everything, unless its parts say otherwise. */
  request(parts: Partial<RunRequest> = {}): RunRequest {
    return {
      agentId: `agent-${(this.#count += 1)}`,
      agentType: 'general-purpose',
      messages: [[{ type: 'text', text: 'Do it.' }]],
      tools: { without: [] },
      maxSteps: 50,
      depth: 1,
      authorize: async call => {
        this.asked.push(call)
        return { behavior: 'allow', message: 'It may.', decisionReason: { type: 'default' } }
      },
      used: async (call, result) => void this.used.push({ call, result }),
      progress: event => void this.progress.push(event),
      ...parts,
    }
  }
}

export interface StartedRunner {
  readonly runner: Runner
  readonly fixture: RunnerFixture
  /** What comes of a run; that it fails breaks the rule. */
  run(request: RunRequest): Promise<RunResult>
}

/** One check of one rule about runners. */
export class RunnerTrial extends KindTrial<Runner, MakeRunner> {
  async runner(script: RunnerScript): Promise<StartedRunner> {
    const fixture = await this.made(async () => this.make(script))
    const { value: runner } = await this.start(fixture)
    const { signal } = new AbortController()
    return { runner, fixture, run: request => this.answer('run()', async () => runner.run(request, { signal })) }
  }

  /** Nothing of a sub-agent may be left once its run has ended. */
  async expectQuiet({ fixture }: StartedRunner, when: string): Promise<void> {
    const working = await fixture.working()
    if (working > 0) this.broken(`${working} sub-agents are still at work ${when}.`)
  }
}

export function isNote({ tool, content, input }: ToolCall, text: string): boolean {
  return tool === 'Note' && `${content} ${JSON.stringify(input)}`.includes(text)
}
