import { formatterContract } from '@skills/testing'
import { testContract } from '@skills/testing/vitest'
import { budgetFormatter, type BudgetFormatterOptions } from './index.js'
import type { AnyListing } from './options.js'

const variants: readonly (readonly [title: string, options: AnyListing])[] = [
  ['a fair listing', { strategy: 'fair', maxDescription: 100_000 }],
  ['a listing by equal shares', { strategy: 'proportional' }],
  ['a listing with display names whose angle brackets are escaped', { showsDisplayName: true, escape: 'angles' }],
]

for (const [title, options] of variants) {
  testContract(
    title,
    formatterContract(budget => ({
      provider: budgetFormatter((budget === undefined ? options : { ...options, budget }) as BudgetFormatterOptions),
    })),
  )
}
