import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createSkills, loadResult, promptCommand, type Catalog, type PromptCommand } from '@skills/core'
import { fakeHost } from '@skills/testing'
import { checkOverlap } from './check-overlap.js'
import { lintCatalog, wordOverlap } from './index.js'
import { wordsOf } from './word-overlap.js'

async function catalogOf(
  texts: Readonly<Record<string, string>>,
  parts: Partial<PromptCommand> = {},
): Promise<Catalog> {
  const commands = Object.entries(texts).map(([name, description]) =>
    promptCommand({ name, source: 'user', description, isSkill: true, load: () => ({ template: '' }), ...parts }),
  )
  const skills = createSkills({
    host: fakeHost(),
    onDiagnostic: () => {},
    plugins: [{ kind: 'source', id: 'user', setup: () => ({ source: 'user', list: () => loadResult({ commands }) }) }],
  })
  onTestFinished(() => skills.close())
  return skills.catalog()
}

const pdf = 'Extracts tables from PDF files, fills forms and merges pages; use it for invoices, scans and contracts.'

test('the twin is the nearest, and words that all have count for little', async () => {
  const catalog = await catalogOf({
    'pdf-tables': pdf,
    'pdf-forms': pdf.replace('contracts', 'letters'),
    deploy: 'Use it for shipping the service to staging, and for taking it back.',
    poems: 'Use it for sonnets.',
  })
  const { pairs, near } = await wordOverlap(catalog)
  expect(pairs).toHaveLength(1)
  expect(pairs[0]).toMatchObject({ one: { name: 'pdf-tables' }, other: { name: 'pdf-forms' } })
  expect(near('pdf-forms')[0]?.name).toBe('pdf-tables')
  expect(near('deploy')[0]?.overlap).toBeLessThan(0.4)
  expect(near('gone')).toEqual([])
})

test('what no model is told of steals no query', async () => {
  const catalog = await catalogOf({ one: pdf, two: pdf }, { disableModelInvocation: true })
  expect((await wordOverlap(catalog)).pairs).toEqual([])
})

test('all pairs are those that a comparison of each with each finds', async () => {
  const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta')
  const texts = fc.array(fc.array(word, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(texts, async lists => {
      const all = Object.fromEntries(lists.map((list, at) => [`n${at}`, list.join(' ')]))
      const sets = Object.entries(all).map(([name, text]) => new Set([name, ...text.split(' ')]))
      const weight = (term: string): number => Math.log(1 + sets.length / sets.filter(set => set.has(term)).length) ** 2
      const sum = (set: Iterable<string>): number => [...set].reduce((total, term) => total + weight(term), 0)
      const expected = sets.flatMap((one, at) =>
        sets.slice(at + 1).map((other, by) => {
          const shared = sum([...one].filter(term => other.has(term)))
          return { at, other: at + 1 + by, overlap: shared / Math.sqrt(sum(one) * sum(other)) }
        }),
      )
      const { pairs } = await wordOverlap(await catalogOf(all), { least: 0.3 })
      const found = pairs.map(({ one, other }) => `${one.name} ${other.name}`).toSorted()
      // Pairs exactly at the limit may fall on either side.
      const sure = expected.filter(({ overlap }) => Math.abs(overlap - 0.3) > 1e-9)
      expect(found).toEqual(
        expect.arrayContaining(sure.filter(({ overlap }) => overlap > 0.3).map(({ at, other }) => `n${at} n${other}`)),
      )
      expect(pairs.every(({ overlap }) => overlap >= 0.2999)).toBe(true)
    }),
    { numRuns: 50 },
  )
})

test('lint warns once of a skill that no model can tell from another', async () => {
  const { others } = await lintCatalog(await catalogOf({ one: pdf, two: pdf, three: 'x', four: 'x' }))
  const found = others.filter(({ code }) => code === 'overlapping-description')
  expect(found.map(({ name }) => name)).toEqual(['two'])
  expect(found[0]?.message).toMatch(/^Its name and description share \d+ % of their words with those of "one"\.$/)
})

test('what lint says of each skill is what a comparison of all pairs says', async () => {
  // Few words, some of them in many skills, so that pairs lie on both sides of the limit.
  const word = fc.nat(40).map(number => `word${Math.floor(number ** 2 / 40)}`)
  const own = fc.uniqueArray(word, { minLength: 9, maxLength: 16 })
  const lists = fc.array(fc.oneof(own, fc.constant(Array.from({ length: 12 }, (_, at) => `word${at}`))), {
    minLength: 2,
    maxLength: 25,
  })
  await fc.assert(
    fc.asyncProperty(lists, async texts => {
      const catalog = await catalogOf(Object.fromEntries(texts.map((list, at) => [`n${at % 7}-${at}`, list.join(' ')])))
      const { pairs } = await wordOverlap(catalog, { least: 0.8 })
      const isLong = (name: string): boolean => {
        const entry = catalog.get(name)
        return entry !== undefined && wordsOf(entry).length >= 10
      }
      const nearest = new Map<string, number>()
      for (const { one, other, overlap } of pairs)
        if (isLong(one.name) && isLong(other.name))
          nearest.set(other.name, Math.max(overlap, nearest.get(other.name) ?? 0))
      const found = await checkOverlap(catalog, {})
      const shown = found.map(({ name, message }) => `${name} ${/share (\d+) %/.exec(message)?.[1]}`)
      expect(shown.toSorted()).toEqual(
        [...nearest].map(([name, overlap]) => `${name} ${Math.round(overlap * 100)}`).toSorted(),
      )
    }),
    { numRuns: 200, seed: 34 },
  )
})
