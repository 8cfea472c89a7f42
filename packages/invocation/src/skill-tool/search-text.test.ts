import { expect, test } from 'vitest'
import { nameTermsOf, searchTextOf, termsOf } from './search-text.js'
import { local, skill } from '../../test/engine.js'

test.each<[string, string, readonly string[]]>([
  [
    'are split at spaces and punctuation',
    'Ships it: the web-app,\tnow!\n',
    ['ships', 'it', 'the', 'web', 'app', 'now'],
  ],
  ['are the same regardless of case, the accents and the width', 'Äpfel ÉTÉ ＡＢＣ', ['apfel', 'ete', 'abc']],
  ['keep the marks that other scripts are made with', 'हिन्दी', ['हिन्दी']],
  ['keep signs that belong to names of languages', 'C++ and a=b', ['c++', 'and', 'a=b']],
  [
    'are two signs each in scripts without spaces',
    '用git部署应用。ビルド',
    ['用', 'git', '部署', '署应', '应用', 'ビル', 'ルド'],
  ],
  ['are cut where no language has words that long', 'x'.repeat(1_000_000), ['x'.repeat(64)]],
  ['are none in white space', ' \n\t\u3000', []],
])('words %s', (_rule, text, terms) => {
  expect(termsOf(text)).toEqual(terms)
})

test('words of ASCII are split where those of other scripts are', () => {
  const all = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
  const isBetween = (sign: string): boolean => /[\s\p{Z}\p{P}\p{Cc}]/u.test(sign)
  for (const sign of all) expect(termsOf(`x${sign}y`).length, JSON.stringify(sign)).toBe(isBetween(sign) ? 2 : 1)
  for (const sign of all) expect(termsOf(`ä${sign}ö`).length, JSON.stringify(sign)).toBe(isBetween(sign) ? 2 : 1)
})

test('a name is found by its parts and by all of it', () => {
  expect(nameTermsOf('plugin:deploy_webApp')).toEqual(['plugin', 'deploy', 'web', 'app', 'webapp'])
  expect(nameTermsOf('größeMessen')).toEqual(['große', 'messen', 'großemessen'])
  expect(nameTermsOf('部署', true)).toEqual(['部署', '署'])
  expect(nameTermsOf('plain-name')).toEqual(['plain', 'name'])
})

test('what is looked through is what its author wrote for finding it', () => {
  const command = skill('ship', {
    displayName: 'Ship it',
    aliases: ['release', 'go-live'],
    whenToUse: 'After tests.',
    metadata: { tags: ['ops', 3, 'cloud'], keywords: 'delivery, rollout', author: 'A. Author' },
  })
  expect(searchTextOf(command, 'user:ship')).toEqual({
    name: 'user:ship',
    displayName: 'Ship it',
    aliases: 'release\ngo-live',
    keywords: 'ops\ncloud\ndelivery, rollout',
    description: 'Does ship.',
    whenToUse: 'After tests.',
  })
  expect(searchTextOf(local('clear'))).toEqual({ name: 'clear', description: 'clear' })
})
