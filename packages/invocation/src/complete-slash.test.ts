import fc from 'fast-check'
import { expect, test } from 'vitest'
import { promptCommand, type CatalogEntry } from '@skills/core'
import { completeSlash, parseSlash } from './index.js'

function entry(name: string, userInvocable = true): CatalogEntry {
  const command = promptCommand({ name, source: 'user', userInvocable, load: () => ({ template: '' }) })
  return { name, command, provider: 'user', override: 'on', isQualified: false }
}

const catalog = {
  entries: [entry('deploy'), entry('describe'), entry('git:push'), entry('story', false), entry('Größe')],
}

test.each<[string, readonly string[]]>([
  ['/', ['/deploy ', '/describe ', '/git:push ', '/Größe ']],
  ['/de', ['/deploy ', '/describe ']],
  ['/dep', ['/deploy ']],
  ['/deploy', ['/deploy ']],
  ['/git', ['/git:push ']],
  ['/Grö', ['/Größe ']],
  ['/deploy /gi', ['/deploy /git:push ']],
  [
    '/deploy  /deploy /',
    [
      '/deploy  /deploy /deploy ',
      '/deploy  /deploy /describe ',
      '/deploy  /deploy /git:push ',
      '/deploy  /deploy /Größe ',
    ],
  ],
  // Not for a person, unknown, already with arguments, or not a command.
  ['/sto', []],
  ['/DE', []],
  ['/deploy to /de', []],
  ['/deploy ', []],
  ['/nothing /de', []],
  ['', []],
  ['de', []],
  [' /de', []],
  ['see /de', []],
  ['//', []],
])('%j', (line, completions) => {
  expect(completeSlash(line, catalog)).toEqual(completions)
})

test('no more commands than a line may begin with', () => {
  expect(completeSlash('/deploy /deploy /deploy /deploy /deploy /gi', catalog)).toHaveLength(1)
  expect(completeSlash('/deploy /deploy /deploy /deploy /deploy /deploy /gi', catalog)).toEqual([])
  expect(completeSlash('/deploy /gi', catalog, { most: 1 })).toEqual([])
})

test('every completion begins as the line does and names a command of the catalog', () => {
  const word = fc.constantFrom('/deploy', '/describe', '/de', '/', '/git:push', '/story', 'x', '/etc/passwd', ' ', '\t')
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 8 }).map(words => words.join(' ')),
      line => {
        for (const completed of completeSlash(line, catalog)) {
          expect(completed.startsWith(line)).toBe(true)
          const calls = parseSlash(completed, name => catalog.entries.some(one => one.name === name))
          expect(['deploy', 'describe', 'git:push', 'Größe']).toContain(calls.at(-1)?.name)
        }
      },
    ),
  )
})
