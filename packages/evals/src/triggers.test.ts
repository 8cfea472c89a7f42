import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSkills, systemClock } from '@skills/core'
import { standard } from '@skills/distributions'
import { fakeHost, tempTree } from '@skills/testing'
import {
  modelServer,
  type ModelAnswer,
  type Fault,
  type ModelRequest,
  type ModelServer,
} from '@skills/testing/model-server'
import { asking, Recordings, trialOptions, triggers, type TriggersOptions } from './index.js'
import type { AskModel } from './model.js'

const skill = (description: string, body = 'Do it.'): string => `---\ndescription: ${description}\n---\n${body}\n`

function project() {
  const tree = tempTree({
    '.git/HEAD': '',
    '.claude/skills/deploy/SKILL.md': skill(
      'Ships the service to staging.',
      'Run !`touch ran` in ${CLAUDE_SESSION_ID}.',
    ),
    '.claude/skills/ship/SKILL.md': skill('Ships the service to staging.'),
  })
  onTestFinished(() => tree.dispose())
  const distribution = standard({
    host: fakeHost({ cwd: tree.path, home: `${tree.path}/home`, clock: systemClock }),
    managed: { dirs: [] },
    onDiagnostic: () => {},
    ...trialOptions,
  })
  const skills = createSkills(distribution)
  onTestFinished(() => skills.close())
  return { tree, skills, distribution }
}

type Reply = (request: ModelRequest, step: number, at: number) => ModelAnswer | Fault

async function model(reply: Reply): Promise<{ readonly server: ModelServer; readonly ask: AskModel }> {
  const stepOf = ({ body }: ModelRequest): number =>
    (body['messages'] as readonly { readonly role: string }[]).filter(({ role }) => role === 'assistant').length
  const server = await modelServer('openai', (request, at) => reply(request, stepOf(request), at))
  onTestFinished(() => server.close())
  return { server, ask: asking(createOpenAICompatible({ name: 'scripted', baseURL: server.url })('small')) }
}

const call = (name: string, input: unknown): ModelAnswer => ({ calls: [{ id: 'call_1', name, input }] })
const use = (name: string): ModelAnswer => call('Skill', { skill: name })
const done: ModelAnswer = { text: 'Done.' }
const queries = [{ id: 'q', prompt: 'Ship it', files: [], allow: [], shouldTrigger: true }]
const cases: TriggersOptions['cases'] = new Map([['deploy', { path: 'evals.json', tasks: [], queries }]])

async function measured(reply: Reply, more: Partial<TriggersOptions> = {}) {
  const { skills, distribution, tree } = project()
  const { server, ask } = await model(reply)
  const found = await triggers({ skills, distribution, ask, cases, trials: 2, concurrency: 1, ...more })
  return { found, query: found.skills[0]?.queries[0], server, tree }
}

describe('a trigger is the invocation of that skill at any step', () => {
  test('at the first', async () => {
    const { query, tree, server } = await measured(() => use('deploy'))
    expect(query).toMatchObject({ triggered: { successes: 2, trials: 2 }, passed: true, invoked: { deploy: 2 } })
    expect(query?.trials[0]).toMatchObject({ end: 'triggered', triggeredAt: 1, steps: 1 })
    // The listing is real, and nothing of the skill was executed.
    expect(JSON.stringify(server.requests[0]?.body)).toContain('deploy: Ships the service to staging.')
    expect(existsSync(`${tree.path}/ran`)).toBe(false)
  })

  test('after three other tools', async () => {
    const steps = [call('List', { path: '.' }), call('Write', { path: 'a', text: 'x' }), call('Read', { path: 'a' })]
    const { query } = await measured((_, step) => steps[step] ?? use('deploy'))
    expect(query?.triggered).toMatchObject({ successes: 2, trials: 2 })
    expect(query?.trials[0]).toMatchObject({ triggeredAt: 4, steps: 4 })
    expect(JSON.stringify(query?.trials[0]?.transcript)).toContain('"value":"x"')
  })

  test('and not that of its twin', async () => {
    const { query } = await measured((_, step) => (step === 0 ? use('ship') : done))
    expect(query).toMatchObject({ triggered: { successes: 0, trials: 2 }, passed: false, invoked: { ship: 2 } })
  })

  test('also where the twin comes first', async () => {
    const { query } = await measured((_, step) => use(step === 0 ? 'ship' : 'deploy'))
    expect(query).toMatchObject({ triggered: { successes: 2 }, invoked: { ship: 2, deploy: 2 } })
  })

  test('none is one of no skill', async () => {
    const { query } = await measured(() => done)
    expect(query).toMatchObject({ triggered: { successes: 0, trials: 2 }, invoked: { '': 2 } })
  })

  test('alternating is half, and more trials would not decide it', async () => {
    const { query, found } = await measured((_, _step, at) => (at % 2 === 0 ? use('deploy') : done), { trials: 4 })
    expect(query).toMatchObject({ triggered: { successes: 2, trials: 4, rate: 0.5 }, moreTrials: undefined })
    expect(found.skills[0]?.recall).toMatchObject({ successes: 2, trials: 4 })
  })
})

describe('what says nothing of the skill is not counted', () => {
  test('a trial that takes too long', async () => {
    const { query } = await measured(() => ({ events: [], ending: 'silence' }), { timeoutMs: 50, trials: 1 })
    expect(query).toMatchObject({ triggered: { successes: 0, trials: 0, low: 0, high: 1 }, passed: false })
    expect(query?.trials[0]).toMatchObject({ end: 'timeout', problem: 'The trial took longer than 50 ms.' })
  })

  test('a model that fails', async () => {
    const { query } = await measured(() => ({ status: 400, body: { error: { message: 'No such model.' } } }))
    expect(query?.trials.map(({ end }) => end)).toEqual(['failed', 'failed'])
    expect(query?.triggered.trials).toBe(0)
  })

  test('a refusal is an answer', async () => {
    const { query } = await measured(() => ({ text: 'I cannot do that.' }))
    expect(query).toMatchObject({ triggered: { successes: 0, trials: 2 } })
  })
})

describe('an answer of a model', () => {
  const tokens = { inputTokens: 1, outputTokens: 1 }

  test('that its provider filtered is a refusal, which counts as none', async () => {
    const { skills, distribution } = project()
    const ask: AskModel = () => Promise.resolve({ content: [], finish: 'content-filter', ...tokens })
    const found = await triggers({ skills, distribution, ask, cases, trials: 2 })
    expect(found.skills[0]?.queries[0]).toMatchObject({
      triggered: { successes: 0, trials: 2 },
      trials: [{ end: 'refused' }, { end: 'refused' }],
    })
  })

  test('goes back to it with what it thought, and what its provider signed that with', async () => {
    const { skills, distribution } = project()
    const thought = { type: 'reasoning' as const, text: 'Look first.', providerMetadata: { any: { signature: 's' } } }
    const look = { type: 'tool-call' as const, toolCallId: 'c', toolName: 'List', input: '{"path":"."}' }
    const asked: unknown[] = []
    const ask: AskModel = ({ call: { prompt }, step }) => {
      asked.push(prompt.at(-2))
      const content = step === 0 ? [thought, look] : []
      return Promise.resolve({ content, finish: 'stop', ...tokens })
    }
    await triggers({ skills, distribution, ask, cases, trials: 1 })
    expect(asked[1]).toMatchObject({
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Look first.', providerOptions: { any: { signature: 's' } } },
        { type: 'tool-call', toolCallId: 'c' },
      ],
    })
  })
})

test('no trial reads or writes outside of its workspace, which is removed', async () => {
  // Other tests make folders of that name in the shared temporary folder.
  const temporary = tempTree({})
  onTestFinished(() => temporary.dispose())
  vi.stubEnv('TMPDIR', temporary.path)
  onTestFinished(() => void vi.unstubAllEnvs())
  const paths = ['/etc/passwd', '../../etc/passwd']
  const workspaces = () => readdirSync(temporary.path).filter(name => name.startsWith('skills-eval-'))
  const during: string[] = []
  const { query } = await measured((_, step) => {
    during.push(...workspaces())
    if (step === 2) return call('Write', { path: '../out', text: 'x' })
    return step < 2 ? call('Read', { path: paths[step] }) : done
  })
  expect(JSON.stringify(query?.trials[0]?.transcript).match(/is outside of the working folder/g)).toHaveLength(3)
  expect(new Set(during).size).toBe(2)
  expect([workspaces(), existsSync(`${temporary.path}/out`)]).toEqual([[], false])
})

test('twenty trials at once give what twenty in a row give', async () => {
  const reply: Reply = ({ body }, step) =>
    step === 0 && JSON.stringify(body['messages']).includes('odd') ? use('ship') : step < 2 ? use('deploy') : done
  const many = new Map([
    [
      'deploy',
      {
        path: 'evals.json',
        tasks: [],
        queries: Array.from({ length: 20 }, (_, at) => ({
          id: `q${at}`,
          prompt: `Ship ${at % 2 === 0 ? 'even' : 'odd'} number ${at}`,
          files: [{ path: 'a.txt', text: String(at) }],
          allow: [],
          shouldTrigger: at % 2 === 0,
        })),
      },
    ],
  ])
  const run = async (concurrency: number): Promise<unknown> => {
    const { found, tree } = await measured(reply, { cases: many, trials: 1, concurrency })
    const text = JSON.stringify(found.skills, (key, value: unknown) => (key === 'ms' ? 0 : value))
    return JSON.parse(text.replaceAll(tree.path, '').replaceAll(/eval-session-[\da-f-]{36}/g, ''))
  }
  expect(await run(20)).toEqual(await run(1))
})

test.each([1, 4])(
  'no more is spent than was said, and a trial that may cost more is not begun: %i at one time',
  async concurrency => {
    // An answer costs 100. Before the first one, the number of tokens of a request is unknown.
    const given = { trials: 40, price: { input: 1e6, output: 0 }, maxCost: 3000, concurrency }
    const { found, server } = await measured(() => done, given)
    expect(found.cost).toBeLessThanOrEqual(3000)
    expect(found.cost).toBeGreaterThanOrEqual(2500)
    expect([found.left, server.requests.length]).toEqual([40 - (found.cost ?? 0) / 100, (found.cost ?? 0) / 100])
    const { found: none } = await measured(() => done, { ...given, maxCost: 10 })
    expect(none).toMatchObject({ cost: 0, left: 40 })
  },
)

test('how long an answer may be follows from what is left', async () => {
  const price = { input: 0, output: 1e6 }
  const { server } = await measured(() => done, { trials: 1, price, maxCost: 1000 })
  expect(server.requests[0]?.body).toMatchObject({ max_tokens: 1000 })
})

describe('recordings', () => {
  const secret = 'hunter2-hunter2'

  test('replay without a model, go on where they were, and hold no secret and no path of this machine', async () => {
    const { tree, skills, distribution } = project()
    const { server, ask } = await model((_, step) => (step === 0 ? { ...use('ship'), text: secret } : use('deploy')))
    const dir = `${tree.path}/recordings`
    const at = (mode: 'record' | 'replay'): Recordings =>
      new Recordings({ dir, mode, model: 'small', places: { project: tree.path }, secrets: [secret] })
    const run = (recordings: Recordings, trials: number) =>
      triggers({ skills, distribution, ask: recordings.over(ask), cases, trials })
    await run(at('record'), 1)
    expect(server.requests).toHaveLength(2)
    const recorded = await run(at('record'), 3)
    expect(server.requests).toHaveLength(6)
    const replay = at('replay')
    const replayed = await run(replay, 3)
    expect(server.requests).toHaveLength(6)
    expect([replay.replayed, replay.stale, replayed.inputTokens]).toEqual([6, [], 0])
    expect(replayed.skills[0]?.recall).toEqual(recorded.skills[0]?.recall)
    const files = readdirSync(`${dir}/deploy`).map(file => readFileSync(`${dir}/deploy/${file}`, 'utf8'))
    expect(files).toHaveLength(6)
    for (const text of files) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(tree.path)
    }
  })

  test('are stale where the listing, the text of a skill or the model changed, and say which', async () => {
    const { tree, skills, distribution } = project()
    const { ask } = await model((_, step) => use(step === 0 ? 'ship' : 'deploy'))
    const at = (mode: 'record' | 'replay', name = 'small'): Recordings =>
      new Recordings({ dir: `${tree.path}/r`, mode, model: name, places: {}, secrets: [] })
    const run = async (recordings: Recordings): Promise<Recordings> => {
      await triggers({ skills, distribution, ask: recordings.over(ask), cases, trials: 1 })
      return recordings
    }
    expect((await run(at('replay'))).stale).toEqual([{ skill: 'deploy', id: 'q', changed: 'none' }])
    await run(at('record'))
    expect((await run(at('replay'))).stale).toEqual([])
    expect((await run(at('replay', 'large'))).stale).toEqual([{ skill: 'deploy', id: 'q', changed: 'model' }])
    tree.write({ '.claude/skills/ship/SKILL.md': skill('Ships the service to staging.', 'Something else.') })
    skills.invalidate()
    expect((await run(at('replay'))).stale).toEqual([{ skill: 'deploy', id: 'q', changed: 'conversation' }])
    tree.write({ '.claude/skills/ship/SKILL.md': skill('Ships another service.') })
    skills.invalidate()
    expect((await run(at('replay'))).stale).toEqual([{ skill: 'deploy', id: 'q', changed: 'listing' }])
  })
})
