import fc from 'fast-check'
import { expect, test } from 'vitest'
import { barText } from './progress-bar.js'
import { widthOf } from './width.js'

const what = 'Getting https://acme.example/tools.zip'

test('a bar grows with what is done, beside counts and what it is about', () => {
  expect(barText({ what, done: 0, total: 35_000_000 }, 80)).toBe(
    '······························  0 B of 35 MB  Getting https://acme.example/too…',
  )
  expect(barText({ what, done: 1500, total: 3000, unit: 'objects' }, 120)).toBe(
    `███████████████···············  1,500 of 3,000 objects  ${what} …`,
  )
  expect(barText({ what, done: 5, total: 5, unit: 'skills' }, 80)).toMatch(/^█{30} {2}5 of 5 skills {2}Getting/)
})

test('without a total it counts, and without a count it says what is waited for', () => {
  expect(barText({ what, done: 1_200_000 }, 80)).toBe(`1.2 MB  ${what} …`)
  expect(barText({ what }, 80)).toBe(`${what} …`)
})

test('it stays on one line of any terminal, and gives it nothing to obey', () => {
  const count = fc.option(fc.nat(), { nil: undefined })
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      count,
      count,
      fc.integer({ min: 1, max: 200 }),
      (text, done, total, columns) => {
        const line = barText({ what: text, done, total }, columns)
        expect(widthOf(line)).toBeLessThanOrEqual(Math.max(1, columns - 1))
        expect(line).not.toMatch(/\p{Cc}/u)
      },
    ),
  )
})
