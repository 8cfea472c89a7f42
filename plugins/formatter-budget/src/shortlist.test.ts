import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createSkills, loadResult, promptCommand, type Override, type Plugin, type Source } from '@skills/core'
import { invocationKinds } from '@skills/invocation'
import {
  enginePort,
  formatterKind,
  ListingRecord,
  strategyKind,
  type Listing,
  type ListingContext,
} from '@skills/invocation/skill-tool'
import { fakeHost } from '@skills/testing'
import { largeSource, numberedName, numberedNames } from '@skills/testing/internal'
import { budgetFormatter, type BudgetFormatterOptions } from './index.js'

const works = ['deploy the branch', 'resize photos', 'translate a letter', 'query the database', 'draw a chart']
const about = new Map(Array.from({ length: 60 }, (_none, at) => [`s${at + 10}`, `Use it to ${works[at % 5]} (${at}).`]))

interface Setting {
  readonly skills?: ReadonlyMap<string, string>
  readonly overrides?: Readonly<Record<string, Override>>
  readonly denies?: readonly string[]
  readonly more?: readonly Plugin[]
  readonly options?: Partial<BudgetFormatterOptions>
}

/** Makes an engine with these skills, and returns what lists for a conversation. */
function engine({ skills: given = about, overrides, denies = [], more = [], options }: Setting = {}) {
  const own: Source = {
    source: 'user',
    list: () =>
      loadResult({
        commands: [...given].map(([name, description]) =>
          promptCommand({ name, description, source: 'user', load: () => ({ template: '' }) }),
        ),
      }),
  }
  const skills = createSkills({
    host: fakeHost(),
    kinds: [...invocationKinds, formatterKind, strategyKind],
    onDiagnostic: () => {},
    overrides: overrides ?? {},
    plugins: [
      { kind: 'source', id: 'user', setup: () => own },
      {
        kind: 'permission',
        id: 'rules',
        setup: () => ({
          check: () => ({ behavior: 'allow', message: '', decisionReason: { type: 'safe' } }),
          denied: entries => new Set(entries.filter(({ name }) => denies.includes(name))),
        }),
      },
      budgetFormatter({ strategy: 'shortlist', most: 5, ...options } as BudgetFormatterOptions),
      ...more,
    ],
  })
  onTestFinished(() => skills.close())
  const port = enginePort(skills)
  const listing = (context: ListingContext = {}): Promise<Listing> =>
    port.listing({ contextWindow: 200_000, ...context })
  return { skills, listing }
}

const names = ({ entries }: Listing): readonly string[] => entries.map(({ name }) => name)
/** Returns the skills of {@link about} that do this work, by name. */
const thatDo = (work: string): readonly string[] =>
  [...about].flatMap(([name, it]) => (it.includes(work) ? [name] : []))

test('it has the skills that fit what was said last, by name, and says how many there are besides', async () => {
  const { listing } = engine()
  const told = await listing({ messages: ['Please resize the photos of my holiday'], searchTool: 'SkillSearch' })
  expect(names(told)).toHaveLength(5)
  expect(thatDo('resize photos')).toEqual(expect.arrayContaining([...names(told)]))
  expect(names(told)).toEqual(names(told).toSorted())
  expect(told.text.split('\n').at(-1)).toBe(
    '(55 more skills are not shown here: search for them by name or purpose with SkillSearch.)',
  )
  expect([...names(told), ...told.omitted].toSorted()).toEqual([...about.keys()].toSorted())
})

test('what was said before counts less than what was said last, and is forgotten in the end', async () => {
  const { listing } = engine({ options: { most: 12 } })
  const [photos, chart] = ['resize photos', 'draw a chart']
  const both = names(await listing({ messages: [photos, chart] }))
  expect([photos, chart].map(work => both.filter(name => thatDo(work).includes(name)).length)).toEqual([6, 6])
  const answered = names(await listing({ messages: [photos, chart, 'zzz'] }))
  expect([photos, chart].map(work => answered.filter(name => thatDo(work).includes(name)).length)).toEqual([6, 6])
  const later = names(await listing({ messages: [photos, chart, chart, chart] }))
  expect(later).toEqual(names(await listing({ messages: [chart, chart, chart] })))
})

test('it is the same object as long as the same skills are chosen, however it is asked for', async () => {
  const { listing } = engine({ options: { most: 12 } })
  const first = await listing({ messages: ['resize photos'] })
  expect(await listing({ messages: ['now resize the photos, please'] })).toBe(first)
  expect(await listing({ messages: ['translate a letter'] })).not.toBe(first)
  expect((await listing({ messages: ['resize photos'] })).text).toBe(first.text)
})

test('without a message, or where nothing fits it, it has the skills used most, then the first ones', async () => {
  const use = (name: string) => (name === 's50' ? { count: 3, lastUsed: 0 } : undefined)
  const { listing } = engine({ options: { use } })
  expect(names(await listing())).toEqual(['s10', 's11', 's12', 's13', 's50'])
  expect(names(await listing({ messages: ['zzz'] }))).toEqual(['s10', 's11', 's12', 's13', 's50'])
})

test('what is pinned comes first and what is in use stays, and neither takes the place of what fits', async () => {
  const { listing } = engine({ overrides: { s44: 'pinned' } })
  const told = names(await listing({ messages: ['resize photos'], inUse: ['s43', 'gone'] }))
  expect(told[0]).toBe('s44')
  expect(told).toContain('s43')
  expect(told.filter(name => thatDo('resize photos').includes(name))).toHaveLength(5)
})

test('what a rule denies, or a user keeps to themselves, has no place', async () => {
  const [first = '', second = ''] = thatDo('resize photos')
  const { listing } = engine({ denies: [first], overrides: { [second]: 'user-only' }, options: { most: 60 } })
  const told = await listing({ messages: ['resize photos'], inUse: [first, second] })
  expect(told.text).not.toMatch(new RegExp(`- (?:${first}|${second}):`))
  expect(names(told)).toHaveLength(58)
})

test('explain says that others fit better', async () => {
  const { skills, listing } = engine()
  const told = await listing({ messages: ['resize photos'] })
  const { notes } = await skills.explain(told.omitted[0] ?? '')
  expect(notes.map(({ text }) => text)).toContain(
    'The listing has the 5 skills that fit the conversation best, and the skill is none of them.',
  )
})

test('a large source has its best in it, and a skill that makes room for others is not said to be gone', async () => {
  const large = largeSource({
    names: numberedNames(100_000),
    make: name =>
      promptCommand({ name, source: 'large', description: `Ships ${name}.`, load: () => ({ template: '' }) }),
  })
  const { skills, listing } = engine({ more: [large] })
  const [one, other] = [numberedName(70_000), numberedName(123)]
  const record = new ListingRecord(skills)
  const told = await listing({ messages: [`resize photos with ${one}`], searchTool: 'SkillSearch' })
  expect(names(told)).toContain(one)
  expect(told.text).toContain('(100055 more skills are not shown here')
  expect(record.next(told)?.content).toContain(one)
  const news = record.next(await listing({ messages: [`resize photos with ${other}`], searchTool: 'SkillSearch' }))
  expect(news?.content).toContain(other)
  expect(news?.removed).toEqual([])
  const { found } = await skills.catalog({ names: [one] })
  expect(found.map(({ name }) => name)).toEqual([one])
  expect(names(await listing({ messages: ['translate a letter'], inUse: [one] }))).toContain(one)
})

test('it keeps its budget, and every skill is either shown or said to be left out', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 60 }),
      fc.integer({ min: 1, max: 4000 }),
      fc.integer({ min: 1, max: 70 }),
      fc.constantFrom(undefined, 'SkillSearch'),
      fc.array(fc.constantFrom(...works, 'zzz', ''), { maxLength: 4 }),
      async (count, budget, most, searchTool, messages) => {
        const given = new Map([...about].slice(0, count))
        const { listing } = engine({ skills: given, options: { most, budget } as Partial<BudgetFormatterOptions> })
        const told = await listing({ messages, searchTool })
        expect(told.usedChars).toBeLessThanOrEqual(budget)
        expect([...names(told), ...told.omitted].toSorted()).toEqual([...given.keys()].toSorted())
        expect(names(told).length).toBeLessThanOrEqual(most)
      },
    ),
    { numRuns: 40 },
  )
})
