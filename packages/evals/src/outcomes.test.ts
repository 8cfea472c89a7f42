import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { existsSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '@skills/core'
import { standard } from '@skills/distributions'
import { fakeHost, tempTree } from '@skills/testing'
import { modelServer, type ModelAnswer, type Fault, type ModelRequest } from '@skills/testing/model-server'
import {
  against,
  asking,
  baselineOf,
  compare,
  junitText,
  markdownText,
  outcomes,
  trialOptions,
  type EvalReport,
} from './index.js'
import { neededBy } from './commands.js'
import { readBaseline } from './comparison.js'
import type { OutcomesOptions } from './outcomes.js'
import type { EvalTask } from './cases/eval-cases.js'

const skill = (description: string): string => `---\ndescription: ${description}\n---\nWrite NOTES.md with a title.\n`

type Reply = (request: ModelRequest, step: number, text: string) => ModelAnswer | Fault

async function made(reply: Reply) {
  const tree = tempTree({
    '.git/HEAD': '',
    '.claude/skills/notes/SKILL.md': skill('Writes release notes.'),
    '.claude/skills/other/SKILL.md': skill('Does something else.'),
  })
  onTestFinished(() => tree.dispose())
  const env = { PATH: process.env['PATH'], SECRET_OF_THE_HOME: 'x' }
  const distribution = standard({
    host: fakeHost({ cwd: tree.path, home: `${tree.path}/home`, clock: systemClock, env }),
    managed: { dirs: [] },
    onDiagnostic: () => {},
    ...trialOptions,
  })
  const server = await modelServer('openai', request => {
    const messages = request.body['messages'] as readonly { readonly role: string }[]
    return reply(request, messages.filter(({ role }) => role === 'assistant').length, JSON.stringify(request.body))
  })
  onTestFinished(() => server.close())
  const ask = asking(createOpenAICompatible({ name: 'scripted', baseURL: server.url })('small'))
  return { tree, distribution, ask, server }
}

const call = (name: string, input: unknown): ModelAnswer => ({ calls: [{ id: 'call_1', name, input }] })
const task = (assertions: EvalTask['assertions'], more: Partial<EvalTask> = {}): EvalTask => ({
  id: 'task 1',
  prompt: 'Write the notes.',
  files: [{ path: 'log.txt', text: 'fix: a' }],
  allow: [],
  assertions,
  ...more,
})
const casesOf = (...tasks: readonly EvalTask[]): OutcomesOptions['cases'] =>
  new Map([['notes', { path: 'evals.json', queries: [], tasks }]])
const isOffered = (text: string): boolean => text.includes('notes: Writes release notes.')
/** Uses the skill if it is listed and follows it; otherwise writes something else. */
const helped: Reply = (_, step, text) => {
  if (text.includes('You judge the work')) {
    const isGood = text.includes('# Notes')
    return { text: `\`\`\`json\n{"because": "It ${isGood ? 'has' : 'lacks'} a title.", "holds": ${isGood}}\n\`\`\`` }
  }
  if (!isOffered(text)) return step === 0 ? call('Write', { path: 'NOTES.md', text: 'a' }) : { text: 'Done.' }
  return (
    [call('Skill', { skill: 'notes' }), call('Write', { path: 'NOTES.md', text: '# Notes\n{}' })][step] ?? {
      text: 'Done. {"a": 1}',
    }
  )
}

test('a task is done with the skill and without, and its assertions are counted', async () => {
  const { distribution, ask } = await made(helped)
  const found = await outcomes({
    distribution,
    ask,
    trials: 2,
    cases: casesOf(
      task([
        { file: 'NOTES.md' },
        { file: 'NOTES.md', contains: '# Notes' },
        { file: 'NOTES.md', matches: '^# \\w+$' },
        { file: 'other.md', absent: true },
        { contains: 'Done' },
        { judge: 'It has a title.' },
      ]),
    ),
  })
  const [notes] = found.skills
  expect(notes?.tasks[0]?.assertions.map(one => [one.what, one.with.successes, one.without.successes])).toEqual([
    ['NOTES.md is there', 2, 2],
    ['NOTES.md contains "# Notes"', 2, 0],
    ['NOTES.md matches /^# \\w+$/', 2, 0],
    ['other.md is not there', 2, 2],
    ['what it says contains "Done"', 2, 2],
    ['It has a title.', 2, 0],
  ])
  expect(notes).toMatchObject({
    with: { successes: 12, trials: 12 },
    without: { successes: 6, trials: 12 },
    difference: { difference: 0.5 },
    invoked: { successes: 2, trials: 2 },
  })
  expect(notes?.difference.low).toBeGreaterThan(0)
  expect(notes?.tasks[0]?.trials.at(-1)?.results[5]).toEqual({ held: false, because: 'It lacks a title.' })
  expect(JSON.stringify(notes?.tasks[0]?.trials[0]?.transcript)).toContain('Write NOTES.md with a title.')
})

test('JSON is held to its schema, and an expression without an end does not match', async () => {
  const says =
    (text: string): Reply =>
    (_, step) =>
      step === 0 ? call('Write', { path: 'a.json', text }) : { text: `${'a'.repeat(40)}!` }
  const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
  const assertions: EvalTask['assertions'] = [{ file: 'a.json', schema }, { matches: '^(a+)+$' }]
  for (const [text, held, because] of [
    ['{"name": "x"}', true, undefined],
    ['{"name": 1}', false, expect.stringContaining('#/name') as string],
    ['{', false, 'It is not JSON.'],
  ] as const) {
    const { distribution, ask } = await made(says(text))
    const found = await outcomes({ distribution, ask, trials: 1, cases: casesOf(task(assertions)) })
    const [first, second] = found.skills[0]?.tasks[0]?.trials[0]?.results ?? []
    expect(first).toEqual({ held, ...(because !== undefined && { because }) })
    expect(second?.held).toBe(false)
  }
})

test('nothing runs that was not agreed to, and what was runs in the workspace without the home of a person', async () => {
  const needing = task([{ command: 'test -f made && test -z "$SECRET_OF_THE_HOME"' }], { allow: ['Bash(touch:*)'] })
  expect(neededBy(needing)).toEqual(['Bash(touch:*)', 'Bash(test -f made && test -z "$SECRET_OF_THE_HOME")'])
  const reply: Reply = (_, step) =>
    [call('Bash', { command: 'touch made' }), call('Bash', { command: 'touch other; touch "$HOME/not-allowed"' })][
      step
    ] ?? { text: 'Done.' }
  const { distribution, ask, tree, server } = await made(reply)
  const refused = await outcomes({ distribution, ask, trials: 1, cases: casesOf(needing), allow: ['Bash(touch:*)'] })
  expect([refused.skills[0]?.tasks[0]?.notAllowed, server.requests.length]).toEqual([neededBy(needing).slice(1), 0])
  const found = await outcomes({ distribution, ask, trials: 1, cases: casesOf(needing), allow: neededBy(needing) })
  const [trial] = found.skills[0]?.tasks[0]?.trials ?? []
  expect(trial?.results).toEqual([{ held: true }])
  expect(JSON.stringify(trial?.transcript)).toContain('in this trial')
  expect(existsSync(`${tree.path}/made`)).toBe(false)
})

test('without a rule there is no tool for commands', async () => {
  const { distribution, ask, server } = await made(() => ({ text: 'Done.' }))
  await outcomes({ distribution, ask, trials: 1, cases: casesOf(task([{ contains: 'Done' }])) })
  expect(JSON.stringify(server.requests[0]?.body)).not.toContain('"Bash"')
})

test('a failure of the model says nothing of the skill', async () => {
  const { distribution, ask } = await made(() => ({ status: 400, body: { error: { message: 'No.' } } }))
  const found = await outcomes({ distribution, ask, trials: 1, cases: casesOf(task([{ contains: 'x' }])) })
  expect(found.skills[0]).toMatchObject({
    with: { trials: 0 },
    without: { trials: 0 },
    difference: { low: -1, high: 1 },
  })
})

test('two descriptions together cost no more than was said', async () => {
  const { distribution, ask, server } = await made(() => ({ text: 'Done.' }))
  const queries = [{ id: 'q', prompt: 'Notes, please.', files: [], allow: [], shouldTrigger: true }]
  const found = await against({
    distribution,
    ask,
    name: 'notes',
    description: 'Writes notes.',
    cases: new Map([['notes', { path: 'evals.json', tasks: [], queries }]]),
    trials: 50,
    price: { input: 1e6, output: 0 },
    maxCost: 8000,
  })
  expect(found.cost).toBeLessThanOrEqual(8000)
  expect([server.requests.length, found.left]).toEqual([(found.cost ?? 0) / 100, 50 - found.trials.made])
  expect(found.trials.made).toBeGreaterThan(5)
})

test('two descriptions are told apart, and no more is asked once they are', async () => {
  const { distribution, ask, server } = await made((_, _step, text) =>
    text.includes('notes: Writes release notes for any version. Use when asked.')
      ? call('Skill', { skill: 'notes' })
      : { text: 'Done.' },
  )
  const queries = [{ id: 'q', prompt: 'Notes, please.', files: [], allow: [], shouldTrigger: true }]
  const found = await against({
    distribution,
    ask,
    name: 'notes',
    description: 'Writes release notes for any version. Use when asked.',
    cases: new Map([['notes', { path: 'evals.json', tasks: [], queries }]]),
    trials: 50,
  })
  expect(found).toMatchObject({ verdict: 'better', own: { rate: 0 }, other: { rate: 1 }, trials: { planned: 50 } })
  expect(found.trials.made).toBeLessThan(20)
  expect(server.requests).toHaveLength(2 * found.trials.made)
  // The model gets the skill in one listing only.
  expect(server.requests.every(({ body }) => (JSON.stringify(body).match(/- notes: /g) ?? []).length <= 1)).toBe(true)
})

const share = (successes: number, trials: number) => ({ successes, trials, rate: successes / trials, low: 0, high: 1 })
const report = (successes: number, trials: number): EvalReport => ({
  version: 1,
  model: 'small',
  stale: [],
  cost: undefined,
  triggers: {
    skills: [
      {
        name: 'notes',
        path: '/a',
        precision: share(1, 1),
        recall: share(successes, trials),
        right: share(successes, trials),
        queries: [
          {
            id: 'q',
            query: 'Write <the> "notes" & go\u0001',
            shouldTrigger: true,
            triggered: share(successes, trials),
            passed: successes * 2 >= trials,
            moreTrials: undefined,
            invoked: {},
            trials: [],
          },
        ],
      },
    ],
    inputTokens: 0,
    outputTokens: 0,
    cost: undefined,
    ms: 0,
    left: 0,
  },
})

test('a report is worse than its baseline beyond the interval alone, and fails below a threshold', () => {
  const before = readBaseline(JSON.stringify(baselineOf(report(19, 20))))
  expect(compare(report(18, 20), before, undefined)).toMatchObject({ failed: false, changes: [{ verdict: 'same' }] })
  expect(compare(report(5, 20), before, undefined)).toMatchObject({ failed: true, changes: [{ verdict: 'worse' }] })
  expect(compare(report(18, 20), before, 0.95)).toMatchObject({ failed: true, changes: [{ isBelow: true }] })
  expect(compare({ ...report(1, 1), triggers: undefined }, before, undefined).missing).toEqual(['notes'])
  for (const text of [
    '',
    '[]',
    '{"version":1}',
    '{"version":1,"model":"a","skills":{"a":{"trigger":{"successes":2,"trials":1}}}}',
  ])
    expect(readBaseline(text)).toBeUndefined()
})

test('JUnit and Markdown are whole with markup in their texts', () => {
  expect(junitText(report(0, 3))).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="skills eval">
  <testsuite name="notes" tests="1" failures="1">
    <testcase classname="notes" name="picks it: Write &lt;the&gt; &quot;notes&quot; &amp; go\ufffd"><failure message="Picked in 0 of 3 (0–100 %)."/></testcase>
  </testsuite>
</testsuites>
`)
  expect(markdownText(report(0, 3))).toContain('- notes, picks it: Write \\<the\\> "notes" & go')
  expect(junitText(report(3, 3))).toContain('failures="0"')
  expect(markdownText(report(0, 0))).toMatch(/^\| .*0 of 0 /m)
})
