import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { CodeCache, codeFolderOf } from './code-cache.js'

let tree: TempTree
let cacheFolder: string
beforeEach(() => {
  tree = tempTree({ code: { dir: true } })
  cacheFolder = join(tree.path, 'code')
})
afterEach(() => tree.dispose())

const require = createRequire(import.meta.url)

function run(file: string, command = 'list'): { readonly exported: object; readonly cache: CodeCache } {
  const cache = new CodeCache(cacheFolder, command, require)
  return { exported: cache.load(join(tree.path, file)), cache }
}

/** Returns the only cached file, and the values in its first line. */
function kept(): {
  readonly path: string
  readonly inode: number
  readonly header: { stamp: string; commands: string[]; length: number }
} {
  const [name = '', ...more] = readdirSync(cacheFolder)
  expect(more).toEqual([])
  const path = join(cacheFolder, name)
  return {
    path,
    inode: statSync(path).ino,
    header: JSON.parse(readFileSync(path, 'latin1').split('\n', 1)[0] ?? '') as {
      stamp: string
      commands: string[]
      length: number
    },
  }
}

describe('a built file', () => {
  test('runs as Node would run it, once', () => {
    tree.write({
      'main.cjs':
        '#!/usr/bin/env node\nexports.at = [__filename, __dirname, require("node:path").sep, typeof module.exports]; exports.other = () => require("./other.cjs")',
      'other.cjs':
        'exports.main = require("./main.cjs"); exports.count = globalThis.countOfOther = (globalThis.countOfOther ?? 0) + 1',
    })
    const { exported, cache } = run('main.cjs')
    expect(exported).toMatchObject({ at: [join(tree.path, 'main.cjs'), tree.path, '/', 'object'] })
    const { other } = exported as { other: () => { main: object; count: number } }
    // A circular require returns the module that is still running.
    expect(other().main).toBe(exported)
    expect(other().count).toBe(1)
    expect(cache.load(join(tree.path, 'other.cjs'))).toBe(other())
  })

  test('may use a module beside it, which can import others', async () => {
    tree.write({
      'main.cjs': 'exports.importModule = require("./import.mjs").importModule',
      'import.mjs': 'export const importModule = url => import(url)\n',
      'data.mjs': 'export default 7\n',
    })
    const { importModule } = run('main.cjs').exported as { importModule: (url: string) => Promise<{ default: number }> }
    expect((await importModule(pathToFileURL(join(tree.path, 'data.mjs')).href)).default).toBe(7)
  })

  test('may replace its exports, and tells the line of an error', () => {
    tree.write({ 'main.cjs': '#!/usr/bin/env node\nmodule.exports = { fail() {\n  throw new Error("here") } }' })
    const { fail } = run('main.cjs').exported as { fail: () => void }
    let stack = ''
    try {
      fail()
    } catch (error) {
      stack = (error as Error).stack ?? ''
    }
    expect(stack).toContain('main.cjs:3:')
  })

  test('that throws is not taken for run', () => {
    tree.write({
      'main.cjs': 'globalThis.timesRun = (globalThis.timesRun ?? 0) + 1; exports.half = true; throw new Error("no")',
    })
    const cache = new CodeCache(cacheFolder, 'list', require)
    expect(() => cache.load(join(tree.path, 'main.cjs'))).toThrow('no')
    expect(() => cache.load(join(tree.path, 'main.cjs'))).toThrow('no')
    expect(globalThis).toMatchObject({ timesRun: 2 })
    cache.save()
    expect(readdirSync(cacheFolder)).toEqual([])
  })
})

describe('what was compiled', () => {
  beforeEach(() => tree.write({ 'main.cjs': 'exports.twice = number => number * 2; exports.twice(2)' }))

  test('is kept for the user alone, and not written again for the same command', () => {
    run('main.cjs').cache.save()
    const first = kept()
    expect(first.header).toMatchObject({ commands: ['list'] })
    expect(statSync(first.path).mode & 0o777).toBe(0o600)
    run('main.cjs').cache.save()
    expect(kept().inode).toBe(first.inode)
  })

  test('grows by what another command needs', () => {
    run('main.cjs', 'list').cache.save()
    run('main.cjs', 'explain').cache.save()
    const { inode, header } = kept()
    expect(header.commands).toEqual(['list', 'explain'])
    run('main.cjs', 'list').cache.save()
    run('main.cjs', 'explain').cache.save()
    expect(kept().inode).toBe(inode)
  })

  test('is not used once the file is another one', () => {
    run('main.cjs').cache.save()
    tree.write({ 'main.cjs': 'exports.twice = number => number * 3; exports.twice(2)' })
    const { exported, cache } = run('main.cjs')
    expect((exported as { twice: (number: number) => number }).twice(2)).toBe(6)
    cache.save()
    expect(kept().header).toMatchObject({
      stamp: expect.stringContaining(String(statSync(join(tree.path, 'main.cjs')).mtimeMs)) as string,
      commands: ['list'],
    })
  })

  test('is not used for another build of the same size and date', () => {
    const path = join(tree.path, 'main.cjs')
    utimesSync(path, 1, 1)
    run('main.cjs').cache.save()
    tree.write({ 'main.cjs': 'exports.twice = number => number * 3; exports.twice(2)' })
    utimesSync(path, 1, 1)
    expect((run('main.cjs').exported as { twice: (number: number) => number }).twice(2)).toBe(6)
  })

  test.runIf(process.geteuid !== undefined)('is not used where others could have written it, or behind a link', () => {
    run('main.cjs').cache.save()
    const { path, header } = kept()
    chmodSync(path, 0o666)
    run('main.cjs', 'explain').cache.save()
    expect(kept().header).toMatchObject({ stamp: header.stamp, commands: ['explain'] })
    renameSync(path, join(tree.path, 'moved'))
    symlinkSync(join(tree.path, 'moved'), path)
    run('main.cjs', 'lint').cache.save()
    expect(kept().header).toMatchObject({ stamp: header.stamp, commands: ['lint'] })
  })

  test.each<[string, (bytes: Buffer) => Buffer | string]>([
    ['is empty', () => ''],
    ['has a first line that ends too early', bytes => `${bytes.toString('latin1').slice(0, 40)}\n`],
    ['names no commands', bytes => bytes.toString('latin1').replace('"commands":["list"]', '"commands":null')],
    ['has lost a block', bytes => Buffer.concat([bytes.subarray(0, -128), Buffer.alloc(128)])],
    ['has no line of its own', () => 'x'.repeat(100)],
    ['is cut off', bytes => bytes.subarray(0, bytes.length - 100)],
    ['is of another Node', bytes => bytes.toString('latin1').replace(process.version, 'v0.0.0')],
  ])('is ignored and written anew when it %s', (_what, damage) => {
    run('main.cjs').cache.save()
    const { path, header } = kept()
    writeFileSync(path, damage(readFileSync(path)), 'latin1')
    const { exported, cache } = run('main.cjs', 'explain')
    expect((exported as { twice: (number: number) => number }).twice(2)).toBe(4)
    cache.save()
    expect(kept().header).toMatchObject({ stamp: header.stamp, commands: ['explain'] })
  })

  test('costs nothing but time where it cannot be written', () => {
    const { cache } = run('main.cjs')
    tree.remove('code')
    tree.write({ code: 'in the way' })
    expect(() => cache.save()).not.toThrow()
  })

  test('is written past what a run that was killed has left', () => {
    const { cache } = run('main.cjs')
    cache.save()
    const { path } = kept()
    renameSync(path, `${path}.${process.pid}`)
    cache.save()
    expect(readdirSync(cacheFolder)).toEqual([])
    cache.save()
    expect(kept().path).toBe(path)
    // A temporary file that cannot be removed is left in place.
    tree.write({ [`code/${basename(path)}.${process.pid}`]: { dir: true } })
    expect(() => cache.save()).not.toThrow()
  })
})

describe('the folder', () => {
  const host = (env: NodeJS.ProcessEnv = {}) => ({ home: tree.path, env, platform: 'linux' as const })

  test('lies in the cache of the user, and is made for them alone', () => {
    expect(codeFolderOf(host(), process.geteuid?.())).toBe(`${tree.path}/.cache/skills/code`)
    expect(statSync(`${tree.path}/.cache/skills/code`).mode & 0o777).toBe(0o700)
    expect(codeFolderOf(host({ XDG_CACHE_HOME: `${tree.path}/elsewhere` }), process.geteuid?.())).toBe(
      `${tree.path}/elsewhere/skills/code`,
    )
  })

  test('is none where it is switched off, where others may write, and where there is no home', () => {
    expect(codeFolderOf(host({ NODE_DISABLE_COMPILE_CACHE: '1' }), process.geteuid?.())).toBeUndefined()
    expect(codeFolderOf({ ...host(), home: `${tree.path}/missing` }, process.geteuid?.())).toBeUndefined()
    expect(existsSync(`${tree.path}/missing`)).toBe(false)
    expect(codeFolderOf({ ...host(), home: `${tree.path}/${'x'.repeat(300)}` }, process.geteuid?.())).toBeUndefined()
    const folder = codeFolderOf(host(), process.geteuid?.()) ?? ''
    chmodSync(folder, 0o777)
    expect(codeFolderOf(host(), process.geteuid?.())).toBeUndefined()
  })

  test('is none in the home folder of another user, where root, with sudo, would leave what they could never write to', () => {
    expect(codeFolderOf(host(), (process.geteuid?.() ?? 0) + 1)).toBeUndefined()
    expect(existsSync(`${tree.path}/.cache`)).toBe(false)
  })

  test('is none for a user whom the system does not know', () => {
    const unknown = {
      ...host(),
      get home(): string {
        throw Object.assign(new Error('uv_os_homedir returned ENOENT'), { code: 'ERR_SYSTEM_ERROR' })
      },
    }
    expect(codeFolderOf(unknown, process.geteuid?.())).toBeUndefined()
  })
})
