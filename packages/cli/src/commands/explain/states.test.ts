import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import type { ExplanationJson } from '@skills/ui/internal'
import { runIn } from '../../../test/console.js'

const long = 'Use it when somebody asks for a thing of this kind. '.repeat(8)

const skill = (description: string, more = ''): string =>
  `---\ndescription: ${description}\n${more}---\nText of ${description}\n`

const file = (name: string): string => `.claude/skills/${name}/SKILL.md`

let tree: TempTree

beforeAll(() => {
  tree = tempTree({
    'home/.claude/skills/twice/SKILL.md': skill('Mine.'),
    'work/.git': { dir: true },
    [`work/${file('twice')}`]: skill("The project's."),
    [`work/${file('plain')}`]: skill('Is plain.'),
    [`work/${file('api-style')}`]: skill('Waits.', 'paths: ["api/**"]\n'),
    [`work/${file('of-user')}`]: skill('Is for the user.', 'disable-model-invocation: true\n'),
    [`work/${file('off')}`]: skill('Is off.'),
    [`work/${file('kept')}`]: skill('Is kept for the user by a setting.'),
    [`work/${file('named')}`]: skill('Is told by its name alone.'),
    [`work/${file('denied')}`]: skill('Is denied.'),
    [`work/${file('broken')}`]: skill('Is broken.', 'user-invocable: maybe\n'),
    'work/packages/api/.claude/skills/nested/SKILL.md': skill('Lies elsewhere.'),
    'work/.claude/settings.json': JSON.stringify({
      skillOverrides: { off: 'off', kept: 'user-invocable-only', named: 'name-only' },
      permissions: { deny: ['Skill(denied)'] },
    }),
    ...Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`many/${file(`long-${at}`)}`, skill(`${at} ${long}`)]),
    ),
    'many/.git': { dir: true },
  })
})

afterAll(() => tree.dispose())

const explained = async (
  name: string,
  { folder = 'work', budget = '8000' }: { readonly folder?: string; readonly budget?: string } = {},
  ...more: readonly string[]
): Promise<{ readonly json: ExplanationJson; readonly text: string }> => {
  const at = {
    cwd: `${tree.path}/${folder}`,
    home: `${tree.path}/home`,
    env: { SLASH_COMMAND_TOOL_CHAR_BUDGET: budget },
  }
  const { stdout } = await runIn(['explain', name, '--json', ...more], at)
  return { json: JSON.parse(stdout) as ExplanationJson, text: (await runIn(['explain', name, ...more], at)).stdout }
}

const settings = '.claude/settings.json'
const claudeCode = ['--distribution', 'claude-code'] as const

// The states of docs/guides/not-showing.md, with the file that sets each.
test.each([
  ['whole', 'plain', [], { told: 'whole', cause: null }, undefined, 'is told of it.'],
  [
    'it waits for a file',
    'api-style',
    [],
    { told: 'later', cause: 'gate' },
    file('api-style'),
    'matches its paths: api/**',
  ],
  [
    'absent until a file is touched',
    'api-style',
    claudeCode,
    { told: 'later', cause: 'gate' },
    file('api-style'),
    'disabled',
  ],
  ['kept by its author', 'of-user', [], { told: 'user', cause: 'flag' }, file('of-user'), 'disable-model-invocation'],
  ['off', 'off', claudeCode, { told: 'no', cause: 'override' }, settings, 'switches "off" off'],
  ['kept by a setting', 'kept', claudeCode, { told: 'user', cause: 'override' }, settings, 'user-only'],
  ['by name alone', 'named', claudeCode, { told: 'name', cause: 'override' }, settings, 'name-only'],
  ['denied', 'denied', [], { told: 'no', cause: 'permission' }, settings, 'Skill(denied)'],
  ['failed to load', 'broken', [], { told: 'no', cause: 'error' }, file('broken'), 'failed to load'],
] as const)('explain says: %s', async (_words, name, more, told, path, words) => {
  const { json, text } = await explained(name, {}, ...more)
  const [answer] = json.answers
  expect(answer?.told).toMatchObject(told)
  expect(answer?.told.path?.slice(`${tree.path}/work/`.length)).toBe(path)
  expect(text).toContain(words)
  expect(text).toContain(path ?? '')
})

test('explain says which skill has the name, and where the other one lies', async () => {
  const { json } = await explained('twice')
  expect(json.answers.map(({ name, state, told }) => [name, state, told.told])).toEqual([
    ['twice', 'active', 'whole'],
    ['project:twice', 'qualified', 'whole'],
  ])
})

test.each([
  ['2500', 'cut', 'budget', /cut to \d+ of \d+ characters: the budget of 2,500 characters is shared by \d+ skills/],
  ['450', 'name', 'budget', /Only its name is told: the budget of 450 characters has no room for its description/],
  ['100', 'no', 'budget', /not listed +The listing leaves it out: its budget of 100 characters is used up/],
] as const)('with a budget of %s explain says: %s', async (budget, told, cause, words) => {
  // Each hour other skills have the turns that the budget reserves; in this one, long-19 has none.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-05T09:00:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const { json, text } = await explained('long-19', { folder: 'many', budget })
  const [answer] = json.answers
  expect(answer?.told).toMatchObject({ told, cause })
  expect(text).toMatch(words)
  expect(text).toContain('larger context window')
  expect(answer?.isListed).toBe(told !== 'no')
  expect(answer?.notListedBecause.map(one => one.cause)).toEqual(told === 'no' ? ['budget'] : [])
})

test('a larger window tells more', async () => {
  const at = { cwd: `${tree.path}/many`, home: `${tree.path}/home` }
  const told = async (...more: readonly string[]): Promise<unknown> => {
    const { stdout } = await runIn(['explain', 'long-19', '--json', ...more], at)
    return (JSON.parse(stdout) as ExplanationJson).answers[0]?.told.told
  }
  expect(await told('--context-window', '100000')).toBe('cut')
  expect(await told('--context-window', '1000000')).toBe('whole')
})

test('a skill that is found once a file beside it is used is named with its file', async () => {
  const { json, text } = await explained('nested')
  expect(json.answers).toEqual([])
  const path = `${tree.path}/work/packages/api/.claude/skills/nested/SKILL.md`
  expect(json.notes).toContainEqual(expect.objectContaining({ provider: 'nested', path }))
  expect(text).toContain('packages/api/.claude/skills/nested/SKILL.md')
  expect(json.places.map(place => place.path)).not.toContain(`${tree.path}/work/packages/api/.claude/skills`)
})
