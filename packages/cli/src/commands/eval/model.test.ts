import { existsSync, readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { tempTree } from '@skills/testing'
import { modelServer, type ModelAnswer } from '@skills/testing/model-server'
import { runIn, type Console, type Ran } from '../../../test/console.js'

const skill = (description: string): string => `---\ndescription: ${description}\n---\nWrite NOTES.md.\n`
const cases = {
  queries: [
    { query: 'Write the notes', should_trigger: true },
    { query: 'Weather?', should_trigger: false },
  ],
  evals: [{ id: 'task', prompt: 'Make NOTES.md', assertions: [{ file: 'NOTES.md' }, { command: 'test -f NOTES.md' }] }],
}

async function project() {
  const tree = tempTree({
    'work/.git/HEAD': '',
    'work/.claude/skills/notes/SKILL.md': skill('Writes notes.'),
    'work/.claude/skills/notes/evals/evals.json': JSON.stringify(cases),
    'work/.claude/skills/other/SKILL.md': skill('Does something else.'),
    'work/other.md': skill('Never used.'),
    'home/.keep': '',
  })
  onTestFinished(() => tree.dispose())
  const call = (name: string, input: unknown): ModelAnswer => ({ calls: [{ id: 'call_1', name, input }] })
  const server = await modelServer('openai', ({ body }) => {
    const text = JSON.stringify(body)
    const step = (body['messages'] as readonly { readonly role: string }[]).filter(
      one => one.role === 'assistant',
    ).length
    if (!text.includes('notes: Writes notes.') || text.includes('Weather?') || step > 1) return { text: 'Done.' }
    return step === 0 ? call('Skill', { skill: 'notes' }) : call('Write', { path: 'NOTES.md', text: 'a' })
  })
  onTestFinished(() => server.close())
  const console = (env: Console['env'] = {}): Console => ({
    cwd: `${tree.path}/work`,
    home: `${tree.path}/home`,
    env: { PATH: process.env['PATH'], ...env },
  })
  const evaluate = (args: readonly string[], more: Partial<Console> = {}): Promise<Ran> =>
    runIn(['eval', '--model', 'small', ...args], { ...console(more.env), ...more, env: console(more.env).env ?? {} })
  return { tree, server, live: ['--base-url', server.url], evaluate }
}

test('a model is asked whether it picks a skill, and what it said is replayed without it', async () => {
  const { live, evaluate, server, tree } = await project()
  const asked = await evaluate([...live, '--level', 'trigger', '--trials', '2', '--price', '1,1'])
  expect(asked.stdout).toContain('notes\n  right: 4 of 4 (51–100 %)\n')
  expect(asked.stdout).toMatch(/ok "Weather\?": .* 0 of 2 \(0–66 %\), /)
  expect([asked.code, asked.stderr]).toEqual([0, expect.stringMatching(/^Cost: \$0\.\d{4}\n$/)])
  const { length } = server.requests
  expect(existsSync(`${tree.path}/work/evals/recordings/notes`)).toBe(true)
  const replayed = await evaluate(['--level', 'trigger', '--trials', '2'], { env: { CI: 'true' } })
  expect([replayed.code, replayed.stdout]).toEqual([0, asked.stdout])
  const more = await evaluate(['--level', 'trigger', '--trials', '3', '--replay'])
  expect([more.code, more.stderr]).toEqual([1, expect.stringContaining('notes, query 1: never recorded')])
  expect(server.requests).toHaveLength(length)
})

test('tasks that want to run something are left out until that is allowed', async () => {
  const { live, evaluate } = await project()
  const denied = await evaluate([...live, '--level', 'outcome', '--trials', '1'])
  expect(denied.stderr).toContain('    | Bash(test -f NOTES.md)\n')
  expect(denied.stdout).toMatch(/NOT task: .*Bash\(test -f NOTES\.md\)/)
  expect(denied.code).toBe(1)
  const answer = (title: string) => (title === 'May it run?' ? 'yes' : undefined)
  const allowed = await evaluate([...live, '--level', 'outcome', '--trials', '1'], { isTerminal: true, answer })
  expect(allowed.stdout).toMatch(/ok task, NOTES\.md .*: 1 of 1, .* 0 of 1/)
  expect(allowed.code).toBe(0)
  const flagged = await evaluate([
    ...live,
    '--level',
    'outcome',
    '--trials',
    '1',
    '--allow',
    'Bash(test -f NOTES.md)',
    '--json',
  ])
  expect(JSON.parse(flagged.stdout)).toMatchObject({
    version: 1,
    outcomes: { skills: [{ with: { successes: 2, trials: 2 } }] },
  })
})

test('a skill that got worse ends with 1, and the reports say so', async () => {
  const { live, evaluate, tree } = await project()
  const level = ['--level', 'trigger', '--trials', '5']
  expect((await evaluate([...live, ...level, '--save-baseline', 'base.json'])).code).toBe(0)
  expect((await evaluate([...live, ...level, '--baseline', 'base.json', '--threshold', '0.9'])).code).toBe(0)
  tree.write({ 'work/.claude/skills/notes/SKILL.md': skill('Something that is never picked.') })
  const reports = ['--junit', 'out/junit.xml', '--markdown', 'out/report.md']
  const worse = await evaluate([...live, ...level, '--baseline', 'base.json', ...reports])
  expect([worse.code, worse.stdout]).toEqual([1, expect.stringMatching(/trigger is worse: 5 .* 10, 10 .* 10 /)])
  expect(readFileSync(`${tree.path}/work/out/junit.xml`, 'utf8')).toContain('failures="2"')
  expect(readFileSync(`${tree.path}/work/out/report.md`, 'utf8')).toMatch(/^- notes: trigger .*worse/m)
})

test('two descriptions are compared', async () => {
  const { live, evaluate } = await project()
  const { code, stdout } = await evaluate([...live, 'notes', '--against', 'other.md', '--trials', '30'])
  expect([code, stdout]).toEqual([0, expect.stringMatching(/is worse, .* \d+ of 30 /)])
})

test('no further trial begins at the end of the money', async () => {
  const { live, evaluate } = await project()
  const cost = ['--price', '1000000,0', '--max-cost', '1', '--concurrency', '1']
  const { code, stderr } = await evaluate([...live, '--level', 'trigger', ...cost])
  expect([code, stderr]).toEqual([1, expect.stringMatching(/skills: \d+ trials .*--max-cost/)])
})

test.each([
  [['--trials', '2'], 'The option --trials needs a model'],
  [['--model', 'foo'], 'The option --model needs anthropic/NAME or openai/NAME'],
  [['--model', 'anthropic/x'], 'needs a key in the environment variable ANTHROPIC_API_KEY'],
  [['--model', 'openai/x'], 'needs a key in the environment variable OPENAI_API_KEY'],
  [['--model', 'x', '--base-url', 'file:///x'], 'The option --base-url needs an http address'],
  [['--model', 'x', '--level', 'all'], 'The option --level needs trigger or outcome'],
  [['--model', 'x', '--record', '--replay'], 'Give --record or --replay, not both.'],
  [['--model', 'x', '--max-cost', '2'], 'The option --max-cost needs the price of the model'],
  [['--model', 'x', '--price', '3'], 'The option --price needs the dollars for a million input tokens'],
  [['--model', 'x', '--threshold', '80'], 'The option --threshold needs a share from 0 to 1'],
  [['--model', 'x', '--trials', '0'], 'The option --trials needs a whole number'],
  [['--model', 'x', '--against', 'a.md'], 'The option --against compares the description of one skill'],
  [['--model', 'x', '--replay', '--baseline', 'none.json'], 'none.json given with --baseline cannot be read'],
  [['--model', 'x', '--replay', '--baseline', 'other.md'], 'other.md given with --baseline is not a baseline'],
])('%j is refused with what to do', async (args, message) => {
  const { tree } = await project()
  const { code, stderr } = await runIn(['eval', ...args], { cwd: `${tree.path}/work`, home: `${tree.path}/home` })
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})

test.each([
  ['evals/recordings/last-report.json', '../../../home/.bashrc', []],
  ['evals/recordings', '../../home', []],
  ['evals', '../home', []],
  ['report.xml', '../home/.bashrc', ['--junit', 'report.xml']],
  ['out', '../home', ['--markdown', 'out/.bashrc']],
  ['base.json', '../home/.bashrc', ['--save-baseline', 'base.json']],
])('no file is written through %s, a link of the project to %s', async (link, target, args) => {
  const { evaluate, tree } = await project()
  tree.write({ 'home/.bashrc': 'mine', 'home/last-report.json': 'mine', [`work/${link}`]: { link: target } })
  const ran = await evaluate(['--level', 'trigger', '--trials', '1', ...args], { env: { CI: '1' } })
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('is a link to')])
  for (const file of ['.bashrc', 'last-report.json'])
    expect(readFileSync(`${tree.path}/home/${file}`, 'utf8')).toBe('mine')
})
