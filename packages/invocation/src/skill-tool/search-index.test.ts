import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAbortError } from '@skills/core'
import { searchIndex } from '../skill-tool.js'
import type { SearchIndex } from './search-index.js'
import type { SearchText } from './search-text.js'

const texts: readonly SearchText[] = [
  { name: 'release-notes', description: 'Write the notes of a release from the commits since the last tag.' },
  {
    name: 'deploy',
    displayName: 'Ship it',
    aliases: 'go-live\npush',
    description: 'Ships what is on the branch to production.',
  },
  {
    name: 'commit-message',
    description: 'Write the message for a commit.',
    whenToUse: 'When the user asks to commit before a release.',
  },
  {
    name: 'kubernetes',
    keywords: 'containers\ncluster',
    description: 'Runs things.',
    body: 'Mentions deploy and terraform.',
  },
  { name: 'deploy-check', description: 'Checks what deploy would do.' },
]

async function found(query: string, all: readonly SearchText[] = texts): Promise<readonly string[]> {
  const index = await searchIndex(all)
  return index.search(query).map(({ at }) => all[at]?.name ?? '')
}

describe('a search', () => {
  test.each<[string, string, readonly string[]]>([
    ['finds what a name is first', 'deploy', ['deploy', 'deploy-check', 'kubernetes']],
    ['finds a name as people type it', '/Deploy', ['deploy', 'deploy-check', 'kubernetes']],
    ['finds a whole display name before anything else', 'ship it', ['deploy']],
    ['finds a whole alias before anything else', 'go-live', ['deploy']],
    ['finds keywords', 'cluster', ['kubernetes']],
    ['finds when to use', 'asks', ['commit-message']],
    ['finds bodies where there are any', 'terraform', ['kubernetes']],
    ['finds by a beginning', 'kube', ['kubernetes']],
    ['finds by what differs in a letter or two', 'kubernets', ['kubernetes']],
    ['finds swapped letters', 'relaese', ['release-notes', 'commit-message']],
    ['finds what resembles a word only where no one says the word itself', 'checks', ['deploy-check']],
    ['finds regardless of the accents', 'commít messáge', ['commit-message', 'release-notes']],
    ['puts what has more of the words first', 'notes of a release', ['release-notes', 'commit-message']],
    ['passes over words that say nothing', 'what is the terraform for', ['kubernetes']],
    ['looks for those where there are no others', 'what', ['deploy-check', 'deploy']],
    ['finds nothing for what no one says', 'zzzzzz', []],
    ['finds other forms of a word', 'shipping', ['deploy']],
    ['finds a word with two neighbours swapped', 'clsuter', ['kubernetes']],
    ['finds nothing for no word', ' \n', []],
    ['finds nothing for punctuation alone', '-- !?', []],
  ])('%s', async (_rule, query, names) => {
    expect(await found(query)).toEqual(names)
  })

  test('of so many hits gives the best', async () => {
    const index = await searchIndex(texts)
    const all = index.search('deploy release commit write')
    expect(all.length).toBeGreaterThan(3)
    for (let most = 0; most <= all.length + 1; most++)
      expect(index.search('deploy release commit write', most).map(({ at }) => at)).toEqual(
        all.slice(0, most).map(({ at }) => at),
      )
  })

  test('prefers what says a rare word, and a word that the query repeats', async () => {
    const all = [
      { name: 'one', description: 'Formats reports of sales.' },
      { name: 'two', description: 'Formats reports of stock.' },
      { name: 'three', description: 'Formats dates.' },
      { name: 'four', description: 'Formats numbers.' },
    ]
    expect((await found('formats stock', all))[0]).toBe('two')
    expect((await found('sales stock sales', all))[0]).toBe('one')
    expect((await found('sales stock stock', all))[0]).toBe('two')
  })

  test('of a text looks for whole words, of what is typed also for beginnings and typing errors', async () => {
    const filler = 'alpha beta gamma delta epsilon zeta eta theta'
    expect(await found('kube')).toEqual(['kubernetes'])
    expect(await found('kubrenetse')).toEqual(['kubernetes'])
    expect(await found(`kube kubrenetse ${filler}`)).toEqual([])
    expect(await found(`kubernetes ${filler}`)).toEqual(['kubernetes'])
  })

  test('looks for single signs and pairs of signs where there are no spaces', async () => {
    const all = [
      { name: 'a', description: '把应用部署到生产环境' },
      { name: 'b', description: '部门的报告' },
    ]
    expect(await found('部署应用', all)).toEqual(['a'])
    expect(await found('告', all)).toEqual(['b'])
    expect((await found('部', all)).toSorted()).toEqual(['a', 'b'])
  })

  test('says which words of which part it found', async () => {
    const index = await searchIndex(texts)
    const why = (query: string) => index.search(query).map(hit => ({ at: hit.at, reasons: hit.why() }))
    expect(why('release')).toEqual([
      {
        at: 0,
        reasons: [
          { field: 'name', words: ['release'] },
          { field: 'description', words: ['release'] },
        ],
      },
      { at: 2, reasons: [{ field: 'whenToUse', words: ['release'] }] },
    ])
    expect(why('deplyo')).toContainEqual({ at: 1, reasons: [{ field: 'name', words: ['deploy'] }] })
    expect(why('go-live')[0]).toEqual({ at: 1, reasons: [{ field: 'aliases', words: ['go', 'live'] }] })
  })

  test('finds nothing in a body that only resembles a word', async () => {
    const all = [
      { name: 'a', body: 'Uses terraform.' },
      { name: 'b', description: 'Uses Terraform.' },
    ]
    expect(await found('terafform', all)).toEqual(['b'])
    expect(await found('terraf', all)).toEqual(['b', 'a'])
  })

  test('ranks the same for the only query that there will be, also with bodies', async () => {
    const words = [
      'deploy',
      'deployment',
      'terraform',
      'ter',
      'relaese',
      'release',
      'zz',
      'mentions',
      'write',
      'the',
      'commit',
      'comit',
      'Versión',
      'v2',
      'notes\u0301',
      '部署',
    ]
    const some = (most: number) =>
      fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: most }).map(list => list.join(' '))
    const text = fc.record(
      {
        name: some(2),
        displayName: some(2),
        aliases: some(2),
        keywords: some(2),
        description: some(8),
        whenToUse: some(4),
      },
      { requiredKeys: ['name'] },
    )
    const hitsOf = (index: SearchIndex, query: string) =>
      index.search(query).map(({ at, why }) => ({ at, reasons: why() }))
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { maxLength: 8 }),
        fc.oneof(some(4), fc.constantFrom('deplyo', 'terrafrom', 'xrelease', 'cmmit', 'wrote', 'mention', 'ploy')),
        async (all, query) => {
          expect(hitsOf(await searchIndex(all, { query }), query)).toEqual(hitsOf(await searchIndex(all), query))
          const withBodies = all.map((one, at) => ({ ...one, body: all[at - 1]?.description ?? '' }))
          expect(hitsOf(await searchIndex(withBodies, { query }), query)).toEqual(
            hitsOf(await searchIndex(withBodies), query),
          )
        },
      ),
      { numRuns: 300 },
    )
  })

  test('takes texts one by one, and asks for the next when it is done with one', async () => {
    const asked: number[] = []
    let [lent, most] = [0, 0]
    async function* oneByOne() {
      for (const [at, one] of texts.entries()) {
        asked.push(at)
        most = Math.max(most, ++lent)
        yield one
        lent--
      }
    }
    const index = await searchIndex(oneByOne(), { query: 'deploy' })
    expect(index.search('deploy').map(({ at }) => texts[at]?.name)).toEqual(['deploy', 'deploy-check', 'kubernetes'])
    expect([asked, most]).toEqual([[0, 1, 2, 3, 4], 1])
  })

  test('finds a name that has no word in it', async () => {
    expect(await found('++', [{ name: 'a' }, { name: '++' }])).toEqual(['++'])
    expect(await found('/\u0300', [{ name: 'a' }, { name: '\u0300' }])).toEqual(['\u0300'])
  })

  test('does not depend on the order of the texts, except that equals keep it', async () => {
    const twins = [
      { name: 'b', description: 'Tests a thing.' },
      { name: 'a', description: 'Tests a thing.' },
    ]
    expect(await found('tests', twins)).toEqual(['b', 'a'])
    expect(await found('tests', twins.toReversed())).toEqual(['a', 'b'])
    const queries = fc
      .array(fc.constantFrom('deploy', 'release', 'write', 'the', 'commit', 'zz', 'chec'), {
        minLength: 1,
        maxLength: 4,
      })
      .map(words => words.join(' '))
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...texts], { minLength: texts.length }),
        queries,
        async (shuffled, query) => {
          expect((await found(query, shuffled)).toSorted()).toEqual((await found(query)).toSorted())
        },
      ),
      { numRuns: 50 },
    )
  })

  test('fails on no text and no query, and finds every name by itself', async () => {
    const word = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('__proto__', 'constructor', 'toString', '👩‍👩‍👧', 'e\u0301', '\ud800'),
    )
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(word, { minLength: 1, maxLength: 8 }), word, async (names, query) => {
        const index = await searchIndex(names.map(name => ({ name, description: query })))
        expect(Array.isArray(index.search(query))).toBe(true)
        const lost = names.filter(
          (name, at) => name.trim().replace(/^\/+/, '') !== '' && !index.search(name).some(hit => hit.at === at),
        )
        expect(lost).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  test('takes a query of a megabyte and texts of a megabyte', async () => {
    const huge = 'deploy '.repeat(150_000)
    expect(
      await found(huge, [
        { name: 'a', description: huge },
        { name: 'b', description: 'x'.repeat(1_000_000) },
      ]),
    ).toEqual(['a'])
    expect(await found('y'.repeat(1_000_000))).toEqual([])
  })

  test('of 100,000 skills finds the one', async () => {
    const many = Array.from({ length: 100_000 }, (_, at) => ({
      name: `skill-${at}`,
      description: at === 77_777 ? 'Brews coffee.' : 'Does something.',
    }))
    const index = await searchIndex(many)
    expect(index.search('coffee').map(({ at }) => at)).toEqual([77_777])
    expect(index.search('skill-4242')[0]?.at).toBe(4242)
  })

  test('ends with an abort', async () => {
    const many = Array.from({ length: 20_000 }, (_, at) => ({ name: `skill-${at}` }))
    await expect(searchIndex(many, { signal: AbortSignal.abort() })).rejects.toSatisfy(isAbortError)
  })
})
