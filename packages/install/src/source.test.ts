import { win32 } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSource } from './source.js'

const from = { cwd: '/work', home: '/home/ann' }
const parse = (text: string): unknown => parseSource(text, from)
const github = (rest: object = {}): object => ({ type: 'git', url: 'https://github.com/acme/tools.git', ...rest })

describe('a source', () => {
  it.each([
    ['acme/tools', github()],
    ['acme/tools#v1', github({ ref: 'v1' })],
    ['acme/tools/skills/deploy#feat/x', github({ ref: 'feat/x', path: 'skills/deploy' })],
    ['https://github.com/acme/tools', github()],
    ['https://github.com/acme/tools/tree/main/skills/deploy', github({ tail: ['main', 'skills', 'deploy'] })],
    ['https://github.com/acme/tools.git/skills#v1', github({ ref: 'v1', path: 'skills' })],
    ['git+https://git.example/x/y', { type: 'git', url: 'https://git.example/x/y' }],
    ['git+http://127.0.0.1:80/x.git', { type: 'git', url: 'http://127.0.0.1:80/x.git' }],
    [
      'git@git.example:acme/tools.git/deploy#v1',
      { type: 'git', url: 'git@git.example:acme/tools.git', ref: 'v1', path: 'deploy' },
    ],
    ['ssh://git@git.example/acme/tools.git', { type: 'git', url: 'ssh://git@git.example/acme/tools.git' }],
    ['file:///srv/tools.git#main', { type: 'git', url: 'file:///srv/tools.git', ref: 'main' }],
    ['npm:tools', { type: 'npm', name: 'tools', range: '' }],
    ['npm:@acme/tools@^1.2 || 2.x', { type: 'npm', name: '@acme/tools', range: '^1.2 || 2.x' }],
    ['./tools', { type: 'folder', path: '/work/tools' }],
    ['../x.skill', { type: 'archive', at: '/x.skill' }],
    ['~/x.tgz', { type: 'archive', at: '/home/ann/x.tgz' }],
    ['https://files.example/x.zip?download=1', { type: 'archive', at: 'https://files.example/x.zip?download=1' }],
    ['https://acme.example', { type: 'site', url: 'https://acme.example' }],
    ['plugin:docs@acme/tools', { type: 'plugin', name: 'docs', marketplace: github() }],
    ['plugin:docs@./market', { type: 'plugin', name: 'docs', marketplace: { type: 'folder', path: '/work/market' } }],
  ])('%s', (text, source) => expect(parse(text)).toEqual(source))

  it.each([
    'ext::sh -c touch% x',
    'git+ext::sh',
    'fd::1',
    'acme/tools#--upload-pack=touch x',
    'acme/tools#-x',
    'acme/tools#a..b',
    'acme/tools#a b',
    'acme/tools/../../x',
    'acme/tools/a/../../x',
    '--upload-pack=x/y',
    '-oProxyCommand=x@host:y',
    'git@-oProxyCommand=x:y',
    'git@host:-x',
    'ssh://-oProxyCommand=touch/x',
    'ssh://-x@host/y',
    'ssh://git:s3cret@git.example/x.git',
    'https://ann@git.example/x.git',
    'https://ann:s3cret@files.example/x.zip',
    'https://git.example/--upload-pack=x.git',
    'file://server/x.git',
    'npm:../x',
    'npm:x@../y',
    'npm:x@git+ssh://y',
    'npm:x@npm:y',
    'npm:x@.',
    'npm:x@~/y',
    'npm:x@y.tgz',
    'npm:X Y',
    'npm:',
    'javascript:x',
    'data:text/plain,x',
    'acme',
    '',
    'a/b\nc',
    'plugin:x@npm:y',
    'plugin:x',
  ])('%j is none', text => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'E_INSTALL_SOURCE' }) as Error)
    expect(() => parse(text)).not.toThrow(/s3cret/)
  })

  it('of any text is understood or refused, and no part of it is an option', () => {
    const part = fc.constantFrom(
      '-',
      '--x',
      'a',
      '/',
      ':',
      '::',
      '#',
      '@',
      '..',
      '.git',
      'npm:',
      'git+',
      'https://',
      'ssh://',
      'file:///',
      ' ',
      '%2d',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 9 }), parts => {
        expect(problemsOf(parts.join(''))).toEqual([])
      }),
      { numRuns: 2000 },
    )
  })
})

/** Returns parts of a parsed text that git or npm would misunderstand; none for a text that is refused. */
function problemsOf(text: string): readonly unknown[] {
  let source
  try {
    source = parseSource(text, from)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'E_INSTALL_SOURCE' ? [] : [error]
  }
  const inner = source.type === 'plugin' ? source.marketplace : source
  switch (inner.type) {
    case 'git':
      return [
        /^(?:(?:https?|ssh|file):\/\/(?!-)|\w[\w.-]*@\w[\w.-]*:(?![-:]))/i.test(inner.url) ? [] : inner.url,
        inner.ref?.startsWith('-') === true ? inner.ref : [],
      ].flat()
    case 'npm':
      return /^-|[:/]\/|\.\./.test(`${inner.name}@${inner.range}`) ? [inner] : []
    default:
      return []
  }
}

it('a folder of Windows is read with either separator, from its own drive or another', () => {
  const onWindows = { cwd: 'C:/work/p', home: 'C:/Users/a', platform: 'win32' } as const
  const name = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/)
  const start = fc.constantFrom('.', '..', '..\\..', '\\', 'D:\\', 'c:\\work', '.\\x')
  fc.assert(
    fc.property(
      start,
      fc.array(name, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('/', '\\'),
      (first, names, sep) => {
        const text = `${first.replace(/\\$/, '')}\\${names.join('\\')}`.replaceAll('\\', sep)
        const path = win32.resolve(onWindows.cwd, text).replaceAll('\\', '/')
        expect(parseSource(text, onWindows)).toEqual({ type: 'folder', path })
        // What is stored is read again as the same folder.
        expect(parseSource(path, onWindows)).toEqual({ type: 'folder', path })
      },
    ),
  )
  expect(parseSource('..\\src\\two', onWindows)).toEqual({ type: 'folder', path: 'C:/work/src/two' })
  expect(parseSource('~\\two', onWindows)).toEqual({ type: 'folder', path: 'C:/Users/a/two' })
})
