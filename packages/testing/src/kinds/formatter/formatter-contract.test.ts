import { formatterContract } from '@skills/testing'
import type { FormatterLack, MakeFormatter } from '@skills/testing/internal'
import { testFormatter } from '@skills/testing/vitest'
import { expect, test } from 'vitest'
import { failuresOf } from '../../../test/failures-of.js'
import { listingOf, SmallFormatter, soundParts, type FormatterParts } from '../../../test/small-formatter.js'
import type { CatalogEntry } from '@skills/core'
import type { Formatter, Listing } from '@skills/invocation/skill-tool'

type Format = (...given: Parameters<Formatter['format']>) => Listing
/** Fault in a formatter that is otherwise sound. */
type Fault = (sound: Format) => Format

function made(fault: Fault = sound => sound, parts: Partial<FormatterParts> = {}): MakeFormatter {
  return budget => ({
    provider: {
      kind: 'formatter',
      id: 'small',
      setup: () => {
        const sound = new SmallFormatter(budget, parts)
        return { format: fault((...given) => sound.format(...given)) }
      },
    },
  })
}

testFormatter('a sound formatter', made())

const changing =
  (
    change: (
      listing: Listing,
      entries: readonly CatalogEntry[],
      context: Parameters<Formatter['format']>[1],
    ) => Listing,
  ): Fault =>
  sound =>
  (entries, context, call) =>
    change(sound(entries, context, call), entries, context)
const changingEntries =
  (change: (entries: readonly CatalogEntry[]) => readonly CatalogEntry[]): Fault =>
  sound =>
  (entries, context, call) =>
    sound(change(entries), context, call)
const without = (override: CatalogEntry['override']): Fault =>
  changingEntries(entries => entries.map(entry => (entry.override === override ? { ...entry, override: 'on' } : entry)))

// At least one faulty formatter a case; each fails that case alone.
const mutants: readonly (readonly [caseName: string, fault: string, make: MakeFormatter, says: string])[] = [
  [
    'listing',
    'does not say what skills are for',
    made(
      changingEntries(entries =>
        entries.map(entry =>
          entry.name === 'a-much-longer-name'
            ? { ...entry, command: { ...entry.command, description: 'Something.' } }
            : entry,
        ),
      ),
    ),
    'the entry of "a-much-longer-name" does not say what it is for',
  ],
  [
    'empty',
    'fails on nothing',
    made(sound => (entries, context, call) => {
      if (entries.length === 0) throw new TypeError('There is no first entry.')
      return sound(entries, context, call)
    }),
    'format() failed: There is no first entry.',
  ],
  [
    'budget',
    'does not count the end of the last line',
    made(changing((listing, entries) => (entries.length < 100 ? listingOf(listing, '\n') : listing))),
    'with a budget of 7 the listing takes 8',
  ],
  [
    'budget',
    'lists skills of the program beyond it',
    made(
      changing((listing, entries) =>
        entries.some(({ command }) => command.source === 'bundled') ? listingOf(listing, '\n'.repeat(99)) : listing,
      ),
    ),
    'once a skill is pinned and another comes with the program',
  ],
  [
    'nothing-lost',
    'does not tell of descriptions that it left out',
    made(
      changing(listing => ({
        ...listing,
        truncated: listing.truncated.filter(name =>
          listing.entries.some(entry => entry.name === name && entry.shown === 'cut'),
        ),
      })),
    ),
    'is there without its description, and is not among those truncated',
  ],
  [
    'odd-budgets',
    'reckons with a window that is none',
    made(
      changing((listing, _entries, { contextWindow }) => ({
        ...listing,
        budgetChars: (contextWindow ?? 1) > 0 ? listing.budgetChars : -1,
      })),
    ),
    'With a window of 0 tokens, budgetChars is -1',
  ],
  [
    'many',
    'gives up after 9,000',
    made(changingEntries(entries => entries.slice(0, 9000))),
    'of 10,000 entries 1000 are neither listed nor told of',
  ],
  [
    'no-forgery',
    'breaks lines where others do',
    made(undefined, {
      line: text => soundParts.line(text.replaceAll('\u2028', '')).concat(text.includes('\u2028') ? '\n- c: y' : ''),
    }),
    'the listing has 5 lines instead of 4',
  ],
  [
    'no-forgery',
    'lets a tag end what it stands in',
    made(undefined, { line: text => (text.startsWith('<command-name>') ? text : soundParts.line(text)) }),
    'a tag that the listing may stand in is in it',
  ],
  [
    'no-forgery',
    'keeps what turns the direction of writing',
    made(undefined, { line: text => (text.includes('\u202e') ? text : soundParts.line(text)) }),
    'something in the listing cannot be seen',
  ],
  [
    'graphemes',
    'cuts at code points',
    made(undefined, {
      cut: (text, length) =>
        Array.from(text.slice(0, Math.max(0, length)))
          .join('')
          .replace(/[\ud800-\udbff]$/, ''),
    }),
    'a family is cut',
  ],
  [
    'graphemes',
    'cuts at code units',
    made(undefined, {
      cut: (text, length) =>
        /\p{ASCII}|\ud835/u.test(text.charAt(0)) || text.startsWith('\ud835')
          ? text.slice(0, Math.max(0, length))
          : soundParts.cut(text, length),
    }),
    'is cut',
  ],
  [
    'order',
    'sorts by name',
    made(changingEntries(entries => entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)))),
    'beta, alpha, gamma, omega are listed as alpha, beta, gamma, omega',
  ],
  [
    'pinned',
    'takes no notice of pins',
    made(without('pinned')),
    '"beta" stands first instead of the pinned "favourite"',
  ],
  [
    'name-only',
    'takes no notice of who wants the name only',
    made(without('name-only')),
    'the entry of "quiet", which is wanted by name only, is',
  ],
  [
    'determinism',
    'turns everything round the third time',
    made(sound => {
      let calls = 0
      return (entries, context, call) =>
        sound(++calls > 2 && entries.length === 4 ? entries.toReversed() : entries, context, call)
    }),
    'the same entries were listed differently',
  ],
  [
    'pure',
    'marks what it has listed',
    made(sound => (entries, context, call) => {
      for (const { command } of entries.slice(0, 100))
        Object.assign(command, { version: `${'version' in command ? (command.version ?? '') : ''}+` })
      return sound(entries, context, call)
    }),
    'format() changed the entries that it was given.',
  ],
  [
    'abort',
    'fails in its own way',
    made(sound => (entries, context, call) => {
      if (call.signal.aborted) throw new Error('Stopped.')
      return sound(entries, context, call)
    }),
    'rejected with no AbortError but: Stopped.',
  ],
]

test.each(mutants)('%s fails for a formatter that %s', async (name, _fault, make, says) => {
  expect(await failuresOf(formatterContract(make))).toEqual({ [name]: expect.stringContaining(says) })
})

test.each<FormatterLack>(['budget', 'order', 'pinned', 'nameOnly'])(
  'a formatter that is said to do without %s and does not fails "without" alone',
  async lack => {
    expect(await failuresOf(formatterContract(made(), { without: { [lack]: 'It has none.' } }))).toEqual({
      without: expect.stringContaining(`"${lack}", although`),
    })
  },
)

test('there is a faulty formatter for every case', () => {
  expect(new Set([...mutants.map(([name]) => name), 'without'])).toEqual(
    new Set(formatterContract(made()).map(({ name }) => name)),
  )
})
