import fc from 'fast-check'
import { expect, test } from 'vitest'

test('a property draws the same cases on every run', () => {
  expect(fc.readConfigureGlobal().seed).toBe(Number(process.env['SKILLS_TEST_SEED'] ?? 1))
  const drawn: string[][] = [[], []]
  for (const cases of drawn) fc.assert(fc.property(fc.string(), text => void cases.push(text)))
  expect(drawn[0]).toEqual(drawn[1])
})
