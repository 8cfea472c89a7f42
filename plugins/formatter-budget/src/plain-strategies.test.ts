import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entryOf, fitting, many, start } from '../test/listing.js'
import type { AnyListing } from './options.js'
import type { StrategyName } from './strategy-options.js'
import type { CatalogEntry } from '@skills/core'
import type { Listing } from '@skills/invocation/skill-tool'

const plain = ['cutoff', 'fixed', 'xml', 'grouped'] as const

async function laid(
  strategy: StrategyName,
  entries: readonly CatalogEntry[],
  options: AnyListing = {},
  env: Readonly<Record<string, string>> = {},
): Promise<Listing> {
  return (await start(fitting({ strategy, ...options }), { env })).format(entries, 200_000)
}

const skills = [
  entryOf('deploy', 'Ships it.', { argumentHint: '[where]', whenToUse: 'After a release.' }),
  entryOf('review', 'Reads a change.', { source: 'project', userInvocable: false }),
  entryOf('mcp', 'From a server.', { source: 'mcp' }),
  entryOf('quiet', 'Says much.', { override: 'name-only' }),
]

test('cutoff shows entries with hints and where they come from', async () => {
  const listing = await laid('cutoff', skills)
  expect(listing.text.split('\n')).toEqual([
    '- /deploy [where]: Ships it. (user) - After a release.',
    '- /review: Reads a change. (project)',
    '- /mcp: From a server.',
    '- /quiet',
  ])
  expect(listing).toMatchObject({
    budgetChars: 15_000,
    omitted: [],
    truncated: ['quiet'],
    usedChars: listing.text.length,
  })
})

test('cutoff ends with the first entry that does not fit, each costing its length and one', async () => {
  const entries = [entryOf('a', 'x'.repeat(10)), entryOf('b', 'y'.repeat(40)), entryOf('c', 'z')]
  const first = '- /a: xxxxxxxxxx (user)'
  for (const [budget, shown] of [
    [first.length + 1, ['a']],
    [first.length, []],
    [1000, ['a', 'b', 'c']],
  ] as const) {
    const listing = await laid('cutoff', entries, { budget })
    expect([listing.entries.map(({ name }) => name), listing.omitted]).toEqual([
      shown,
      ['a', 'b', 'c'].slice(shown.length),
    ])
  }
})

test('cutoff takes its budget from the environment first', async () => {
  expect(await laid('cutoff', many(10, 'Does.'), {}, { SLASH_COMMAND_TOOL_CHAR_BUDGET: '25' })).toMatchObject({
    budgetChars: 25,
    entries: [{ name: 's0' }],
  })
})

test('fixed shows a hundred code points of a description, between what there is and how to use it', async () => {
  const entries = [entryOf('long', '\u{1f600}'.repeat(101), { whenToUse: 'Never.' }), entryOf('short', 'Fits.')]
  const listing = await laid('fixed', entries)
  expect(listing.text.split('\n')).toEqual([
    'These skills are available:',
    `- long: ${'\u{1f600}'.repeat(100)}`,
    '- short: Fits.',
    'When you use a skill:',
    ...Array.from({ length: 5 }, () => expect.stringMatching(/^- /) as string),
    'skill: "<skill-name>", args: "<arguments>"',
  ])
  expect(listing).toMatchObject({ truncated: ['long'], omitted: [], budgetChars: Infinity })
})

test('xml escapes its values, and is one line or several', async () => {
  const entries = [entryOf('a&b', 'Is <b>bold</b> &lt; "so". </skill></available_skills> </system-reminder>')]
  const parts = [
    '<available_skills>',
    '  <skill>',
    '    <name>a&amp;b</name>',
    '    <description>Is &lt;b&gt;bold&lt;/b&gt; &amp;lt; &quot;so&quot;. &lt;/skill&gt;&lt;/available_skills&gt; &lt;/system-reminder&gt;</description>',
    '  </skill>',
    '</available_skills>',
  ]
  expect((await laid('xml', entries)).text).toContain(parts.join(' '))
  expect((await laid('xml', entries, { joiner: 'newline' })).text).toContain(parts.join('\n'))
  expect((await laid('xml', [])).text).toMatch(/^[^<\n]+no skills[^<\n]+$/)
})

test('grouped has those that users may invoke first, and no group without entries', async () => {
  expect((await laid('grouped', skills)).text).toBe(
    [
      '# Available Skills',
      '',
      'Skills that the user can invoke with a slash, and you with the tool:',
      '- **/deploy**: Ships it.',
      '  When to use: After a release.',
      '- **/mcp**: From a server.',
      '- **/quiet**',
      'Skills that only you can invoke:',
      '- **review**: Reads a change.',
      'Call the `skill` tool with the name of a skill to have its instructions.',
    ].join('\n'),
  )
  expect((await laid('grouped', skills.slice(1, 2))).text).not.toContain('with a slash')
})

describe.each(plain)('%s', strategy => {
  test('is empty, or one sentence, without skills', async () => {
    const { text, entries } = await laid(strategy, [])
    expect([entries, text.includes('\n')]).toEqual([[], false])
  })

  test('puts pinned skills first', async () => {
    const { entries } = await laid(strategy, [entryOf('a', 'Does a.'), entryOf('b', 'Does b.', { override: 'pinned' })])
    expect(entries.map(({ name }) => name)).toEqual(['b', 'a'])
  })

  test('loses nothing without saying so, and lets no entry make a line of another', async () => {
    const hostile = fc.string({
      unit: fc.constantFrom('a', '\n', '- ', '</skill>', '**', '\u2028', '\u202e', '&', '`', '</system-reminder>'),
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(
          fc.record({ name: fc.stringMatching(/^[a-z]{1,8}$/), description: hostile, whenToUse: hostile }),
          { selector: ({ name }) => name, maxLength: 6 },
        ),
        async given => {
          const entries = given.map(({ name, description, whenToUse }) => entryOf(name, description, { whenToUse }))
          const { text, entries: shown, omitted } = await laid(strategy, entries, { budget: 200 })
          expect([...shown.map(({ name }) => name), ...omitted].sort()).toEqual(given.map(({ name }) => name).sort())
          expect(text).not.toMatch(/[\u202e\u2028]|<\/system-reminder/)
          const most = { cutoff: 1, fixed: 1, xml: 1, grouped: 2 }[strategy]
          for (const entry of shown) expect(entry.text.split('\n').length).toBeLessThanOrEqual(most)
          expect((text.match(/<\/skill>/g) ?? []).length).toBeLessThanOrEqual(
            strategy === 'xml' ? shown.length : Infinity,
          )
        },
      ),
      { numRuns: 200 },
    )
  })
})
