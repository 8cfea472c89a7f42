import { existsSync, readdirSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { plain, runIn } from '../../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

function source() {
  tree = tempTree({
    'project/.git/HEAD': 'ref: refs/heads/main\n',
    'home/.keep': '',
    'x/skills/plain/SKILL.md': '---\nname: plain\ndescription: Says hello.\n---\nHello.\n',
    'x/skills/runs/SKILL.md': '---\nname: runs\ndescription: Runs.\n---\nNow !`touch ran`.\n',
  })
  const cwd = `${tree.path}/project`
  return async (line: string, more: object = {}) => runIn(line.split(' '), { cwd, home: `${tree.path}/home`, ...more })
}

test.each(['add --list ../x', 'try ../x'])(
  '%s lists names, powers and descriptions, and installs nothing',
  async line => {
    const skills = source()
    expect(await skills(line)).toMatchObject({ code: 0, stdout: 'plain\tnone\tSays hello.\nruns\tmedium\tRuns.\n' })
    expect(JSON.parse((await skills(`${line} --json`)).stdout)).toMatchObject({
      skills: [
        { name: 'plain', level: null },
        { name: 'runs', level: 'medium', description: 'Runs.' },
      ],
      refused: [],
    })
    expect(readdirSync(`${tree.path}/project`)).toEqual(['.git'])
    const { stderr } = await skills(line, { isTerminal: true })
    for (const command of stderr.matchAll(/^.*: skills (.*)$/gm))
      expect((await skills(command[1] ?? '')).code).toBeLessThan(2)
  },
)

test('try of one skill shows what it can do and its text, and runs no command of it', async () => {
  const skills = source()
  const { code, stdout } = await skills('try ../x --skill runs')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^runs {2}Runs\.\nIt can\n {2}medium {2}.*: touch ran\n/)
  expect(stdout).toMatch(/\nNow !`touch ran`\.\n$/)
  expect(existsSync(`${tree.path}/project/ran`)).toBe(false)
  expect(readdirSync(`${tree.path}/project`)).toEqual(['.git'])
  expect((await skills('try ../x --skill plan')).stderr).toMatch(/Did you mean plain\?/)
})

test('the picker of add shows descriptions, and paths only where a name is there twice', async () => {
  const skills = source()
  const labels: string[] = []
  const answer = (_title: string, choices: readonly { readonly label: string }[]) => {
    labels.push(...choices.map(({ label }) => label))
    return undefined
  }
  await skills('add ../x', { isTerminal: true, answer })
  expect(labels).toEqual(['plain  Says hello.', 'runs  Runs.'])
})

test('more than three skills are summed, and --details or an answer shows each', async () => {
  const skills = source()
  const text = (name: string) => `---\nname: ${name}\ndescription: x\n---\nx\n`
  for (const name of ['a', 'b', 'c']) tree.write({ [`x/skills/${name}/SKILL.md`]: text(name) })
  const { stdout } = await skills('add ../x --all')
  expect(stdout).toMatch(
    /^5 skills {2}5 new {2}\.\.\/x\n {2}medium {2}1 {2}runs \(embedded-command\)\n {2}text alone {2}4\n.*--details\n/,
  )
  expect((await skills('add ../x --all --details')).stdout).toMatch(/^a {2}new, 1 file/)
  const answers = ['details', 'no']
  const asked = await skills('add ../x --all', { isTerminal: true, answer: () => answers.shift() })
  expect([asked.code, answers, plain(asked.stdout)]).toEqual([
    1,
    [],
    expect.stringMatching(/5 skills[^]*consent[^]*a {2}new, 1 file/),
  ])
})
