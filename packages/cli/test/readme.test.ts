import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { plain, runIn } from './console.js'

let tree: TempTree
afterEach(() => tree.dispose())

const readme = fileURLToPath(new URL('../README.md', import.meta.url))
const example = fileURLToPath(new URL('../../../examples/skills', import.meta.url))

// UPDATE_README=1 writes what the commands print now.
test('the session in the README is what these commands print', async () => {
  tree = tempTree({ 'home/project/.git': { dir: true } })
  const cwd = `${tree.path}/home/project`
  cpSync(example, cwd, { recursive: true })
  const text = readFileSync(readme, 'utf8')
  let session = ''
  let end = 0
  for (const block of text.matchAll(/```console\n([^]*?)```/g)) {
    const commands = block[1]?.split('\n').filter(line => line.startsWith('$ ')) ?? []
    let played = ''
    for (const command of commands) {
      const { stdout, stderr } = await runIn(command.split(' ').slice(2), { cwd, home: `${tree.path}/home`, isTerminal: true, columns: 110 })
      played += `${command}\n${plain(stdout + stderr).replaceAll(`${tree.path}/home`, '/home/me')}`
    }
    session += `${text.slice(end, block.index)}\`\`\`console\n${played}\`\`\``
    end = block.index + block[0].length
  }
  session += text.slice(end)
  if (process.env['UPDATE_README'] === '1') writeFileSync(readme, session)
  expect(session).toBe(readFileSync(readme, 'utf8'))
})
