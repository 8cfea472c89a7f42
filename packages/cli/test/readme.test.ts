import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import type { Reason } from '@skills/core'
import { stateWords } from '../src/output/state-words.js'
import { plain, runIn } from './console.js'

let tree: TempTree
afterEach(() => tree.dispose())

const readme = fileURLToPath(new URL('../README.md', import.meta.url))
const projectReadme = fileURLToPath(new URL('../../../README.md', import.meta.url))
const distribution = fileURLToPath(new URL('../../distributions/test/acme.mjs', import.meta.url))
const example = fileURLToPath(new URL('../../../examples/skills', import.meta.url))

// UPDATE_README=1 writes the current output of the commands.
test('the session in the README is what these commands print', async () => {
  tree = tempTree({ 'home/project/.git': { dir: true } })
  const cwd = `${tree.path}/home/project`
  cpSync(example, cwd, { recursive: true })
  cpSync(distribution, `${cwd}/acme.mjs`)
  const text = readFileSync(readme, 'utf8')
  let session = ''
  let end = 0
  for (const block of text.matchAll(/```console\n([^]*?)```/g)) {
    const commands = block[1]?.split('\n').filter(line => line.startsWith('$ ')) ?? []
    let played = ''
    for (const command of commands) {
      const { stdout, stderr } = await runIn(command.split(' ').slice(2), {
        cwd,
        home: `${tree.path}/home`,
        isTerminal: true,
        columns: 110,
      })
      // On a slow machine progress appears on a line that is erased later.
      // oxlint-disable-next-line no-control-regex -- how a terminal is told to
      const kept = (stdout + stderr).replaceAll(/[^\n]*\r\u001b\[K/g, '')
      played += `${command}\n${plain(kept).replaceAll(`${tree.path}/home`, '/home/me')}`
    }
    session += `${text.slice(end, block.index)}\`\`\`console\n${played}\`\`\``
    end = block.index + block[0].length
  }
  session += text.slice(end)
  if (process.env['UPDATE_README'] === '1') writeFileSync(readme, session)
  expect(session).toBe(readFileSync(readme, 'utf8'))
})

test('what the README of the project shows of explain is what it prints', async () => {
  const deploy = (description: string): string => `---\ndescription: ${description}\n---\nShip it.\n`
  tree = tempTree({
    'home/skills/.git': { dir: true },
    'home/my-project/.git': { dir: true },
    'home/my-project/.claude/skills/deploy/SKILL.md': deploy('Ship it from the project.'),
    'home/.claude/skills/deploy/SKILL.md': deploy('Ship the current branch to staging.'),
  })
  const { stdout, stderr } = await runIn(['explain', 'deploy', '--cwd', `${tree.path}/home/my-project`], {
    cwd: `${tree.path}/home/skills`,
    home: `${tree.path}/home`,
    isTerminal: true,
    columns: 110,
  })
  const command = '$ node packages/cli/dist/skills.cjs explain deploy --cwd ~/my-project\n'
  const before = readFileSync(projectReadme, 'utf8')
  const start = before.indexOf(command) + command.length
  const played = plain(stdout + stderr).replaceAll(`${tree.path}/home`, '/home/me')
  const after = before.slice(0, start) + played + before.slice(before.indexOf('```', start))
  if (process.env['UPDATE_README'] === '1') writeFileSync(projectReadme, after)
  expect(after).toBe(readFileSync(projectReadme, 'utf8'))
})

/** All causes. A new one does not compile until it is added here. */
const causes: Readonly<Record<Reason['cause'], true>> = {
  flag: true,
  override: true,
  disabled: true,
  error: true,
  shadowed: true,
  gate: true,
  permission: true,
  budget: true,
  removed: true,
}

test('the tables of what explain answers name every state in its words, and every cause', () => {
  const section =
    readFileSync(readme, 'utf8')
      .split('\n## ')
      .find(part => part.startsWith('What `explain` answers\n')) ?? ''
  const rows = section
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .map(line => line.split(' | ').map(cell => cell.replaceAll(/^\| |`/g, '')))
  expect(rows.filter(cells => cells.length === 3).map(([state, words]) => [state, words])).toEqual(
    Object.entries(stateWords),
  )
  expect(rows.filter(cells => cells.length === 2).map(([cause]) => cause)).toEqual(Object.keys(causes))
})
