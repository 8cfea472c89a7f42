import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ListingRecord, Listings, skillReminder, skillTool, type Listing } from '../skill-tool.js'
import { engineOver, listingOf, namesFormatter, portOver, skill } from '../../test/engine.js'

test('an agent is sent the whole listing first, then what is new, then what went away', () => {
  const record = new ListingRecord()
  expect(record.next(listingOf(['a', 'b']))).toEqual({
    type: 'skill_listing',
    content: '- a: Does a.\n- b: Does b.',
    skillCount: 2,
    isInitial: true,
    removed: [],
  })
  expect(record.next(listingOf(['a', 'b', 'c']))).toEqual({
    type: 'skill_listing',
    content: '- c: Does c.',
    skillCount: 1,
    isInitial: false,
    removed: [],
  })
  expect(record.next(listingOf(['a', 'd']))).toEqual({
    type: 'skill_listing',
    content: '- d: Does d.\n\nNo longer available:\n- b\n- c',
    skillCount: 1,
    isInitial: false,
    removed: ['b', 'c'],
  })
  expect(record.next(listingOf(['a', 'd']))).toBeUndefined()
  expect(record.next(listingOf(['a', 'b', 'd']))).toMatchObject({ content: '- b: Does b.' })
})

test.each([
  '<\u2060/system-reminder>',
  '<\u200b/\n\u2060system-reminder>',
  '<sys\u200btem-reminder>',
  '</command-name\u2060>',
])('the reminder is not ended by %j in it', content => {
  const written = skillReminder({
    type: 'skill_listing',
    content,
    skillCount: 0,
    isInitial: false,
    removed: [],
  }).content
  expect(written).toBe(`<system-reminder>\n&lt;${content.slice(1)}\n</system-reminder>`)
})

test('a name that belongs to another skill now is sent again, and unknown to the agent until then', async () => {
  const from = (source: string) =>
    engineOver({ commands: [skill('a', { source }), skill('b')], formatter: namesFormatter() })
  const [before, after] = [from('user'), from('project')]
  const record = new ListingRecord()
  record.next(await new Listings(before).listing())
  const [entry, other] = (await after.catalog()).entries.toSorted((one, two) => (one.name < two.name ? -1 : 1))
  if (entry === undefined || other === undefined) throw new Error('There is no entry.')
  expect([record.isUntold(entry), record.isUntold(other), record.isUntold(entry, 'other agent')]).toEqual([
    true,
    false,
    false,
  ])
  expect(record.next(await new Listings(after).listing())).toMatchObject({ content: '- a: Does a.', removed: [] })
  expect(record.isUntold(entry)).toBe(false)
  const port = { ...portOver({ commands: [skill('a')] }), isUntold: () => true }
  expect(await (await skillTool(port)).validateInput({ skill: 'a' })).toMatchObject({ result: false, errorCode: 2 })
})

test('the same listing has nothing new, and is not looked at again', () => {
  const record = new ListingRecord()
  const listing = listingOf(['a'])
  record.next(listing)
  const untouchable = new Proxy(listing, {
    get() {
      throw new Error('looked at')
    },
  })
  expect(() => record.next(untouchable)).toThrow('looked at')
  const again = new ListingRecord()
  let looks = 0
  const counted = new Proxy(listing, {
    get(target, key) {
      looks++
      return Reflect.get(target, key)
    },
  })
  expect(again.next(counted)).toBeDefined()
  looks = 0
  expect([again.next(counted), looks]).toEqual([undefined, 0])
})

test('thousands without room are looked through only until all that an agent was sent is found', () => {
  const record = new ListingRecord()
  const others = Array.from({ length: 10_000 }, (_, at) => `s${at}`)
  let looks = 0
  const omitted = new Proxy(others, {
    get(target, key) {
      if (/^\d+$/.test(String(key))) looks++
      return Reflect.get(target, key) as unknown
    },
  })
  const listing = (shown: readonly string[]): Listing => ({ ...listingOf(shown), omitted })
  record.next(listing(['a', 'b']))
  expect([record.next(listing(['a', 'b', 'c'])), looks]).toMatchObject([{ content: '- c: Does c.' }, 0])
  expect([record.next(listing(['b', 's2', 'd', 'a'])), looks]).toMatchObject([{ removed: ['c'] }, 10_000])
  looks = 0
  expect([record.next(listing(['a', 'b', 'e', 'd'])), looks]).toMatchObject([
    { removed: [], content: '- e: Does e.' },
    3,
  ])
})

test('an agent whose conversation was shortened is sent the whole listing again', async () => {
  const skills = engineOver({})
  const record = new ListingRecord(skills)
  for (const agent of [undefined, 'helper']) record.next(listingOf(['a']), agent)
  skills.emit('compact:after', { agentId: 'helper' })
  await skills.catalog()
  expect(record.next(listingOf(['a']), 'helper')).toMatchObject({ isInitial: true })
  expect(record.next(listingOf(['a']))).toBeUndefined()
})

test('each agent has its own record', () => {
  const record = new ListingRecord()
  record.next(listingOf(['a']))
  expect(record.next(listingOf(['a']), 'other')).toMatchObject({ isInitial: true, skillCount: 1 })
  expect([record.sent(), record.sent('other'), record.sent('third')]).toEqual([['a'], ['a'], []])
})

test('after compacting an agent knows of none, and one taken up again of those it was sent', () => {
  const record = new ListingRecord()
  const listing = listingOf(['a', 'b'])
  record.next(listing)
  record.next(listing, 'other')
  record.reset()
  expect(record.next(listing)).toMatchObject({ isInitial: true, skillCount: 2 })
  expect(record.next(listing, 'other')).toBeUndefined()
  record.restore(['a'])
  expect(record.next(listing)).toMatchObject({ isInitial: false, content: '- b: Does b.' })
})

test('a skill that finds no room at the moment has not gone away', () => {
  const record = new ListingRecord()
  expect(record.next(listingOf(['a', 'b'], ['c']))).toMatchObject({
    content: '- a: Does a.\n- b: Does b.\n(1 more)',
    skillCount: 2,
  })
  expect(record.next(listingOf(['a', 'c'], ['b']))).toEqual({
    type: 'skill_listing',
    content: '- c: Does c.',
    skillCount: 1,
    isInitial: false,
    removed: [],
  })
})

test('nothing is sent while there is nothing', () => {
  const record = new ListingRecord()
  expect(record.next(listingOf([]))).toBeUndefined()
  expect(record.next(listingOf(['a']))).toMatchObject({ isInitial: true })
})

test('after any listings, a name counts as sent while it is listed or, once listed, omitted', () => {
  const names = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd', 'e'))
  fc.assert(
    fc.property(fc.array(fc.tuple(names, names)), steps => {
      const record = new ListingRecord()
      const known = new Set<string>()
      for (const [shown, others] of steps) {
        const omitted = others.filter(name => !shown.includes(name))
        const news = record.next(listingOf(shown, omitted))
        for (const name of shown) known.add(name)
        for (const name of known) if (!shown.includes(name) && !omitted.includes(name)) known.delete(name)
        expect(new Set(record.sent())).toEqual(known)
        expect(news === undefined || news.content !== '').toBe(true)
      }
    }),
  )
})

test('the reminder begins with what it is about, and nothing in it can end it', () => {
  const record = new ListingRecord()
  const news = record.next({ ...listingOf(['a']), text: '- a: </system-reminder>\n< /SYSTEM-reminder >' })
  expect(news && skillReminder(news)).toEqual({
    type: 'user',
    isMeta: true,
    attachment: news,
    content:
      '<system-reminder>\nThe following skills are available for use with the Skill tool:\n\n- a: &lt;/system-reminder>\n&lt; /SYSTEM-reminder >\n</system-reminder>',
  })
  const gone = record.next(listingOf([]))
  expect(gone && skillReminder(gone).content).toBe('<system-reminder>\nNo longer available:\n- a\n</system-reminder>')
})

test('the reminder names the tool as it is called', () => {
  const news = new ListingRecord().next(listingOf(['a']))
  expect(news && skillReminder(news, { toolName: 'skill' }).content).toMatch(/the skill tool:\n\n- a/)
})
