import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { processHost } from '@skills/core'
import { openRuns, type RunSpec, type Runs } from '@skills/runs'
import type { HeldRun } from '@skills/runs/internal'
import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { waitOf } from '../../runs/text.js'
import { plain, runIn, type Console, type Ran } from '../../../test/console.js'

const spec = (id: string, parts: Partial<RunSpec> = {}): RunSpec => ({
  id,
  skill: { name: 'deploy', source: 'project', digest: 'a1' },
  args: 'staging',
  caller: 'user',
  agent: 'general-purpose',
  tools: { without: [] },
  limits: { maxSteps: 5, ms: 1000 },
  session: 's',
  depth: 0,
  isBackground: true,
  ...parts,
})

interface Field {
  readonly runs: Runs
  readonly dir: string
  readonly skills: (line: string, more?: Partial<Console>) => Promise<Ran>
}

/** Creates an empty store of a user's runs. The clock shows 5 s after midnight unless a test moves it. */
function field(): Field {
  const tree = tempTree({ home: { dir: true } })
  onTestFinished(() => tree.dispose())
  const home = `${tree.path}/home`
  const dir = `${home}/.local/state/skills/runs`
  let now = 0
  const clock = { now: () => (now += 1000), after: () => () => {} }
  return {
    runs: openRuns({ ...processHost({ home, env: {} }), clock }, { dir }),
    dir,
    skills: (line, more) => runIn(['runs', ...line.split(' ').filter(Boolean)], { cwd: tree.path, home, ...more }),
  }
}

async function begun(runs: Runs, id: string, parts?: Partial<RunSpec>): Promise<HeldRun> {
  const held = await runs.begin(spec(id, parts))
  if (held === undefined) throw new Error(`${id} was there before.`)
  return held
}

const step = (held: HeldRun, kind: 'model' | 'tool', title: string, value: unknown = title): Promise<unknown> =>
  held.journal.step({ kind, key: title, input: 1, idempotent: kind === 'model', title }, async begin => {
    await begin()
    return value
  })

const question = { id: 'q1', kind: 'permission', tool: 'Bash', content: 'git push', message: 'Push it?' } as const

/** Adds a run that waits for an answer. */
async function waiting(runs: Runs, id: string, parts?: Partial<RunSpec>): Promise<void> {
  const held = await begun(runs, id, parts)
  await expect(held.ask(question)).rejects.toThrow('abort')
}

test('the list has what waits for a person first, then the latest; skills runs is the same', async () => {
  const { runs, skills } = field()
  await waiting(runs, 'wait-1')
  await (await begun(runs, 'done-1')).end({ state: 'done', result: 'Shipped.' })
  await (await begun(runs, 'fail-1')).end({ state: 'failed', error: { code: 'E_TIMEOUT', message: 'Too late.' } })
  const ran = await skills('')
  expect(ran).toEqual(await skills('list'))
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout.split('\n').map(line => line.split('\t'))).toEqual([
    ['wait-1', 'waiting', expect.stringMatching(/^1970-01-01T/), 'deploy', 'staging: Push it?'],
    ['fail-1', 'failed', expect.anything(), 'deploy', 'staging: Too late.'],
    ['done-1', 'done', expect.anything(), 'deploy', 'staging'],
    [''],
  ])
  expect((await skills('list --state failed --state done')).stdout.split('\n').length).toBe(3)
  const found: unknown = JSON.parse((await skills('--json --limit 1')).stdout)
  expect(found).toMatchObject([{ id: 'wait-1', question: { id: 'q1' } }])
  expect(await skills('--state sleeping')).toMatchObject({ code: 2, stderr: expect.stringContaining('waiting') })
})

test('a terminal has a table of its width, with as much of an id as tells runs apart', async () => {
  const { runs, skills } = field()
  for (const id of ['aaaaaaaa-1', 'bbbbbbbb-1', 'bbbbbbbb-2'])
    await waiting(runs, id, { args: 'x'.repeat(90), skill: { name: 'n'.repeat(64), source: 'user', digest: 'a' } })
  const { stdout, stderr } = await skills('list --limit 2', { isTerminal: true, columns: 60 })
  const lines = plain(stdout).trimEnd().split('\n')
  expect(lines.map(line => line.split(/ {2,}/, 2))).toEqual([
    ['ID', 'STATE'],
    ['bbbbbbbb-2', 'waiting'],
    ['bbbbbbbb-1', 'waiting'],
  ])
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(60)
  expect(stderr).toBe('Only 2 runs shown: --limit 4 shows more.\n')
})

test('a journal that cannot be read is listed with what is wrong, and costs no other run', async () => {
  const { runs, dir, skills } = field()
  await (await begun(runs, 'sound')).end({ state: 'done' })
  mkdirSync(`${dir}/bad`, { mode: 0o700 })
  writeFileSync(`${dir}/bad/journal`, '{}\n', { mode: 0o600 })
  await begun(runs, 'open')
  chmodSync(`${dir}/open/journal`, 0o644)
  const { code, stdout } = await skills('list')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^bad\tunreadable\t\t\t.* line 1 /m)
  expect(stdout).toMatch(/^open\tunreadable\t\t\t/m)
  expect(stdout).toMatch(/^sound\tdone\t/m)
  expect(await skills('show bad')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(dir) })
  expect((await skills('prune --older-than 0s')).stdout).toBe('1 run removed.\n')
  expect((await skills('list')).stdout.split('\n').length).toBe(3)
})

test('show has what a run is, what it did and for how long, what it asks, and its result', async () => {
  const { runs, skills } = field()
  const held = await begun(runs, 'abc-1')
  await step(held, 'model', 'answer 1 of m')
  await step(held, 'tool', 'Write a.txt', new Uint8Array([1, 2]))
  await held.release('The engine was closed.')
  const again = await runs.take('abc-1')
  await held.journal.step({ kind: 'tool', key: 'x', input: 1, idempotent: false }, async () => 1).catch(() => {})
  await again.end({ state: 'done', result: 'Shipped.\nAll of it.', usage: { inputTokens: 10, outputTokens: 2 } })
  const { code, stdout } = await skills('show abc')
  expect(code).toBe(0)
  expect(stdout).toMatch(/\n {2}did {8}1 .*, 1 .*\n {2}tokens {5}10 in, 2 out\n/)
  const [, timeline] = stdout.split('\n\n')
  expect(timeline?.split('\n').map(line => line.trim().replace(/^\+\S+ m?s {2}/, ''))).toEqual([
    'submitted',
    expect.stringMatching(/^taken by .+\)$/),
    'answer 1 of m  1.0 s',
    'Write a.txt  1.0 s',
    'given back: The engine was closed.',
    expect.stringMatching(/^taken by .+\)$/),
    'done',
  ])
  expect(stdout).toMatch(/\n\nShipped\.\nAll of it\.\n$/)
  const json = JSON.parse((await skills('show abc-1 --json')).stdout) as {
    journal: { type: string; value?: unknown }[]
  }
  expect(json).toMatchObject({ id: 'abc-1', state: 'done', journal: { length: 9 } })
  expect(json.journal.find(({ value }) => typeof value === 'object')?.value).toEqual({ '@skills/bytes': 'AQI=' })
})

test('show tells what a queued run waits for', async () => {
  const { runs, skills } = field()
  const queued = await runs.submit(spec('one', { job: { delayMs: 60_000 } }))
  expect((await skills('show one')).stdout).toMatch(/\n {2}waits for {2}a process that resumes runs\n/)
  expect(waitOf(queued, 'here', 0)).toMatch(/^its time, 1970-01-01T00:01:0\d/)
  const due = 3_600_000
  expect(waitOf(queued, 'here', due)).toBe('a process that resumes runs')
  expect(waitOf(queued, 'workers', due)).toBe('a worker')
  expect(waitOf({ ...queued, epoch: 2, failures: 2 }, 'workers', 0)).toBe('its attempt 3, by a worker')
  expect(waitOf(queued, 'workers', due, 'tenant acme')).toContain('as many runs of the tenant acme as its limit allows')
  expect(waitOf({ ...queued, state: 'running' }, 'workers', 0)).toBeUndefined()
})

test('an id may be shortened to a beginning that one run has', async () => {
  const { runs, skills } = field()
  await waiting(runs, 'abc')
  await waiting(runs, 'abcd')
  expect(await skills('show ab')).toMatchObject({ code: 1, stderr: expect.stringMatching(/^skills: 2 runs .*"ab"/) })
  expect((await skills('show abc --json')).stdout).toContain('"id": "abc"')
  expect((await skills('show abcd --json')).stdout).toContain('"id": "abcd"')
  for (const line of ['show x', 'follow ../abc', 'cancel x', 'retry x', 'answer x allow'])
    expect(await skills(line)).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no run') })
})

test('answer, cancel and retry change a run, and say how it stands', async () => {
  const { runs, skills } = field()
  await waiting(runs, 'one')
  expect(await skills('answer one other allow')).toMatchObject({ code: 1, stderr: expect.stringContaining('"other"') })
  expect(await skills('answer one yes')).toMatchObject({ code: 2 })
  expect((await skills('answer one q1 deny')).stdout).toMatch(/^one is queued: .*\n$/)
  expect((await runs.journal('one')).at(-1)).toMatchObject({ type: 'answered', answer: 'deny' })
  expect(await skills('answer one allow')).toMatchObject({ code: 1, stderr: expect.stringContaining('asks nothing') })
  expect((await skills('cancel one')).stdout).toBe('one is cancelled.\n')
  expect(await skills('cancel one')).toMatchObject({ code: 1, stderr: expect.stringContaining(' has ended.') })
  expect(JSON.parse((await skills('retry one --fresh --json')).stdout)).toMatchObject({ id: 'one', state: 'queued' })
  expect((await runs.journal('one')).at(-1)).toMatchObject({ type: 'retried', isFresh: true })
  await begun(runs, 'two')
  expect((await skills('cancel two')).stdout).toMatch(/^two .* \S+ \(\d+\) .*\.\n$/)
  expect((await skills('cancel two', { isTerminal: true })).code).toBe(0)
})

test('follow prints what a run does as it happens, to its end or its question', async () => {
  const { runs, skills } = field()
  const held = await begun(runs, 'one')
  let heard = ''
  let wake = (): void => {}
  const said = async (text: string): Promise<void> => {
    while (!heard.includes(text)) await new Promise<void>(resolve => (wake = resolve))
  }
  const onOutput = (text: string): void => {
    heard += text
    wake()
  }
  const following = skills('follow one', { onOutput })
  await said('taken by')
  await held.journal.step({ kind: 'tool', key: 'k', input: 1, idempotent: false, title: 'Write' }, async begin => {
    await begin()
    await said('Write …\n')
  })
  await said('Write  ')
  await held.end({ state: 'done', result: 'Shipped.' })
  expect(await following).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/done\n\nShipped\.\n$/) })
  await waiting(runs, 'two')
  expect(await skills('follow two --json')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('skills runs answer two allow\n'),
    stdout: expect.stringMatching(/^(\{"type":"[a-z]+","at":\d+,.*\}\n){4}$/),
  })
  await runs.submit(spec('three'))
  const controller = new AbortController()
  const three = skills('follow three', { signal: controller.signal, onOutput })
  await said('No process works on this run now')
  controller.abort()
  expect(await three).toMatchObject({ code: 130 })
})

test('prune removes what ended long enough ago, and nothing else', async () => {
  const { runs, skills } = field()
  for (const id of ['a', 'b']) await (await begun(runs, id)).end({ state: 'done' })
  await (await begun(runs, 'c')).end({ state: 'failed' })
  await waiting(runs, 'open')
  expect((await skills('prune --older-than 40000d')).stdout).toBe('0 runs removed. 3 runs ended later and stay.\n')
  expect((await skills('prune --dry-run')).stdout).toBe('3 runs would be removed.\n')
  expect(JSON.parse((await skills('prune --state failed --json')).stdout)).toEqual({ removed: ['c'], kept: 0 })
  expect((await skills('prune')).stdout).toBe('2 runs removed.\n')
  expect((await skills('list')).stdout).toMatch(/^open\t/)
  for (const line of ['--state waiting', '--older-than 5', '--older-than -1d', '--older-than 1y'])
    expect(await skills(`prune ${line}`)).toMatchObject({ code: 2 })
})

test('what a terminal would obey of a run is shown as its number', async () => {
  const { runs, skills } = field()
  const bad = '\u001b]0;x\u0007\u202e'
  const held = await begun(runs, 'one', { args: bad, skill: { name: `d${bad}`, source: bad, digest: bad } })
  await step(held, 'tool', `Write ${bad}`)
  await held.ask({ ...question, message: bad, content: bad }, () => 'allow')
  await held.end({ state: 'done', result: `one\n${bad}` })
  for (const line of ['list', 'show one', 'follow one', 'list --json', 'show one --json', 'follow one --json']) {
    for (const isTerminal of line.endsWith('--json') ? [true] : [true, false]) {
      const { stdout } = await skills(`${line} --no-color`, { isTerminal })
      // oxlint-disable-next-line no-control-regex -- that none is there is what is tested
      expect(stdout, line).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/)
      expect(stdout, line).toMatch(/U\+001B|u001b/)
    }
  }
})
