import { fakeHost } from '@skills/testing'
import { expect, test } from 'vitest'
import { lookAtFolder } from './given-folder.js'

const skill = '---\nname: x\ndescription: Does a thing.\n---\nDo it.\n'

/** Looks at files by their paths; a file without text is only named. */
function look(files: Readonly<Record<string, string | undefined>>) {
  const given = Object.entries(files).map(([path, text]) => ({
    path,
    bytes: text === undefined ? undefined : Buffer.from(text),
  }))
  return lookAtFolder(given, { host: fakeHost(), signal: new AbortController().signal })
}

test.each([
  ['the folder of one skill', { 'deploy/SKILL.md': skill, 'deploy/run.sh': undefined }, 'deploy/SKILL.md'],
  ['a folder of skills', { 'skills/deploy/SKILL.md': skill }, 'skills/deploy/SKILL.md'],
  [
    'a project',
    { 'p/.claude/skills/deploy/SKILL.md': skill, 'p/README.md': '# P' },
    'p/.claude/skills/deploy/SKILL.md',
  ],
])('%s is searched where its skills lie', async (_what, files, path) => {
  expect(await look(files)).toEqual({ skills: [{ name: 'deploy', path, isLoaded: true, problems: [] }], others: [] })
})

test('each skill has the problems that lint reports, with paths from the folder', async () => {
  const { skills } = await look({
    'all/a/SKILL.md': '---\ndescription: Ship: it\n---\nDo it.\n',
    'all/b/SKILL.md': '\u0000',
  })
  expect(skills.map(({ path, isLoaded }) => [path, isLoaded])).toEqual([
    ['all/a/SKILL.md', true],
    ['all/b/SKILL.md', false],
  ])
  expect(skills[0]?.problems).toMatchObject([{ code: 'unquoted-text', path: 'all/a/SKILL.md', line: 2 }])
  expect(skills[1]?.problems).toMatchObject([{ severity: 'error', path: 'all/b/SKILL.md' }])
})

test.each([
  [{ 'deploy/SKILL.txt': skill }, 'SKILL.txt'],
  [{ 'deploy.md': skill }, 'deploy/SKILL.md'],
])('of what is nearly a skill it says what keeps it from being one: %j', async (files, said) => {
  const { skills, others } = await look(files)
  expect(skills).toEqual([])
  const text = others.map(({ message, hint }) => `${message} ${hint}`).join(' ')
  expect(text).toContain(said)
  expect(text).not.toContain('given:')
})
