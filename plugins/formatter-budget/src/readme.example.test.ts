/* oxlint-disable no-restricted-imports -- the README imports the package by its name, as its readers do */
// #region usage
import { createSkills, isModelVisible, type Plugin } from '@skills/core'
import { budgetFormatter } from '@skills/formatter-budget'
import { formatterKind } from '@skills/invocation/skill-tool'

async function listingFor(contextWindow: number, sources: readonly Plugin[]) {
  const skills = createSkills({
    kinds: [formatterKind],
    plugins: [...sources, budgetFormatter({ fraction: 0.02 })],
    overrides: { deploy: 'pinned', 'house-style': 'name-only' },
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
  try {
    const entries = (await skills.catalog()).entries.filter(({ command }) => isModelVisible(command))
    return await skills.use('formatter').first((formatter, call) => formatter.format(entries, { contextWindow }, call))
  } finally {
    await skills.close()
  }
}
// #endregion usage

import { loadResult, promptCommand } from '@skills/core'
import { expect, it, onTestFinished, vi } from 'vitest'

it('gives a listing within a part of the window, as the README shows', async () => {
  // The unused skill that has its turn, and so the order, changes every hour.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-24T14:00:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const commands = ['deploy', 'house-style', 'test'].map(name =>
    promptCommand({
      name,
      source: 'user',
      description: `All about ${name}, at some length.`,
      load: () => ({ template: '' }),
    }),
  )
  const listing = await listingFor(1200, [
    { kind: 'source', id: 'user', setup: () => ({ source: 'user', list: () => loadResult({ commands }) }) },
  ])
  expect(listing?.text).toBe(
    '- deploy: All about deploy, at some length.\n- house-style\n- test: All about test, at some lengt…',
  )
  expect(listing).toMatchObject({ omitted: [], truncated: ['test'], budgetChars: 96 })
})
