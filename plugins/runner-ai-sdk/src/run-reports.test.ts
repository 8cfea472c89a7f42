import { processHost } from '@skills/core'
import { openRuns, type RunSpec, type Runs } from '@skills/runs'
import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { conversing, skill, type Conversing, type Setting } from '../test/conversing.js'
import { says, scriptedModel } from '../test/scripted-model.js'

function place(): Runs {
  const tree = tempTree({})
  onTestFinished(() => tree.dispose())
  return openRuns(processHost({ home: tree.path, env: {} }))
}

const spec = (id: string, session: string): RunSpec => ({
  id,
  skill: { name: 'deploy', source: 'user', digest: 'a1' },
  args: 'staging',
  caller: 'user',
  agent: 'general-purpose',
  tools: { without: [] },
  limits: { maxSteps: 5, ms: 1000 },
  session,
  depth: 0,
  isBackground: true,
})

async function ended(runs: Runs, id: string, session: string): Promise<void> {
  await runs.submit(spec(id, session))
  await (await runs.take(id)).end({ state: 'done', result: `${id} is shipped.` })
}

/** Returns the text about runs that the model reads with a line of the user. */
async function readBy(setting: Omit<Setting, 'model'>): Promise<readonly [Conversing, string]> {
  const model = scriptedModel([says('Yes.')])
  const opened = await conversing({ ...setting, model })
  await opened.conversation.say('Well?')
  return [opened, JSON.stringify(model.sent[0]?.prompt)]
}

test('the report of a run comes to its conversation once, however often that is closed and opened again', async () => {
  const runs = place()
  await ended(runs, 'one', 'talk')
  await ended(runs, 'other', 'another talk')
  const [first, read] = await readBy({ runs, id: 'talk' })
  expect(read).toMatch(/\\"deploy\\" .*: one is shipped\./)
  expect(read).not.toContain('other is shipped')
  const state = JSON.parse(JSON.stringify(await first.conversation.suspend())) as unknown
  expect(state).toMatchObject({ session: { reports: ['one'] } })
  expect((await runs.get('one')).delivered).toBeUndefined()
  // The state was lost, so the report is delivered again to the conversation that never stored it.
  const [, again] = await readBy({ runs, id: 'talk' }).then(async ([opened, text]) => {
    await opened.conversation.suspend()
    return [opened, text] as const
  })
  expect(again).toContain('one is shipped')
  const [third, more] = await readBy({ runs, state })
  expect(more.match(/one is shipped/g)).toHaveLength(1)
  expect((await runs.get('one')).delivered).toBe('talk')
  await third.conversation.close()
  const [, last] = await readBy({ runs, id: 'talk' })
  expect(last).not.toContain('one is shipped')
})

test('a conversation that ends for good has had its reports', async () => {
  const runs = place()
  await ended(runs, 'one', 'talk')
  const [{ conversation }] = await readBy({ runs, id: 'talk' })
  await conversation.close()
  expect((await runs.get('one')).delivered).toBe('talk')
})

test('a run whose process has ended is gone on with when its conversation is opened, and its questions are asked', async () => {
  const runs = place()
  await runs.submit(spec('one', 'talk'))
  const held = await runs.take('one')
  const question = { id: 'q', kind: 'permission', tool: 'Bash', content: 'git push', message: 'Push?' } as const
  await held.ask(question).catch(() => {})
  const asked: string[] = []
  const { conversation } = await conversing({
    model: scriptedModel([says('Yes.')]),
    runs,
    id: 'talk',
    commands: [skill('deploy', { context: 'fork' })],
    onAsk({ request, decision }) {
      asked.push(`${request.tool} ${request.content}: ${decision.message}`)
      return 'allow'
    },
    async execute({ run = '', entry: { name } }) {
      const taken = await runs.take(run)
      await taken.end({ state: 'done', result: `It was: ${await taken.ask(question)}` })
      return { data: { success: true, commandName: name, status: 'forked' }, newMessages: [] }
    },
  })
  await vi.waitFor(async () => expect(await runs.get('one')).toMatchObject({ state: 'done', result: 'It was: allow' }))
  expect(asked).toEqual(['Bash git push: Push?'])
  await vi.waitFor(async () => expect((await conversation.state()).session.reports).toEqual(['one']))
})

test('a run that cannot go on has failed, and the conversation is told why', async () => {
  const runs = place()
  await runs.submit(spec('one', 'talk'))
  const { conversation } = await conversing({ model: scriptedModel([]), runs, id: 'talk' })
  await vi.waitFor(async () => expect(await runs.get('one')).toMatchObject({ error: { code: 'E_UNKNOWN_NAME' } }))
  await vi.waitFor(async () =>
    expect((await conversation.state()).session.news?.join('')).toContain('in the background'),
  )
})
