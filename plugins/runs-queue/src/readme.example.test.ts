import { systemClock, type Host as AnyHost } from '@skills/core'
import { fakeHost, tempTree } from '@skills/testing'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { realPostgres } from '../test/real-postgres.mjs'
// #region usage
import { openQueuedRuns } from '@skills/runs-queue'
import type { Host } from '@skills/core'

/** Returns the questions of the runs on a queue. */
async function questionsOf(host: Host, url: string): Promise<readonly string[]> {
  const runs = openQueuedRuns(host, { url })
  try {
    const waiting = await runs.find({ states: ['waiting', 'indeterminate'] })
    return waiting.flatMap(run => ('problem' in run ? [] : (run.question?.message ?? [])))
  } finally {
    await runs.close()
  }
}
// #endregion usage

const server = await realPostgres()

describe.skipIf(server.missing !== undefined)(`the README${server.missing ?? ''}`, () => {
  afterAll(() => server.dispose())

  test('has an example that says what runs wait for', async () => {
    const home = tempTree({})
    onTestFinished(() => home.dispose())
    const host: AnyHost = fakeHost({ clock: systemClock, home: home.path, uid: process.getuid?.() })
    expect(await questionsOf(host, server.url)).toEqual([])
    const runs = openQueuedRuns(host, { url: server.url })
    const skill = { name: 'deploy', source: 'project', digest: 'a1' }
    const more = { limits: { maxSteps: 5, ms: 1000 }, session: 's', depth: 0, isBackground: true }
    const spec = {
      id: 'one',
      skill,
      args: '',
      caller: 'user',
      agent: 'general-purpose',
      tools: { without: [] },
    } as const
    await runs.submit({ ...spec, ...more })
    const held = await runs.take('one')
    const question = {
      id: 'q',
      kind: 'permission',
      tool: 'Bash',
      content: 'git push',
      message: 'May it push?',
    } as const
    await expect(held.ask(question)).rejects.toMatchObject({ name: 'AbortError' })
    expect(await questionsOf(host, server.url)).toEqual(['May it push?'])
    await runs.close()
  })
})
