import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'

const folder = fileURLToPath(new URL('../../../.github/actions/compat', import.meta.url))
const program = fileURLToPath(new URL('../dist/skills.cjs', import.meta.url))

/** Runs the action's script as its step does. */
function run(files: Readonly<Record<string, string>>, inputs: Readonly<Record<string, string>>) {
  const tree = tempTree({ 'work/.git/HEAD': '', 'home/.keep': '', summary: '', output: '', ...files })
  onTestFinished(() => tree.dispose())
  const { status, stdout, stderr } = spawnSync('bash', [`${folder}/compat.sh`], {
    cwd: tree.path,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      HOME: `${tree.path}/home`,
      SKILLS_COMMAND: `${process.execPath} ${program}`,
      GITHUB_STEP_SUMMARY: `${tree.path}/summary`,
      GITHUB_OUTPUT: `${tree.path}/output`,
      RUNNER_TEMP: tree.path,
      SKILLS_FOLDER: 'work',
      ...inputs,
    },
  })
  const read = (name: string): string => readFileSync(`${tree.path}/${name}`, 'utf8')
  return { status, stdout, stderr, tree, read }
}

const skill = '---\nname: deploy\ndescription: Ships it.\ncontext: fork\n---\nShip it.\n'
const files = { 'work/.claude/skills/deploy/SKILL.md': skill }

test('its step hands every input on as a variable, and nothing of one stands in a script', () => {
  const text = readFileSync(`${folder}/action.yml`, 'utf8')
  const [head = '', runs = ''] = text.split(/^runs:$/m)
  const inputs = Array.from(
    /^inputs:\n([^]*?)^outputs:/m.exec(head)?.[1]?.matchAll(/^ {2}([a-z]+):$/gm) ?? [],
    one => one[1],
  )
  expect(inputs).toEqual(['agents', 'folder', 'version'])
  expect(Array.from(runs.matchAll(/^ {8}SKILLS_\w+: \$\{\{ inputs\.([a-z]+) \}\}$/gm), one => one[1])).toEqual(inputs)
  expect(runs).toContain('using: composite')
  expect(/^ {6}run: (.*)$/m.exec(runs)?.[1]).toBe('bash "$GITHUB_ACTION_PATH/compat.sh"')
})

test('it annotates lines, writes the table and the SARIF file, and fails when a wanted agent loses a skill', () => {
  const { status, stdout, stderr, read } = run(files, { SKILLS_AGENTS: 'codex' })
  expect(stdout.split('\n')[0]).toMatch(
    /^::error file=\.claude\/skills\/deploy\/SKILL\.md,title=agent-loses-skill::codex/,
  )
  expect(read('summary')).toContain('| `deploy` | moved* |')
  const [, sarif = ''] = /^sarif=(.*)\n$/.exec(read('output')) ?? []
  expect(JSON.parse(readFileSync(sarif, 'utf8'))).toMatchObject({ version: '2.1.0' })
  expect([status, stderr]).toEqual([1, ''])
})

test('it passes where every wanted agent has every skill', () => {
  expect(run(files, { SKILLS_AGENTS: 'claude-code' }).status).toBe(0)
})

test('an input that is no agent ends it with the reason, and runs nothing', () => {
  const { status, stderr, read } = run(files, { SKILLS_AGENTS: '$(touch ran);codex' })
  expect([status, read('summary')]).toEqual([2, ''])
  expect(stderr).toContain('"$(touch ran);codex"')
})
