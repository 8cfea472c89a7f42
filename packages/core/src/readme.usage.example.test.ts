import { expect, test } from 'vitest'
// #region usage
import { createSkills, defineProvider, loadResult, type LocalCommand } from '@skills/core'

const hello: LocalCommand = {
  type: 'local',
  name: 'hello',
  displayName: 'Hello',
  aliases: ['hi'],
  description: 'Says hello.',
  hasUserSpecifiedDescription: true,
  source: 'bundled',
  loadedFrom: 'bundled',
  userInvocable: true,
  isHidden: false,
  isEnabled: () => true,
  call: name => ({ text: `Hello, ${name || 'you'}!` }),
}

const greetings = defineProvider({
  kind: 'source',
  id: 'greetings',
  setup: () => ({ source: 'bundled', list: () => loadResult({ commands: [hello] }) }),
})

async function tour(show: (line: string) => void): Promise<void> {
  const skills = createSkills({
    plugins: [greetings],
    onDiagnostic: ({ severity, message }) => show(`${severity}: ${message}`),
  })
  try {
    const catalog = await skills.catalog()
    for (const { name, command } of catalog.entries) show(`/${name}: ${command.description}`)
    show((await skills.explain('hi')).answers[0]?.status ?? 'unknown')
  } finally {
    await skills.close()
  }
}
// #endregion usage

test('an engine is made of plugins, asked, and closed', async () => {
  const shown: string[] = []
  await tour(line => shown.push(line))
  expect(shown).toEqual(['/hello: Says hello.', 'active'])
})
