import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sharesOf } from '@skills/ui/internal'
import { budgetBar } from './budget-bar.js'
import { palette } from '../../output/style.js'
import { widthOf } from '../../output/width.js'
import type { Listing } from '@skills/invocation/skill-tool'

const style = palette(false)

function listed(
  lengths: readonly number[],
  budgetChars: number,
): { readonly listing: Listing; readonly sources: ReadonlyMap<string, string> } {
  const entries = lengths.map((length, at) => ({ name: `${at}`, text: 'x'.repeat(length), shown: 'whole' as const }))
  const text = entries.map(one => one.text).join('\n')
  return {
    listing: { text, entries, omitted: [], truncated: [], budgetChars, usedChars: text.length },
    sources: new Map(entries.map(({ name }, at) => [name, `source-${at % 11}`])),
  }
}

test('the bar fits its width for any division of the budget, and every source has its line', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(500), { maxLength: 40 }),
      fc.integer({ min: 1, max: 9000 }),
      fc.integer({ min: 0, max: 200 }),
      (lengths, budget, columns) => {
        const told = listed(lengths, budget)
        const [bar = '', ...lines] = budgetBar(told, columns, style)
        expect(widthOf(bar)).toBe(2 + Math.max(10, Math.min(60, columns - 2)))
        expect(lines).toHaveLength(sharesOf(told).length)
      },
    ),
  )
})

test('a source that takes little is seen, and a full budget leaves nothing free', () => {
  const [little = ''] = budgetBar(listed([1], 8000), 80, style)
  expect(little).toMatch(/^ {2}█·{59}$/)
  const [full = ''] = budgetBar(listed([499, 500], 1000), 80, style)
  expect(full).toMatch(/^ {2}█{30}▓{30}$/)
})
