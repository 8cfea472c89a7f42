import { createSkills, loadResult, promptCommand } from '@skills/core'
import { enginePort, formatterKind } from '@skills/invocation/skill-tool'
import { fakeHost } from '@skills/testing'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { budgetFormatter } from './budget-formatter.js'
import { fitsListing } from './fits-listing.js'
import type { BudgetFormatterOptions } from './strategy-options.js'

type Strategy = 'fair' | 'filling' | 'proportional' | 'cutoff'

async function lookAt(texts: readonly string[], budget: number, strategy: Strategy) {
  const host = fakeHost({ env: { SLASH_COMMAND_TOOL_CHAR_BUDGET: `${budget}` } })
  const commands = texts.map((description, at) =>
    promptCommand({ name: `skill-${at}`, source: 'own', description, load: () => ({ template: '' }) }),
  )
  const skills = createSkills({
    host,
    kinds: [formatterKind],
    plugins: [
      { kind: 'source', id: 'own', setup: () => ({ source: 'own', list: () => loadResult({ commands }) }) },
      budgetFormatter({ strategy } as BudgetFormatterOptions),
    ],
    onDiagnostic: () => {},
  })
  onTestFinished(() => skills.close())
  const { entries } = await skills.catalog()
  const fits = fitsListing(entries, { strategy }, { host, contextWindow: undefined, besides: 0 })
  const { omitted, truncated } = await enginePort(skills).listing({})
  return { fits, isWhole: omitted.length + truncated.length === 0 }
}

test('what fits by its lengths is listed whole', async () => {
  const text = fc.oneof(
    fc.string({ minLength: 1, maxLength: 80 }),
    fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { maxLength: 12 }),
      fc.integer({ min: 20, max: 2000 }),
      fc.constantFrom<Strategy>('fair', 'filling', 'proportional'),
      async (texts, budget, strategy) => {
        const { fits, isWhole } = await lookAt(texts, budget, strategy)
        expect(fits && !isWhole).toBe(false)
      },
    ),
    { numRuns: 60 },
  )
})

test('few skills fit, many do not, and a long description does not fit any listing', async () => {
  expect(await lookAt(['A short text.', 'Another one.'], 500, 'fair')).toEqual({ fits: true, isWhole: true })
  expect(
    await lookAt(
      Array.from({ length: 50 }, () => 'A text of some length.'),
      500,
      'fair',
    ),
  ).toMatchObject({ fits: false })
  expect(await lookAt(['x'.repeat(1600)], 100_000, 'fair')).toEqual({ fits: false, isWhole: false })
})

test('only the listing itself can say what a strategy without shares shows', async () => {
  expect(await lookAt(['A short text.'], 5000, 'cutoff')).toEqual({ fits: false, isWhole: true })
})
