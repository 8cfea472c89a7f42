import { createSkills, type Diagnostic } from '@skills/core'
import { fakeClock, fakeHost } from '@skills/testing'
import { invocationKinds, type RunProgress, type RunRequest, type RunResult, type ToolCall } from '@skills/invocation'
import { aiSdkRunner, type AiSdkRunnerOptions } from '../src/index.js'

export interface Ran {
  readonly result: Promise<RunResult>
  readonly asked: readonly ToolCall[]
  readonly used: readonly { readonly call: ToolCall; readonly result: unknown }[]
  readonly progress: readonly RunProgress[]
  readonly diagnostics: readonly Diagnostic[]
  readonly clock: ReturnType<typeof fakeClock>
  readonly abort: (reason?: unknown) => void
}

/** Runs one sub-agent in its own engine, which is closed when the run ends. */
export function running(options: AiSdkRunnerOptions, request: Partial<RunRequest> = {}): Ran {
  const asked: ToolCall[] = []
  const used: { call: ToolCall; result: unknown }[] = []
  const progress: RunProgress[] = []
  const diagnostics: Diagnostic[] = []
  const clock = fakeClock()
  const controller = new AbortController()
  const skills = createSkills({
    kinds: invocationKinds,
    plugins: [aiSdkRunner(options)],
    host: fakeHost({ clock }),
    onDiagnostic: diagnostic => void diagnostics.push(diagnostic),
  })
  const given: RunRequest = {
    agentId: 'agent-1',
    agentType: 'general-purpose',
    messages: [[{ type: 'text', text: 'Do it.' }]],
    tools: { without: [] },
    maxSteps: 5,
    depth: 1,
    async authorize(call) {
      asked.push(call)
      return { behavior: 'allow', message: 'Yes.', decisionReason: { type: 'host' } }
    },
    async used(call, result) {
      used.push({ call, result })
    },
    progress: event => void progress.push(event),
    ...request,
  }
  async function run(): Promise<RunResult> {
    try {
      const result = await skills
        .use('runner')
        .first((runner, call) => runner.run(given, call), { signal: controller.signal })
      if (result === undefined) throw new Error('There is no runner.')
      return result
    } finally {
      await skills.close()
    }
  }
  return { result: run(), asked, used, progress, diagnostics, clock, abort: reason => controller.abort(reason) }
}
