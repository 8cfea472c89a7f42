import { processHost } from '@skills/core'
import { openRuns, type RunSpec } from '@skills/runs'
import type { HeldRun } from '@skills/runs/internal'
import type { Setup } from './setup.js'

const spec = (id: string, name: string, args: string): RunSpec => ({
  id,
  skill: { name, source: 'project', digest: 'a1' },
  args,
  caller: 'user',
  agent: 'general-purpose',
  tools: { without: [] },
  limits: { maxSteps: 5, ms: 600_000 },
  session: 'morning',
  depth: 0,
  isBackground: true,
})

/** Runs that a host recorded: one is done, one failed, one waits for an answer. */
export const runsSetup: Setup = {
  prepare: async ({ home }) => {
    // The table shows whole hours, so half an hour more keeps it the same however long this takes.
    let now = Date.now() - 2.5 * 60 * 60 * 1000
    const clock = { now: () => (now += 1000), after: () => () => {} }
    const runs = openRuns({ ...processHost({ home, env: {} }), clock })
    const begun = async (...args: Parameters<typeof spec>): Promise<HeldRun> => {
      const held = await runs.begin(spec(...args))
      if (held === undefined) throw new Error(`There is a run ${args[0]} already.`)
      return held
    }
    const step = (held: HeldRun, kind: 'model' | 'tool', title: string): Promise<unknown> =>
      held.journal.step({ kind, key: title, input: title, idempotent: kind === 'model', title }, async begin => {
        await begin()
        return title
      })
    const done = await begun('3d6a1f0c', 'release-notes', '2.1')
    await step(done, 'model', 'answer 1 of small')
    await step(done, 'tool', 'Read CHANGELOG.md')
    await step(done, 'model', 'answer 2 of small')
    await done.end({ state: 'done', result: '# 2.1\n\nPrices have a page of their own.' })
    const failed = await begun('8b02c4e7', 'triage', 'issue 12')
    await failed.end({ state: 'failed', error: { code: 'E_TIMEOUT', message: 'The model gave no answer for 60 s.' } })
    const waiting = await begun('c9e5a310', 'deploy', 'main')
    await step(waiting, 'model', 'answer 1 of small')
    const question = {
      id: 'q1',
      kind: 'permission',
      tool: 'Bash',
      content: 'git push',
      message: 'May it push?',
    } as const
    // Nobody answers here, so the run is put aside, and the promise rejects.
    await waiting.ask(question).catch(() => {})
  },
  // The machine and the process that worked on a run.
  masks: [[/(?<=by )\S+ \(\d+\)/g, '…']],
}
