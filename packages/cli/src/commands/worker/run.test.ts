import { processHost } from '@skills/core'
import { openQueuedRuns } from '@skills/runs-queue'
import { tempTree } from '@skills/testing'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort, realPostgres } from '../../../../../plugins/runs-queue/test/real-postgres.mjs'
import { runIn, type Ran } from '../../../test/console.js'

const server = await realPostgres()
afterAll(() => server.dispose())

function skills(line: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const tree = tempTree({ home: { dir: true } })
  onTestFinished(() => tree.dispose())
  return runIn(line.split(' '), { cwd: tree.path, home: `${tree.path}/home`, env })
}

test.each([
  ['worker', 'needs the URL of a queue'],
  ['worker --queue postgres://a --concurrency 0', '--concurrency needs a whole number above 0'],
  ['worker --queue postgres://a --model-limit large', 'NAME=8, but was given "large"'],
  ['worker --queue postgres://a --tenant-limit acme=many', 'but was given "many"'],
])('%s is refused, with what it takes', async (line, text) => {
  expect(await skills(line)).toMatchObject({ code: 2, stderr: expect.stringContaining(text) })
})

test('a worker without a runner does not begin, and says where one comes from', async () => {
  const { code, stderr } = await skills('worker --queue postgres://127.0.0.1/none')
  expect([code, stderr]).toEqual([1, expect.stringMatching(/no runner.*--distribution \.\/agent\.mjs/)])
})

test('a queue that cannot be reached is said to be one', async () => {
  const { code, stderr } = await skills(`runs --queue postgres://127.0.0.1:${await freePort()}/none`)
  expect([code, stderr]).toEqual([1, expect.stringMatching(/ECONNREFUSED/)])
})

describe.skipIf(server.missing !== undefined)(`runs on a queue${server.missing ?? ''}`, () => {
  test('are listed, answered and cancelled like those of the state folder, by its URL or the variable', async () => {
    const tree = tempTree({ keys: '# of every host\n' + 'k'.repeat(32) + '\n' })
    onTestFinished(() => tree.dispose())
    const env = { SKILLS_QUEUE: server.url, SKILLS_RUNS_KEY_FILE: `${tree.path}/keys` }
    const runs = openQueuedRuns(processHost({ home: tree.path, env }), { url: server.url })
    onTestFinished(() => runs.close())
    const skill = { name: 'deploy', source: 'project', digest: 'a1' }
    const more = { limits: { maxSteps: 5, ms: 1000 }, session: 's', depth: 0, isBackground: true }
    await runs.submit({ id: 'one', skill, args: 'x', caller: 'user', agent: 'a', tools: { without: [] }, ...more })
    const held = await runs.take('one')
    const question = { id: 'q', kind: 'permission', tool: 'Bash', content: 'git push', message: 'Push it?' } as const
    await expect(held.ask(question)).rejects.toThrow('abort')
    expect((await skills('runs', env)).stdout).toMatch(/^one\twaiting\t.*\tdeploy\tx: Push it\?$/m)
    const answered = await skills(`runs answer o allow --queue ${server.url}`, {
      SKILLS_RUNS_KEY_FILE: env.SKILLS_RUNS_KEY_FILE,
    })
    expect(answered).toMatchObject({ code: 0, stdout: expect.stringMatching(/^one is queued: /) })
    expect((await skills('runs cancel one', env)).stdout).toBe('one is cancelled.\n')
    expect((await skills('runs prune --older-than 0s', env)).stdout).toBe('1 run removed.\n')
  })

  test('are not answered by who has another key, who is told why and what to do', async () => {
    const tree = tempTree({})
    onTestFinished(() => tree.dispose())
    const runs = openQueuedRuns(processHost({ home: tree.path, env: {} }), { url: server.url, name: 'other_key' })
    onTestFinished(() => runs.close())
    const skill = { name: 'deploy', source: 'project', digest: 'a1' }
    const more = { limits: { maxSteps: 5, ms: 1000 }, session: 's', depth: 0, isBackground: true }
    await runs.submit({ id: 'one', skill, args: 'x', caller: 'user', agent: 'a', tools: { without: [] }, ...more })
    const env = { SKILLS_QUEUE: server.url, SKILLS_QUEUE_NAME: 'other_key' }
    expect((await skills('runs', env)).stdout).toMatch(/^one\tunsigned\t/)
    for (const line of ['runs show one', 'runs cancel one', 'runs retry one', 'runs answer one q allow'])
      expect(await skills(line, env)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/run one .* key [0-9a-f]{8}.*SKILLS_RUNS_KEY_FILE/s),
      })
    expect((await runs.journal('one')).length).toBe(1)
    expect((await skills('runs prune --older-than 0s', env)).stdout).toMatch(/^0 runs removed/)
    expect((await runs.get('one')).state).toBe('queued')
    expect((await skills('runs prune --state unsigned', env)).stdout).toBe('1 run removed.\n')
    expect(await runs.find()).toEqual([])
  })
})
