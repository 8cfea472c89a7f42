import { ToldSkills } from '@skills/invocation/internal'
import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { openOver } from '../open-over.js'

/** Returns how a released program's model is told of each skill, by our distribution of the program. */
async function toldBy(name: string, folder: string, descriptions: readonly string[]) {
  const skills = descriptions.map((description, at) => [`a${`${at + 1}`.padStart(2, '0')}`, description] as const)
  const tree = tempTree({
    'home/.keep': '',
    'repo/.git/HEAD': '',
    ...Object.fromEntries(
      skills.map(([skill, description]) => [
        `repo/${folder}/skills/${skill}/SKILL.md`,
        `---\nname: ${skill}\ndescription: ${description}\n---\nText.\n`,
      ]),
    ),
  })
  onTestFinished(() => tree.dispose())
  const { skills: engine, distribution } = await openOver(tree, name, { cwd: 'repo', home: 'home' })
  onTestFinished(() => engine.close())
  const told = await ToldSkills.of({ skills: engine, distribution }, { contextWindow: 200_000 })
  const { entries } = await engine.catalog()
  return Promise.all(entries.filter(({ command }) => command.source === 'project').map(entry => told.told(entry)))
}

test('skills of the program take most of the room of Claude Code', async () => {
  const told = await toldBy(
    'claude-code',
    '.claude',
    Array.from({ length: 30 }, () => 'x'.repeat(240)),
  )
  expect(told.map(one => one.told)).toEqual([...Array(7).fill('whole'), ...Array(23).fill('name')])
  expect(told.at(-1)).toMatchObject({ cause: 'budget', because: expect.stringContaining('1,923 characters') })
})

test('Codex cuts a description at 1,024 characters, and deals its room out', async () => {
  expect(await toldBy('codex', '.agents', ['x'.repeat(1024), 'x'.repeat(1025)])).toMatchObject([
    { told: 'whole' },
    { told: 'cut', chars: 1021, of: 1025, cause: 'strategy' },
  ])
  const many = await toldBy(
    'codex',
    '.agents',
    Array.from({ length: 60 }, () => 'x'.repeat(1000)),
  )
  expect(new Set(many.map(({ told, chars }) => `${told} ${chars}`))).toEqual(new Set(['cut 608', 'cut 604']))
})

test.each(['openskills', 'vercel-skills'])('%s tells a model of nothing by itself, and says so', async name => {
  const [told] = await toldBy(name, '.claude', ['Does it.'])
  expect(told).toMatchObject({
    told: 'no',
    cause: 'strategy',
    because: expect.stringMatching(/tells .* no skill|tells no model/),
  })
})
