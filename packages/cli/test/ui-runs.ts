import { processHost } from '@skills/core'
import { openRuns } from '@skills/runs'

/** Records a finished run and one that waits for an answer, as a host with this home would. */
export async function recordRuns(home: string): Promise<void> {
  const runs = openRuns(processHost({ home, env: {} }))
  const skill = { name: 'deploy', source: 'project', digest: 'a1' }
  const spec = { skill, args: 'staging', caller: 'user', agent: 'general-purpose', tools: { without: [] } } as const
  const more = { limits: { maxSteps: 5, ms: 1000 }, session: 's', depth: 0, isBackground: true }
  for (const id of ['done-1', 'waits-1']) {
    await runs.submit({ ...spec, ...more, id })
    const held = await runs.take(id)
    for (const [key, title] of Object.entries({ first: 'the model', second: 'Bash npm run build' }))
      await held.journal.step({ kind: 'tool', key, input: key, idempotent: true, title }, async begin => {
        await begin()
        return 'made'
      })
    if (id === 'done-1') await held.end({ state: 'done', result: '# Shipped\n\nAll of <b>it</b>.' })
    else {
      const question = {
        id: 'q',
        kind: 'permission',
        tool: 'Bash',
        content: 'git push',
        message: 'May it push?',
      } as const
      // No host answers, so the run is parked and the promise rejects.
      await held.ask(question).catch(() => {})
    }
  }
}

/** Returns the state of a run. */
export async function stateOfRun(home: string, id: string): Promise<string> {
  return (await openRuns(processHost({ home, env: {} })).get(id)).state
}
