import { createSkills, defineProvider, loadResult, promptCommand, type Plugin } from '@skills/core'
import { invocationKinds, type Invocation } from '@skills/invocation'
import { formatterKind } from '@skills/invocation/skill-tool'
import { fakeClock, fakeHost } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { connect, gate, textOf } from '../test/serving.js'
import { SkillsServer } from './index.js'

/** Makes a server with one skill, `work`, that runs the given function. */
async function servingWork(work: (invocation: Invocation, signal: AbortSignal) => Promise<string>) {
  const clock = fakeClock()
  const plugins: readonly Plugin[] = [
    defineProvider({
      kind: 'source',
      id: 'user',
      contract: 1,
      setup: () => ({
        source: 'user',
        list: () =>
          loadResult({
            commands: [
              promptCommand({ name: 'work', source: 'user', description: 'Works.', load: () => ({ template: '' }) }),
            ],
          }),
      }),
    }),
    {
      kind: 'formatter',
      id: 'none',
      setup: () => ({
        format: () => ({ text: '', entries: [], omitted: [], truncated: [], budgetChars: 0, usedChars: 0 }),
      }),
    },
    {
      kind: 'permission',
      id: 'asks-for-tools',
      setup: () => ({
        check: ({ tool }) => ({
          behavior: tool === 'Skill' ? 'allow' : 'ask',
          message: `Use ${tool}`,
          decisionReason: { type: 'default' },
        }),
      }),
    },
    {
      kind: 'executor',
      id: 'inline',
      setup: () => ({
        execute: async (invocation, { signal }) => ({
          data: { success: true, commandName: 'work', status: 'inline' },
          newMessages: [{ type: 'user', content: await work(invocation, signal) }],
        }),
      }),
    },
  ]
  const skills = createSkills({
    host: fakeHost({ clock }),
    onDiagnostic: () => {},
    kinds: [...invocationKinds, formatterKind],
    plugins,
  })
  const server = await SkillsServer.open({
    skills,
    watches: false,
    answerMs: 1000,
    callMs: 5000,
    onDiagnostic: () => {},
  })
  onTestFinished(async () => {
    await server.close()
    await skills.close()
  })
  return { server, clock }
}

const call = { name: 'Skill', arguments: { skill: 'work' } }

test.each(['auto', 'legacy'] as const)(
  'asks several questions of one call, and does nothing twice (%s)',
  async mode => {
    let begun = 0
    const { server } = await servingWork(async ({ authorize }) => {
      begun++
      const answers = [authorize({ tool: 'Bash', content: 'one' }), authorize({ tool: 'Bash', content: 'two' })]
      const [one, two] = await Promise.all(answers)
      return `${one?.behavior} ${two?.behavior} ${(await authorize({ tool: 'Write', content: 'three' })).behavior}`
    })
    const asked: string[] = []
    const client = await connect(server, {
      mode,
      answer: message => {
        asked.push(message.split('\n')[1] ?? '')
        return !message.includes('two')
      },
    })
    expect(textOf(await client.callTool(call))).toBe('allow deny allow')
    expect([begun, asked]).toEqual([1, ['one', 'two', 'three']])
  },
)

test.each(['auto', 'legacy'] as const)('a call that is cancelled ends, and is told of no more (%s)', async mode => {
  let ended = ''
  const began = gate()
  const over = gate()
  const { server } = await servingWork(
    (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          ended = 'aborted'
          over.open()
          reject(new DOMException('Over.', 'AbortError'))
        })
        began.open()
      }),
  )
  const client = await connect(server, { mode })
  const cancel = new AbortController()
  const calling = client.callTool(call, { signal: cancel.signal })
  void began.opened.then(() => cancel.abort())
  await expect(calling).rejects.toThrow('aborted')
  await over.opened
  expect(ended).toBe('aborted')
})

test.each(['auto', 'legacy'] as const)('tells a client of progress that asks for it (%s)', async mode => {
  const { server } = await servingWork(async ({ progress }) => {
    progress({ type: 'tool', tool: 'Bash', content: 'id' })
    progress({ type: 'step', steps: 2 })
    return 'done'
  })
  const client = await connect(server, { mode })
  const told: unknown[] = []
  await client.callTool(call, { onprogress: progress => told.push(progress) })
  expect(told).toMatchObject([
    { progress: 1, message: 'work: Bash' },
    { progress: 2, message: 'work: step 2' },
  ])
})

test('a question of one client is not answered by another, nor after its time, nor for another call', async () => {
  const { server, clock } = await servingWork(async ({ authorize }) =>
    String((await authorize({ tool: 'Bash', content: 'one' })).behavior),
  )
  // Every round is made by hand: the client sends the question back unchanged.
  const manual = () => connect(server, { answer: () => true, rounds: 'manual' })
  const [mine, other] = [await manual(), await manual()]
  const asked = async () => {
    const { requestState } = Object(await mine.callTool(call, { allowInputRequired: true }))
    return String(requestState)
  }
  const answered = (client: typeof mine, requestState: string, params: object = call) =>
    client.request({
      method: 'tools/call',
      params: {
        ...params,
        requestState,
        inputResponses: { permission: { action: 'accept', content: { allow: true } } },
      },
    })
  const state = await asked()
  await expect(answered(other, state)).rejects.toThrow('Invalid or expired requestState')
  await expect(answered(mine, 'made up')).rejects.toThrow('Invalid or expired requestState')
  await expect(answered(mine, state, { ...call, arguments: { skill: 'work', args: 'else' } })).rejects.toThrow(
    'another call',
  )
  expect(textOf(Object(await answered(mine, state)))).toBe('allow')
  await expect(answered(mine, state)).rejects.toThrow('Invalid or expired requestState')
  const late = await asked()
  await clock.advance(1001)
  await expect(answered(mine, late)).rejects.toThrow('Invalid or expired requestState')
})

test.each(['auto', 'legacy'] as const)('a call that takes too long ends, and says so (%s)', async mode => {
  const began = gate()
  let ended: unknown
  const { server, clock } = await servingWork((_, signal) => {
    signal.addEventListener('abort', () => (ended = signal.reason))
    began.open()
    return new Promise(() => {})
  })
  const client = await connect(server, { mode })
  void began.opened.then(() => clock.advance(5000))
  await expect(client.callTool(call)).rejects.toThrow('The call took longer than 5000 ms.')
  expect(ended).toBeDefined()
})
