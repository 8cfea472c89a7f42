import { expect, test } from 'vitest'
import { shownPath, withShownPaths } from './shown-path.js'

test.each([
  ['/work/app', 'See /work/app/a/SKILL.md.', 'See a/SKILL.md.'],
  [
    '/work/app',
    'Write "plugins": ["/work/app/acme"] in "/work/app/x.json".',
    'Write "plugins": ["/work/app/acme"] in "x.json".',
  ],
  ['/app', '/srv/app/a is not /app/b.', '/srv/app/a is not b.'],
  ['/tmp', '/var/tmp/a, "/tmp/b" and (/tmp/c)', '/var/tmp/a, "b" and (c)'],
  ['/', 'See /work/a.', 'See /work/a.'],
  ['/work/', 'Look: /work/a', 'Look: a'],
])('below %s a sentence names relative paths, and leaves others whole: %s', (cwd, sentence, shown) => {
  expect(withShownPaths(sentence, cwd)).toBe(shown)
})

test.runIf(process.platform !== 'win32')('a backslash is a character of a name like any other', () => {
  expect(shownPath('/work/back\\slash/SKILL.md', '/work')).toBe('back\\slash/SKILL.md')
})
