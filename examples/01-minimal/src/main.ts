import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { openSkills } from '@skills/host'

// Works in this folder, which has skills in .claude/skills. The user has none.
const cwd = fileURLToPath(new URL('..', import.meta.url))
const skills = await openSkills('standard', { cwd, home: `${cwd}missing`, env: {} })
try {
  const catalog = await skills.catalog()
  const commands = catalog.entries.map(entry => entry.command).filter(command => command.type === 'prompt')
  for (const { name, description } of commands) console.log(`/${name}: ${description}`)
  assert.deepEqual(catalog.errors, [])
  assert.equal(commands[0]?.description, 'Greet somebody by name. Use when a conversation begins.')

  // The body is read only now.
  const body = await commands[0].load('', { signal: new AbortController().signal })
  assert.deepEqual(body, {
    template: '\nSay hello, and the name of the person who is there. Then ask what there is to do.\n',
  })
  console.log('As expected.')
} finally {
  await skills.close()
}
