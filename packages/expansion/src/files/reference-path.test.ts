import { describe, expect, it } from 'vitest'
import { placesOf, referenceAt } from './reference-path.js'

function pathsIn(text: string): readonly string[] {
  const paths: string[] = []
  for (let at = text.indexOf('@'); at >= 0;) {
    const found = referenceAt(text, at)
    if (found !== undefined) paths.push(found.path)
    at = text.indexOf('@', found?.end ?? at + 1)
  }
  return paths
}

describe('a reference', () => {
  it.each([
    ['see @src/a.ts, then', ['src/a.ts']],
    ['end of sentence @foo.md.', ['foo.md']],
    ['@multiple.extensions.bak,', ['multiple.extensions.bak']],
    ['@.config/ and @.bashrc', ['.config/', '.bashrc']],
    ['@/absolute/x.txt and @/no/ext', ['/absolute/x.txt', '/no/ext']],
    ['@~/h and @~/p/q.txt', ['~/h', '~/p/q.txt']],
    ['@../../etc/passwd', ['../../etc/passwd']],
    ['(@a.md)', ['a.md)']],
    ['wait @a...', ['a']],
    ['@a@b', ['a@b']],
    ['@a`b', ['a']],
    ['@ä/ö.md', ['ä/ö.md']],
    ['@a\0b', ['a']],
  ])('in %j', (text, paths) => {
    expect(pathsIn(text)).toEqual(paths)
  })

  it.each(['someone@example.org', 'a_@b', '`@b', 'é@b', '\u{1d4b6}@b', '@', '@ a', '@,', '@...', '@`a`'])(
    'is none of what is in %j',
    text => {
      expect(pathsIn(text)).toEqual([])
    },
  )

  it('takes a text of nothing but signs in one go', () => {
    expect(pathsIn('@'.repeat(100_000))).toEqual(['@'.repeat(99_999)])
    expect(pathsIn('@.'.repeat(100_000))).toHaveLength(1)
    expect(pathsIn('@. '.repeat(100_000))).toEqual([])
  })
})

describe('where a path leads', () => {
  const host = { home: '/home/user', cwd: '/work' }
  it.each([
    ['a.md', ['/skill/a.md', '/work/a.md']],
    ['../a.md', ['/a.md']],
    ['/etc/x', ['/etc/x']],
    ['~/x', ['/home/user/x']],
    ['~', ['/home/user']],
    ['~x', ['/skill/~x', '/work/~x']],
    ['C:\\x', ['C:\\x']],
  ])('%j', (path, places) => {
    expect(placesOf(path, host, '/skill')).toEqual(places)
  })

  it('is the working folder alone where the command has none', () => {
    expect(placesOf('a.md', host, undefined)).toEqual(['/work/a.md'])
  })
})
