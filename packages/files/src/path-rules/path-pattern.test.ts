import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AskedFile, realFolderOf } from './asked-file.js'
import { PathPattern } from './path-pattern.js'

let root: string
beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'path-rules-')))
  for (const folder of ['home/.ssh', 'work/src/deep', 'work/secrets', 'data/keys', 'project/docs'])
    mkdirSync(`${root}/${folder}`, { recursive: true })
  for (const file of [
    'home/.ssh/id',
    'work/.env',
    'work/src/a.ts',
    'work/src/deep/b.ts',
    'work/secrets/key',
    'data/keys/k',
  ])
    writeFileSync(`${root}/${file}`, '')
  symlinkSync('../data/keys', `${root}/work/keys`)
  symlinkSync('secrets/key', `${root}/work/harmless`)
  symlinkSync('harmless', `${root}/work/twice`)
  symlinkSync('src', `${root}/work/lib`)
  symlinkSync('/', `${root}/work/all`)
  symlinkSync('loop', `${root}/work/loop`)
})
afterAll(() => rmSync(root, { recursive: true }))

const place = () => ({
  cwd: `${root}/work`,
  home: `${root}/home`,
  top: `${root}/project`,
  platform: process.platform,
  realOf: realFolderOf,
})

function patternOf(text: string): PathPattern {
  const pattern = PathPattern.of(text)
  if ('problem' in pattern) throw new Error(`${text} ${pattern.problem}`)
  return pattern
}

const asked = (text: string) => new AskedFile(text.replace('ROOT', root), place())
const denies = (pattern: string, file: string) =>
  patternOf(pattern.replace('ROOT', root)).touching(place())(asked(file).forms)
const allows = (pattern: string, file: string) => patternOf(pattern.replace('ROOT', root)).covers(asked(file), place())

describe('a pattern begins where its anchor says', () => {
  test.each([
    ['.env', '.env'],
    ['.env', 'src/deep/.env'],
    ['./.env*', '.env.local'],
    ['*.ts', 'src/deep/b.ts'],
    ['src/**', 'src/deep/b.ts'],
    ['src/*.ts', 'src/a.ts'],
    ['src/', 'src/a.ts'],
    ['./src', 'src/deep/b.ts'],
    ['~/.ssh/**', '~/.ssh/id'],
    ['~/.ssh/**', '../home/.ssh/id'],
    ['/docs/*.md', 'ROOT/project/docs/x.md'],
    ['/ROOT/data/**', 'ROOT/data/keys/k'],
    ['../data/**', '../data/keys/k'],
    ['**/b.[st]s', 'src/deep/b.ts'],
    ['src/\\*', 'src/*'],
  ])('%s is about %s', (pattern, file) => {
    expect([denies(pattern, file), allows(pattern, file)]).toEqual([true, true])
  })

  test.each([
    ['./.env', 'src/.env'],
    ['src/*.ts', 'src/deep/b.ts'],
    ['src/**', 'src'],
    ['.env', '../.env'],
    ['~/.ssh/**', '.ssh/id'],
    ['//etc/**', 'etc/passwd'],
    ['b.ts', 'b.tsx'],
  ])('%s is not about %s', (pattern, file) => {
    expect([denies(pattern, file), allows(pattern, file)]).toEqual([false, false])
  })

  test('one slash that denies counts from the root and from the working folder too', () => {
    expect(['/etc/passwd', 'ROOT/project/etc/x', 'etc/x'].map(file => denies('/etc/**', file))).toEqual([
      true,
      true,
      true,
    ])
    expect(['/etc/passwd', 'ROOT/project/etc/x', 'etc/x'].map(file => allows('/etc/**', file))).toEqual([
      false,
      true,
      false,
    ])
  })
})

describe('the file is the one that the system opens', () => {
  test.each([
    'secrets/key',
    './secrets/key',
    'src/../secrets/key',
    'src//..//./secrets/key',
    'ROOT/work/secrets/key',
    'harmless',
    'twice',
    'lib/../secrets/key',
    'all/ROOT/work/secrets/key',
    'file://ROOT/work/secrets/key',
    'file:ROOT/work/secrets/key',
    'file://localhost' + 'ROOT/work/secrets/key',
    ' secrets/key ',
    'SECRETS/Key',
    'secrets/key\u200b',
    '/proc/self/root/ROOT/work/secrets/key',
    '/proc/self/cwd/../../../../../../../../../../ROOT/work/secrets/key',
  ])('no way to it slips past a rule that denies: %s', file => {
    expect(denies('./secrets/**', file)).toBe(true)
    expect(allows('./src/**', file)).toBe(false)
  })

  test('what a pattern begins with may be a link itself', () => {
    expect(denies('./keys/**', 'ROOT/data/keys/k')).toBe(true)
    expect(denies('./harmless', 'secrets/key')).toBe(true)
    expect(denies('./keys/*.pem', 'ROOT/data/keys/k')).toBe(false)
  })

  test('what allows has to cover the real file too', () => {
    expect(allows('./keys/**', 'keys/k')).toBe(false)
    expect(allows('./**', 'twice')).toBe(true)
    expect(allows('./twice', 'twice')).toBe(false)
    expect(allows('./SRC/**', 'src/a.ts')).toBe(false)
  })

  test('of a file that is not there the nearest folder is', () => {
    expect(denies('//ROOT/data/**'.replace('//ROOT', '/ROOT'), 'keys/new/file')).toBe(true)
    expect(allows('./**', 'keys/new/file')).toBe(false)
    expect(allows('./**', 'src/new/file')).toBe(true)
  })

  test.each(['loop', 'loop/x', '/dev/fd/3', '/proc/self/fd/3', 'a\0b', 'x'.repeat(5000), '/dev/stdin'])(
    'where it cannot be told nothing allows: %s',
    file => {
      expect(asked(file).unseen).toEqual(expect.any(String))
      expect(allows('//**', file)).toBe(false)
    },
  )
})

test('letters that some file system takes for the same are the same for what denies', () => {
  expect(denies('stra\u00dfe', 'STRASSE')).toBe(true)
  expect(denies('caf\u00e9', 'cafe\u0301')).toBe(true)
  expect(denies('[A-Z]ecret', 'Secret')).toBe(true)
  expect(denies('[A-_]ecret', 'Secret')).toBe(true)
})

test('of Windows drives, back slashes, streams and dots at the end count', () => {
  const windows = {
    cwd: 'C:\\work',
    home: 'C:\\Users\\me',
    top: 'C:\\project',
    platform: 'win32',
    realOf: realFolderOf,
  } as const
  const touches = (pattern: string, file: string) =>
    patternOf(pattern).touching(windows)(new AskedFile(file, windows).forms)
  expect(touches('./secrets/**', 'secrets\\key')).toBe(true)
  expect(touches('./secrets/**', 'c:\\work\\secrets\\key')).toBe(true)
  expect(touches('//c/work/secrets/**', '\\\\?\\C:\\work\\secrets\\key')).toBe(true)
  expect(touches('.env', '.env::$DATA')).toBe(true)
  expect(touches('.env', '.env. .')).toBe(true)
  expect(touches('~/x', 'C:/Users/me/x')).toBe(true)
  expect(touches('//**/.env', 'D:/x/.env')).toBe(true)
})

test.each([
  ['', 'does not name a file'],
  ['!x', 'negation'],
  ['[a', 'bracket'],
  ['a/[', 'bracket'],
  ['$HOME/x', 'variable'],
  ['${HOME}/x', 'variable'],
  ['%USERPROFILE%/x', 'variable'],
  ['//home/$USER/x', 'variable'],
  ['~root/x', 'another user'],
  ['C:\\Users\\x', 'drive'],
  ['src\\secret', 'backslash'],
  ['*.{env,key}', 'braces'],
  ['.env, .key', 'several'],
  ['src:*', 'commands'],
  ['a/../b', '".."'],
  ['a//b', 'empty name'],
  ['a\nb', 'control'],
  ['file:///etc/passwd', 'URL'],
  ['x'.repeat(2000), 'characters'],
])('a pattern that denies nothing as it is written is refused: %j', (text, why) => {
  expect(PathPattern.of(text)).toEqual({ problem: expect.stringContaining(why) })
})

test('names with dollars, braces and percent signs are names', () => {
  expect(denies('routes/$id.tsx', 'routes/$id.tsx')).toBe(true)
  expect(denies('app/{id}/x', 'app/{id}/x')).toBe(true)
  expect(denies('100%', '100%')).toBe(true)
})
