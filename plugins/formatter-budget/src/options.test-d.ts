import { expectTypeOf, test } from 'vitest'
import { budgetFormatter, type BudgetFormatterOptions } from './index.js'

test('an option that has no effect with a strategy does not compile', () => {
  expectTypeOf<{ strategy: 'cutoff'; budget: number }>().toExtend<BudgetFormatterOptions>()
  expectTypeOf<{ strategy: 'cutoff'; fraction: number }>().not.toEqualTypeOf<BudgetFormatterOptions>()
  budgetFormatter({ fraction: 0.02, tokens: text => text.length, floor: 0.1 })
  budgetFormatter({ strategy: 'proportional', budget: 500, minShare: 5 })
  budgetFormatter({ strategy: 'cutoff', budget: 500 })
  // @ts-expect-error -- its budget is no part of a window
  budgetFormatter({ strategy: 'cutoff', fraction: 0.02 })
  // @ts-expect-error -- it shows everything
  budgetFormatter({ strategy: 'fixed', budget: 500 })
  // @ts-expect-error -- it shows everything
  budgetFormatter({ strategy: 'grouped', budget: 500 })
  // @ts-expect-error -- it escapes everything
  budgetFormatter({ strategy: 'xml', escape: 'tags' })
  // @ts-expect-error -- the order is by precedence
  budgetFormatter({ strategy: 'proportional', floor: 0.1 })
  // @ts-expect-error -- lines stand on lines of their own
  budgetFormatter({ joiner: 'newline' })
  // @ts-expect-error -- one of the two
  budgetFormatter({ budget: 500, fraction: 0.02 })
})
