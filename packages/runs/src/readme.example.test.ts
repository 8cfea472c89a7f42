import { processHost } from '@skills/core'
import { tempTree } from '@skills/testing'
import { expect, test } from 'vitest'
// #region usage
import { isEnded, openRuns, reportOf, type RunAnswer } from '@skills/runs'
import type { Host } from '@skills/core'

/** Answers the question of every run that waits, and returns the reports of those that have ended. */
async function lookAfterRuns(host: Host, decide: (sentence: string) => RunAnswer) {
  const runs = openRuns(host)
  const reports: (string | undefined)[] = []
  for (const run of await runs.find()) {
    // A journal that cannot be read has a problem, and the other runs are still found.
    if ('problem' in run) reports.push(run.problem.message)
    else if (run.question !== undefined) await runs.answer(run.id, run.question.id, decide(run.question.message))
    else if (isEnded(run)) reports.push(reportOf(run))
  }
  return reports
}
// #endregion usage

test('the example of the README looks after runs', async () => {
  const tree = tempTree({})
  const host = processHost({ home: tree.path, env: {} })
  try {
    const runs = openRuns(host)
    const skill = { name: 'deploy', source: 'project', digest: 'a1' }
    const spec = { skill, args: '', caller: 'user', agent: 'general-purpose', tools: { without: [] } } as const
    const more = { limits: { maxSteps: 5, ms: 1000 }, session: 's', depth: 0, isBackground: true }
    for (const id of ['one', 'two']) await runs.submit({ ...spec, ...more, id })
    await (await runs.take('one')).end({ state: 'done', result: 'Shipped.' })
    const held = await runs.take('two')
    const question = { id: 'q', kind: 'permission', tool: 'Bash', content: 'git push', message: 'Push?' } as const
    await held.ask(question).catch(() => {})
    const asked: string[] = []
    expect(await lookAfterRuns(host, sentence => (asked.push(sentence), 'allow'))).toEqual([
      'The skill "deploy" ended in the background: Shipped.',
    ])
    expect(asked).toEqual(['Push?'])
    expect((await runs.get('two')).state).toBe('queued')
  } finally {
    tree.dispose()
  }
})
