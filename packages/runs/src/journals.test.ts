import { fakeHost, tempTree } from '@skills/testing'
import { SkillsError, systemClock, type Host } from '@skills/core'
import fc from 'fast-check'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { LoggedRuns, openRunKeys, type RunLogs, type Runs, type RunSpec } from '@skills/runs'
import type { RunKeys, RunQuestion } from '@skills/runs/internal'

const host = fakeHost({ clock: systemClock })
const keysOf = (...keys: readonly string[]): RunKeys =>
  openRunKeys(host, { keys: keys.map(key => key.padEnd(32, '.')) })

/** Database that others can write to. */
class Database implements RunLogs {
  readonly lines = new Map<string, string[]>()

  append(id: string, count: number, lines: readonly string[]): boolean {
    const kept = this.lines.get(id) ?? []
    if (kept.length !== count) return false
    this.lines.set(id, [...kept, ...lines])
    return true
  }

  read = (id: string, from = 0): readonly string[] => (this.lines.get(id) ?? []).slice(from)
  ids = (): readonly string[] => [...this.lines.keys()]
  remove = (id: string, count: number): boolean => this.lines.get(id)?.length === count && this.lines.delete(id)

  runs(keys = keysOf('key'), name = 'skills'): LoggedRuns {
    const holder = (): { name: string } => ({ name: 'here' })
    return new LoggedRuns({ logs: this, keys, name, place: 'workers', clock: systemClock, holder, isGone: () => true })
  }
}

const spec: RunSpec = {
  id: 'one',
  skill: { name: 'deploy', source: 'project', digest: 'a1', text: 'Deploy.' },
  args: 'staging',
  caller: 'model',
  agent: 'general-purpose',
  model: 'small',
  effort: 'low',
  tools: { only: ['Read'], without: ['Skill'] },
  limits: { maxSteps: 5, ms: 1000 },
  session: 's',
  parentId: 'parent',
  toolUseId: 'call',
  depth: 1,
  isBackground: true,
  job: { priority: 1, delayMs: 1, attempts: 2, backoffMs: 1, deadlineMs: 60_000, tenant: 'acme' },
  trace: { traceparent: 'x' },
}
const question: RunQuestion = { id: 'q', kind: 'permission', tool: 'Bash', content: 'git push', message: 'Push?' }

/** Makes a run with at least one entry of every kind. */
async function worked(runs: Runs): Promise<void> {
  await runs.submit(spec)
  const held = await runs.take('one')
  const step = { kind: 'tool', key: 'k', input: 1, idempotent: false } as const
  await held.journal.step(step, begin => begin().then(() => 'given'))
  await held.restart()
  await held.ask(question).catch(() => {})
  await runs.answer('one', 'q', 'deny')
  await (await runs.take('one')).release('closed')
  await (await runs.take('one')).end({ state: 'failed', result: 'r', error: { code: 'E_TIMEOUT', message: 'Late.' } })
  await runs.delivered('one', 's')
  await runs.retry('one')
  await runs.cancel('one', 'why')
}

/** Returns copies of a value, each changed in one place. */
function* changedFrom(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const [at, one] of value.entries()) for (const other of changedFrom(one)) yield value.with(at, other)
    yield [...(value as unknown[]), 'more']
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) {
      for (const other of changedFrom(one)) yield { ...value, [key]: other }
      yield { ...value, [key]: undefined }
    }
    yield { ...value, more: true }
  } else if (typeof value === 'string') {
    yield `${value}x`
    for (const other of ['user', 'allow', 'done', '']) if (other !== value) yield other
  } else if (typeof value === 'number') yield value + 1
  else yield !value
}

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  const [ended] = await Promise.allSettled([work])
  if (ended.status === 'fulfilled') return 'none'
  return SkillsError.is(ended.reason) ? ended.reason.code : String(ended.reason)
}

describe('who can write to a database and has no key', () => {
  test('changes no word of any entry', async () => {
    const database = new Database()
    await worked(database.runs())
    const lines = database.lines.get('one') ?? []
    const types = new Set(lines.map(line => /"type":"(\w+)"/.exec(line)?.[1]))
    expect([...types].toSorted()).toEqual([
      'answered',
      'asked',
      'begun',
      'cancelling',
      'delivered',
      'ended',
      'finished',
      'parked',
      'queued',
      'released',
      'restarted',
      'retried',
      'taken',
    ])
    let tried = 0
    for (const [at, line] of lines.entries()) {
      const [json = '', proof = ''] = line.split('\t')
      for (const other of changedFrom(JSON.parse(json) as unknown)) {
        database.lines.set('one', lines.with(at, `${JSON.stringify(other)}\t${proof}`))
        expect.soft(await codeOf(database.runs().get('one'))).toBe('E_RUN_JOURNAL')
        tried += 1
      }
    }
    expect(tried).toBeGreaterThan(200)
  })

  test('adds, moves and takes out no entry, and passes off no run for another, or of another queue', async () => {
    const database = new Database()
    const runs = database.runs()
    await worked(runs)
    await runs.submit({ ...spec, id: 'two' })
    const lines = database.lines.get('one') ?? []
    const renumbered = (given: readonly string[]): string[] =>
      given.map((line, n) => line.replace(/"n":\d+\}\t/, `"n":${n}}\t`))
    const forged = [
      ...lines.map((_line, at) => lines.toSpliced(at, 1)).slice(0, -1),
      ...lines.slice(1).map((line, at) => lines.with(at, line).with(at + 1, lines[at] ?? '')),
      ...lines.map(line => [...lines, line]),
      database.lines.get('two')?.concat(lines.slice(1)) ?? [],
    ]
    for (const others of forged)
      for (const given of [others, renumbered(others)]) {
        database.lines.set('one', given)
        expect.soft(await codeOf(runs.get('one'))).toBe('E_RUN_JOURNAL')
      }
    database.lines.set('three', database.lines.get('two') ?? [])
    expect(await codeOf(runs.take('three'))).toBe('E_RUN_JOURNAL')
    expect(await codeOf(database.runs(keysOf('key'), 'other').take('two'))).toBe('E_RUN_JOURNAL')
    expect((await runs.get('two')).state).toBe('queued')
  })

  test('makes no run and no answer of an own: without a signature, or with one of another key, they are E_RUN_UNSIGNED', async () => {
    const database = new Database()
    const runs = database.runs()
    await database.runs(keysOf('mallory')).submit({ ...spec, caller: 'user' })
    await runs.submit({ ...spec, id: 'two' })
    await (await runs.take('two')).ask(question).catch(() => {})
    const [...lines] = database.lines.get('two') ?? []
    const answer = JSON.stringify({ at: 1, type: 'answered', question: 'q', answer: 'allow', n: lines.length })
    for (const proof of ['', '\t', '\t00000000.AAAAAAAAAAAAAAAAAAAAAA']) {
      database.lines.set('two', [...lines, answer + proof])
      const [ended] = await Promise.allSettled([runs.get('two')])
      expect(ended).toMatchObject({ reason: { code: 'E_RUN_UNSIGNED' } })
    }
    for (const work of [
      runs.take('one'),
      runs.take('two'),
      runs.answer('one', 'q', 'allow'),
      runs.cancel('one'),
      runs.retry('one'),
    ])
      expect(await codeOf(work)).toMatch(/^E_RUN_UNSIGNED$/)
    expect(await runs.find()).toMatchObject([
      {
        id: 'one',
        problem: {
          code: 'E_RUN_UNSIGNED',
          message: expect.stringMatching(/is not run, because its entry 1 was signed with the key/),
        },
      },
      { id: 'two', problem: { code: 'E_RUN_UNSIGNED' } },
    ])
    await expect(runs.remove('one')).rejects.toMatchObject({ code: 'E_RUN_UNSIGNED' })
    await runs.remove('one', { unsigned: true })
    await runs.submit({ ...spec, id: 'signed' })
    await expect(runs.remove('signed', { unsigned: true })).rejects.toMatchObject({ code: 'E_RUN_STATE' })
    expect(database.ids()).toEqual(['two', 'signed'])
  })

  test('takes away the last entries: what that brings back is a state in which the run was', async () => {
    const database = new Database()
    await worked(database.runs())
    const lines = database.lines.get('one') ?? []
    database.lines.set('one', lines.slice(0, 1))
    expect(await database.runs().get('one')).toMatchObject({ state: 'queued', caller: 'model', args: 'staging' })
  })
})

test('a run that was recorded before runs were signed is E_RUN_UNSIGNED, says so, and is removed where that is asked for', async () => {
  const database = new Database()
  database.lines.set('one', [JSON.stringify({ n: 0, at: 1, type: 'queued', version: 1, spec })])
  const runs = database.runs()
  await expect(runs.take('one')).rejects.toMatchObject({
    code: 'E_RUN_UNSIGNED',
    hint: expect.stringContaining('skills runs prune --state unsigned'),
  })
  await runs.remove('one', { unsigned: true })
  expect(await runs.find()).toEqual([])
})

describe('keys', () => {
  test('are changed without a loss: each verifies, the first signs', async () => {
    const database = new Database()
    await database.runs(keysOf('old')).submit(spec)
    const both = database.runs(keysOf('new', 'old'))
    await (await both.take('one')).release('closed')
    expect(await codeOf(database.runs(keysOf('old')).get('one'))).toBe('E_RUN_UNSIGNED')
    await both.submit({ ...spec, id: 'two' })
    expect((await database.runs(keysOf('new')).get('two')).state).toBe('queued')
    expect(await codeOf(database.runs(keysOf('new')).get('one'))).toBe('E_RUN_UNSIGNED')
  })

  function home(files: Record<string, string> = {}): Host & { readonly path: string } {
    const tree = tempTree(files)
    onTestFinished(() => tree.dispose())
    return { ...fakeHost({ clock: systemClock, home: tree.path, uid: process.getuid?.() }), path: tree.path }
  }

  test('are read again from their file for one that is not known', async () => {
    const at = home({ keys: `\n# the old one\n${'o'.repeat(32)}\n` })
    const file = `${at.path}/keys`
    const database = new Database()
    const [one, other] = [database.runs(openRunKeys(at, { file })), database.runs(openRunKeys(at, { file }))]
    await one.submit(spec)
    await other.get('one')
    writeFileSync(file, `${'n'.repeat(40)}\n${readFileSync(file, 'utf8')}`)
    await database.runs(openRunKeys(at, { file })).submit({ ...spec, id: 'two' })
    expect((await other.get('two')).state).toBe('queued')
    expect((await other.get('one')).state).toBe('queued')
  })

  test.each([
    ['short', 'E_INVALID_OPTION', 'fewer than 32'],
    ['# none\n', 'E_INVALID_OPTION', 'there are no keys'],
  ])('of a file that says %j are %s', async (text, code, message) => {
    const at = home({ keys: text })
    const runs = new Database().runs(openRunKeys(at, { file: `${at.path}/keys` }))
    await expect(runs.submit(spec)).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
  })

  test('do not count where everybody may write to them, or where there is no file', async () => {
    const at = home({ keys: 'k'.repeat(32) })
    const runs = new Database().runs(openRunKeys(at, { file: `${at.path}/keys` }))
    chmodSync(`${at.path}/keys`, 0o666)
    await expect(runs.submit(spec)).rejects.toMatchObject({ code: 'E_INVALID_OPTION' })
    expect(() => openRunKeys(at, { file: 'keys' })).toThrow('absolute path')
    const none = new Database().runs(openRunKeys(at, { file: `${at.path}/none` }))
    await expect(none.submit(spec)).rejects.toMatchObject({ code: 'E_STATE' })
  })

  test('are made in the state folder with the first run, for the user alone, once for all programs', async () => {
    const at = home()
    const database = new Database()
    const programs = [1, 2, 3, 4].map(() => database.runs(openRunKeys(at)))
    expect(await programs[0]?.find()).toEqual([])
    const path = `${at.path}/.local/state/skills/run-keys.json`
    expect(() => statSync(path)).toThrow('ENOENT')
    await Promise.all(programs.map((runs, n) => runs.submit({ ...spec, id: `run-${n}` })))
    expect(statSync(path).mode & 0o777).toBe(0o600)
    for (const runs of programs) expect((await runs.find()).every(run => !('problem' in run))).toBe(true)
  })
})

describe('what is recorded', () => {
  test('is refused before it is written where it could not be read again, with what is right', async () => {
    const database = new Database()
    const runs = database.runs()
    await runs.submit(spec)
    await (await runs.take('one')).ask(question).catch(() => {})
    const before = database.lines.get('one')?.length
    await expect(runs.answer('one', 'q', 'ALLOW' as never)).rejects.toMatchObject({
      code: 'E_RUN_ENTRY',
      message: expect.stringMatching(/"ALLOW" .*"allow" and "deny"/),
    })
    await expect(runs.cancel('one', 5n as never)).rejects.toMatchObject({ code: 'E_RUN_ENTRY' })
    expect(database.lines.get('one')?.length).toBe(before)
    expect((await runs.answer('one', 'q', 'allow')).state).toBe('queued')
  })

  test.each([
    ['an id', { id: '../one' }],
    ['a NUL in a name that a queue keeps', { model: 'large\0' }],
    ['half a character', { job: { tenant: '\ud800' } }],
    ['a priority that no queue has', { job: { priority: -1 } }],
    ['attempts', { job: { attempts: 0.5 } }],
    ['a deadline', { job: { deadlineMs: NaN } }],
    ['a caller', { caller: 'root' }],
    ['no skill', { skill: undefined }],
  ])('of a run has to be one: %s', async (_what, parts) => {
    const database = new Database()
    const given = { ...spec, ...parts } as RunSpec
    for (const work of [database.runs().submit(given), database.runs().begin(given)])
      await expect(work).rejects.toMatchObject({ code: 'E_RUN_ENTRY' })
    expect(database.ids()).toEqual([])
  })

  test('of a step that cannot be ends the run, with the reason', async () => {
    const circle: unknown[] = []
    circle.push(circle)
    let deep: unknown = 'x'
    for (let at = 0; at < 20_000; at++) deep = [deep]
    for (const value of [
      5n,
      circle,
      deep,
      {
        get x() {
          throw new Error('no')
        },
      },
    ]) {
      const database = new Database()
      const runs = database.runs()
      const held = await runs.begin(spec)
      const step = { kind: 'tool', key: 'k', input: 1, idempotent: false } as const
      await expect(held?.journal.step(step, begin => begin().then(() => value))).rejects.toMatchObject({
        code: 'E_RUN_ENTRY',
      })
      expect(held?.signal.reason).toMatchObject({ code: 'E_RUN_ENTRY' })
      await held?.end({ state: 'failed', error: { message: 'It was not recorded.' } })
      expect((await runs.get('one')).state).toBe('failed')
    }
  })

  test('comes back as what it was, also where it looks like what stands for bytes', async () => {
    const value = {
      '@skills/date': 5,
      list: [{ '@skills/bytes': 'AA==' }, { '@skills/own': [['a', 1]] }],
      at: new Date(NaN),
    }
    const database = new Database()
    const step = { kind: 'tool', key: 'k', input: 1, idempotent: false } as const
    const first = await database.runs().begin(spec)
    await first?.journal.step(step, begin => begin().then(() => value))
    const second = await database.runs().take('one', { force: true })
    expect(await second.journal.step(step, () => Promise.reject(new Error('again')))).toEqual(value)
  })

  test('is a journal that reads, whatever is called with whatever', async () => {
    const any = fc.oneof(
      fc.constantFrom('one', 'q', 'allow', 'deny', 'done', 'failed', undefined),
      fc.anything({
        withBigInt: true,
        withDate: true,
        withTypedArray: true,
        withSparseArray: true,
        withNullPrototype: true,
      }),
      fc.string({ unit: 'binary' }),
    )
    const calls = [
      'submit',
      'begin',
      'take',
      'answer',
      'cancel',
      'retry',
      'delivered',
      'step',
      'ask',
      'asked',
      'restart',
      'release',
      'end',
    ] as const
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom(...calls), any, any, any)), async sequence => {
        const database = new Database()
        const runs = database.runs()
        let held = await runs.begin(spec)
        const take = async (): Promise<void> => void (held = await runs.take('one', { force: true }))
        for (const [call, ...given] of sequence) {
          const [a, b, c] = given as unknown[] as [never, never, never]
          const made = (value: unknown) => (begin: () => Promise<void>) => begin().then(() => value)
          const work = {
            submit: () => runs.submit({ ...spec, ...(a as unknown as object), id: c ?? 'two' }),
            begin: () => runs.begin({ ...spec, id: 'three', [String(a)]: b }),
            take,
            answer: () => runs.answer('one', a ?? 'q', b as never),
            cancel: () => runs.cancel('one', a),
            retry: () => runs.retry('one', { fresh: a as never }),
            delivered: () => runs.delivered('one', a as never),
            step: () =>
              held?.journal.step(
                { kind: 'tool', key: a as never, input: 1, idempotent: b as never, title: c },
                made(a),
              ),
            ask: () => held?.ask({ ...question, id: a as never, message: b as never }, () => c as never),
            asked: () => held?.ask({ ...question, ...(a as unknown as object) }),
            restart: () => held?.restart(),
            release: () => held?.release(a as never),
            end: () => held?.end({ state: a, result: b, error: c, ...(c as unknown as object) } as never),
          }[call]
          await Promise.race([
            Promise.resolve()
              .then(work)
              .catch(() => {}),
            new Promise(resolve => setImmediate(resolve)),
          ])
          for (const id of database.ids()) expect((await database.runs().get(id)).id).toBeTypeOf('string')
        }
      }),
      { seed: 20_261_126, numRuns: 150 },
    )
  })
})
