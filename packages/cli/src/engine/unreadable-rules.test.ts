import { existsSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { tempTree, type TreeEntries } from '@skills/testing'
import { runIn, type Console } from '../../test/console.js'

/** A deny rule for the skill, followed by a comma too many. */
const broken = '{\n  "permissions": {\n    "deny": ["Skill(touch)",]\n  }\n}'

function skills(
  entries: TreeEntries = { 'home/.claude/settings.json': broken },
): Console & { readonly hasRun: () => boolean } {
  const tree = tempTree({
    'home/.claude/skills/plain/SKILL.md': '---\ndescription: Harmless.\n---\nDo it.',
    'home/.claude/skills/touch/SKILL.md': '---\ndescription: Touches.\n---\nA !`touch ran`B',
    'work/.git': { dir: true },
    ...entries,
  })
  onTestFinished(() => tree.dispose())
  return { cwd: `${tree.path}/work`, home: `${tree.path}/home`, hasRun: () => existsSync(`${tree.path}/work/ran`) }
}

const place =
  /^skills: \S*settings\.json:3:29 {2}error {2}The settings file \S*settings\.json is not JSON: .* {2}Correct the file\. .* asked about everything, .* {2}invalid-settings\n/

test.each([
  [['list']],
  [[]],
  [['run', 'plain']],
  [['render', 'touch']],
  [['lint']],
  [['audit']],
  [['explain', 'touch']],
  [['trust']],
  [['show', 'plain']],
  [['search', 'plain']],
  [['listing']],
  [['new', 'other']],
])('skills %j says where rules cannot be read, and what to do', async argv => {
  expect((await runIn(argv, skills())).stderr).toMatch(place)
})

test.each<[string, TreeEntries]>([
  ['with a comma too many', { 'home/.claude/settings.json': broken }],
  [
    'that is too large',
    { 'home/.claude/settings.json': `{"permissions":{"deny":["Skill(touch)"]}}${' '.repeat(1024 * 1024)}` },
  ],
  ['with a key twice', { 'home/.claude/settings.json': '{"permissions":{"deny":["Skill(touch)"]},"permissions":{}}' }],
  ['of a project that is not trusted', { 'work/.claude/settings.json': broken }],
  ['that is a configuration', { 'home/.config/skills/skills.config.json': '{"rules":{"deny":["Skill(touch)",]}}' }],
  [
    'that is a configuration of a project that is not trusted',
    { 'work/skills.config.json': '{"rules":{"deny":["Skill(touch)"],"deny":[]}}' },
  ],
])('nothing runs beside a file of rules %s, even with --yes and --allow', async (_what, entries) => {
  const console = skills(entries)
  for (const name of ['touch', 'plain']) {
    const { code, stdout, stderr } = await runIn(['run', name, '--yes', '--allow', 'Skill', '--allow', 'Bash'], console)
    expect({ code, stdout }, name).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/skills: Nothing was run\. .* Skill\(\w+\)\. .*cannot be read.*--yes /)
  }
  expect(await runIn(['render', 'touch', '--yes'], console)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('touch ran'),
  })
  expect(console.hasRun()).toBe(false)
})

test.each([
  ['home/.config/skills/skills.config.json', 'loaded'],
  ['work/skills.config.json', 'not trusted'],
])('%s, %s: list and lint name the rule that cannot be understood, once', async file => {
  const console = skills({ [file]: '{"rules":{"deny":["Bash(git","Read"],"allow":["Skill"]}}' })
  for (const argv of [['list'], ['lint'], []]) {
    const { stderr } = await runIn(argv, console)
    expect(stderr.match(/deny rule/g), String(argv)).toHaveLength(1)
    expect(stderr).toMatch(
      /^skills: error {2}.*"Bash\(git" of \S*skills\.config\.json .*\(character 9\)\. {2}.* Bash\. {2}invalid-rule\n/,
    )
  }
})

test('a person at a terminal may answer, for this once, also with --yes', async () => {
  const console = skills()
  const asked: string[][] = []
  const answer: Console['answer'] = (_title, choices) => {
    asked.push(choices.map(({ label }) => label))
    return choices[1]?.value
  }
  const { code, stderr } = await runIn(['run', 'touch', '--yes'], { ...console, answer })
  expect({ code, asked }).toEqual({
    code: 0,
    asked: [
      ['No', 'Yes, this once'],
      ['No', 'Yes, this once'],
    ],
  })
  expect(stderr).toMatch(/Execute skill: touch \(.* \S*settings\.json:3:29 .* JSON: .*\)\?/)
  expect(console.hasRun()).toBe(true)
  expect((await runIn(['run', 'touch'], console)).code).toBe(1)
})

test('lint and the overview count it among the problems', async () => {
  const console = skills()
  expect(await runIn(['lint'], console)).toMatchObject({ code: 1, stdout: expect.stringContaining('1 error') })
  expect((await runIn([], console)).stdout).toContain('1 error')
  expect((await runIn(['list'], console)).stderr).toContain('1 error')
})
