import { KindTrial } from '../kind-trial.js'
import type { ContractRule } from '../../contract/contract-rule.js'
import type { MakeRunner, RunnerFixture, RunnerLack, RunnerScript } from './runner-fixture.js'
import type { Runner, RunProgress, RunRequest, RunResult, ToolCall } from '@skills/invocation'

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
