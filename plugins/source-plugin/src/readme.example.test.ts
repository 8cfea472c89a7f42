// #region usage
import { createSkills, processHost } from '@skills/core'
import { pluginSource } from '@skills/source-plugin'

async function skillsOfPlugins(cwd: string) {
  const skills = createSkills({
    host: processHost({ cwd }),
    plugins: [pluginSource({ plugins: ['tools/acme'] })],
    onDiagnostic: ({ message, hint = '' }) => process.emitWarning(`${message} ${hint}`),
  })
  try {
    const { entries } = await skills.catalog()
    return entries.map(({ name, command }) => `${name}: ${command.description}`)
  } finally {
    await skills.close()
  }
}
// #endregion usage

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { temporary } from '../test/engine.js'

it('lists a plugin made from nothing as the README shows', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const files = Object.fromEntries(
    [...readme.matchAll(/^`(tools\/acme\/[^`]+)`\n\n```\w+\n([^]*?)^```/gm)].map(([, path = '', text = '']) => [
      path,
      text,
    ]),
  )
  expect(Object.keys(files)).toHaveLength(3)
  expect(await skillsOfPlugins(temporary(files).path)).toEqual([
    'acme:deploy: Ships the current branch.',
    'acme:git:push: Pushes what is committed.',
  ])
})
