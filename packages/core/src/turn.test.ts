import { expect, test } from 'vitest'
import { createSkills, loadResult, type LocalCommand } from './index.js'

const named = (name: string): LocalCommand => ({
  type: 'local',
  name,
  displayName: name,
  aliases: [],
  description: name,
  hasUserSpecifiedDescription: true,
  source: 'user',
  loadedFrom: 'skills',
  userInvocable: true,
  isHidden: false,
  isEnabled: () => true,
  call: () => undefined,
})

async function turnsWhileLoading(count: number): Promise<number> {
  const commands = Array.from({ length: count }, (_, at) => named(`command-${at}`))
  const skills = createSkills({
    plugins: [{ kind: 'source', id: 'many', setup: () => ({ source: 'user', list: () => loadResult({ commands }) }) }],
    onDiagnostic: () => {},
  })
  let turns = 0
  let isLoading = true
  const tick = (): void => {
    if (!isLoading) return
    turns++
    setImmediate(tick)
  }
  setImmediate(tick)
  expect((await skills.catalog()).size).toBe(count)
  isLoading = false
  await skills.close()
  return turns
}

test('a large catalog is built with turns for the rest of the process, a small one at once', async () => {
  expect(await turnsWhileLoading(10_000)).toBeGreaterThanOrEqual(10)
  expect(await turnsWhileLoading(100)).toBe(0)
})
