import { KindTrial, type KindFixture } from '../kind-trial.js'
import type { MaybePromise } from '@skills/core'
import type { ContractRule } from '../../contract/contract-rule.js'
import type { Runner, RunProgress, RunRequest, RunResult, ToolCall } from '@skills/invocation'

/**
 * One scripted answer of the model: a text, calls of the tool `Note` with one text each, or both; a repetition of the
 * last message that the model received; no answer at all; or a failure.
 */
export type RunnerStep =
  | { readonly says: string; readonly notes?: readonly string[] }
  | { readonly repeats: true }
  | { readonly waits: true }
  | { readonly fails: string }

/** Answers of every sub-agent of a fixture, from the first to the last. */
export type RunnerScript = readonly RunnerStep[]

/** Runner whose model follows a script, with a tool `Note` that only records its text. */
export interface RunnerFixture extends KindFixture<Runner> {
  /**
   * Returns what each sub-agent has read so far, in the order in which they started: system prompt, messages, tool
   * results and further instructions.
   */
  read(): MaybePromise<readonly string[]>
  /** Returns the texts of the calls of `Note` that were executed. */
  noted(): readonly string[]
  /** Returns the number of sub-agents that are running. */
  working(): MaybePromise<number>
  /** Resolves when a sub-agent reaches a step that waits. */
  waiting(): Promise<void>
}

/** Makes a runner that follows a script. Called once for each case, and more often if a rule needs several scripts. */
export type MakeRunner = (script: RunnerScript) => MaybePromise<RunnerFixture>

/**
 * Abilities that a runner may lack: `tools`, if it does not control the tools of its sub-agents; `steps`, if it cannot
 * limit their answers; `progress`, if it reports nothing before the end; `continuation`, if a sub-agent ends with its
 * answer.
 */
export type RunnerLack = 'tools' | 'steps' | 'progress' | 'continuation'

export type RunnerRule = ContractRule<RunnerTrial, RunnerLack>

/** Record of the permissions that a sub-agent asked for, the tools it used and its progress. */
export class Watched {
  readonly asked: ToolCall[] = []
  readonly used: { readonly call: ToolCall; readonly result: unknown }[] = []
  readonly progress: RunProgress[] = []
  #count = 0

  /** Makes a request that allows everything unless `parts` say otherwise. */
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
  /** Returns the result of a run. A failure breaks the rule. */
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

  /** Breaks the rule if a sub-agent is still at work. */
  async expectQuiet({ fixture }: StartedRunner, when: string): Promise<void> {
    const working = await fixture.working()
    if (working > 0) this.broken(`${working} sub-agents are still at work ${when}.`)
  }
}

export function isNote({ tool, content, input }: ToolCall, text: string): boolean {
  return tool === 'Note' && `${content} ${JSON.stringify(input)}`.includes(text)
}
