import { readFileSync } from 'node:fs'
import { processHost } from '@skills/core'
import { openRuns } from '@skills/runs'
import { tempTree } from '@skills/testing'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { bundledChild, openField, type Field } from './processes.js'

const tree = tempTree({})
let program = ''

beforeAll(async () => {
  program = await bundledChild(`${tree.path}/program`)
})
afterAll(() => tree.dispose())

const runsOf = ({ folder }: Field) => openRuns(processHost({ home: folder, env: {} }), { dir: `${folder}/runs` })

function fieldFolder(): string {
  const folder = tempTree({})
  onTestFinished(() => folder.dispose())
  return folder.path
}

/** Resumes and answers until every run has ended. */
async function finish(field: Field, answer: 'allow' | 'deny'): Promise<number> {
  const runs = runsOf(field)
  let asked = 0
  for (;;) {
    const found = (await runs.find()).flatMap(run => ('problem' in run ? [] : run))
    if (found.every(({ state }) => state === 'done')) return asked
    for (const { id, question } of found) {
      if (question === undefined) continue
      asked += 1
      await runs.answer(id, question.id, answer)
    }
    await field.run('resume')
  }
}

test('a run is recorded, and its result with it', async () => {
  const field = await openField(program, fieldFolder())
  expect(await field.run('start')).toMatchObject({ wasKilled: false, moments: 5 })
  const [run] = await runsOf(field).find()
  expect(run).toMatchObject({ state: 'done', result: 'job-0 is done.', epoch: 1, progress: { steps: 3, calls: 3 } })
  expect(await field.ledger()).toEqual(['job-0 0', 'job-0 1'])
  await field.server.close()
})

test('killed after its first effect, a run goes on in its trace in the other process', async () => {
  const field = await openField(program, fieldFolder())
  await field.run('start', { killAt: 3 })
  await finish(field, 'deny')
  const lines = readFileSync(`${field.folder}/spans`, 'utf8').trimEnd().split('\n')
  const spans = lines.map(
    line => JSON.parse(line) as Readonly<Record<'name' | 'traceId' | 'spanId' | 'parent', string>>,
  )
  const [[run]] = [(await runsOf(field).find()).flatMap(one => ('problem' in one ? [] : one))]
  const [, traceId, parent] = run?.trace?.['traceparent']?.split('-') ?? []
  // The agent of the first process never ended; what it did did.
  const names = spans.map(({ name }) => name).toSorted()
  expect(names).toEqual([
    'chat scripted',
    'chat scripted',
    'chat scripted',
    'execute_tool Look',
    'execute_tool Write',
    'execute_tool Write',
    'invoke_agent general-purpose',
    'invoke_skill work',
    'invoke_skill work',
  ])
  expect(new Set(spans.map(span => span.traceId))).toEqual(new Set([traceId]))
  expect(spans.at(-1)).toMatchObject({ parent, name: 'invoke_skill work' })
  await field.server.close()
})

// Request, effect, request, effect, request: killed at each, and the rest done by another process.
test.each([1, 2, 3, 4, 5])(
  'killed at moment %i, a run goes on where it was: no answer is paid twice, no effect made twice',
  async killAt => {
    const field = await openField(program, fieldFolder())
    expect((await field.run('start', { killAt })).wasKilled).toBe(true)
    const asked = await finish(field, 'deny')
    const [run] = await runsOf(field).find()
    expect(run).toMatchObject({ state: 'done', result: 'job-0 is done.' })
    const ledger = await field.ledger()
    expect(new Set(ledger).size).toBe(ledger.length)
    // What was under way is asked for again, and nothing else.
    expect(field.server.requests.length).toBe(3 + (killAt % 2))
    expect(asked).toBe(killAt % 2 === 0 ? 1 : 0)
    await field.server.close()
  },
)
