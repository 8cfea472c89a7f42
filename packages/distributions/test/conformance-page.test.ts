import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { distributions, pending, rows } from '../../../scripts/conformance-rows.mjs'
import { listTests, page, render } from '../../../scripts/conformance.mjs'

it('docs/conformance.md has every test there is, passed; "node scripts/conformance.mjs" writes it', () => {
  expect(readFileSync(page, 'utf8')).toBe(render(listTests()))
})

it('every row has a test, or is said not to be there yet', () => {
  const tested = new Set(listTests().map(({ row }) => row))
  const known = new Set(rows.map(([number]) => number))
  expect(rows.map(([number]) => number).filter(number => !tested.has(number) && pending[number] === undefined)).toEqual(
    [],
  )
  expect([...tested].filter(number => !known.has(number))).toEqual([])
})

it('every distribution has tests, and a failed one says so on the page', () => {
  const tests = listTests()
  for (const letter of Object.keys(distributions))
    // For an agent that only lists skills, only its particular rows are tested.
    expect(tests.filter(test => test.letter === letter).length).toBeGreaterThan('DGIUVPWLQBH'.includes(letter) ? 7 : 30)
  expect(
    render(tests.map(test => (test.row === 1 && test.letter === 'S' ? { ...test, state: 'failed' } : test))),
  ).toContain('| 1 | order of sources | failed |')
})
