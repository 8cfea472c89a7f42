import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromTarball, plugin } from './from-tarball.js'

await fromTarball(async ({ tarball, path, commands }) => {
  console.log(`Packed ${tarball}`)
  for (const { name, description } of commands) console.log(`/${name}: ${description}`)
  assert.deepEqual(
    commands.map(({ name }) => name),
    ['database-skills:describe-schema', 'database-skills:review-migration'],
  )

  // The skill comes from the installed package, and its text is the published one.
  for (const command of commands) {
    assert.equal(command.filePath?.startsWith(path.replaceAll('\\', '/')), true)
    const body = await command.load('', { signal: new AbortController().signal })
    const published = readFileSync(join(plugin, 'skills', command.displayName, 'SKILL.md'), 'utf8')
    assert.ok('template' in body && body.template.length > 100 && published.endsWith(body.template))
  }
  const beside = readFileSync(join(path, 'skills/describe-schema/references/format.md'), 'utf8')
  assert.match(beside, /^One heading for each group/)
  console.log('As expected.')
})
