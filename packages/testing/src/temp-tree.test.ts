import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { tempTree, type TempTree, type TreeEntries } from './index.js'

const trees: TempTree[] = []

function tree(entries?: TreeEntries): TempTree {
  const made = tempTree(entries)
  trees.push(made)
  return made
}

afterEach(() => {
  for (const made of trees.splice(0)) made.dispose()
})

describe('a temporary tree', () => {
  test('is a real folder, its path absolute and without links', () => {
    const { path } = tree()
    expect(statSync(path).isDirectory()).toBe(true)
    expect(path).toBe(realpathSync(path).replaceAll('\\', '/'))
  })

  test('lies in the folder that is named', () => {
    const { path } = tree()
    const inner = tempTree({ file: 'x' }, { under: path })
    expect(inner.path.startsWith(`${path}/`)).toBe(true)
    expect(existsSync(`${inner.path}/file`)).toBe(true)
  })

  test('holds files of text and of bytes, in folders made for them', () => {
    const { path } = tree({ 'a/b/SKILL.md': 'text', raw: Buffer.from([0, 255]), more: { content: 'more' } })
    expect(readFileSync(`${path}/a/b/SKILL.md`, 'utf8')).toBe('text')
    expect([...readFileSync(`${path}/raw`)]).toEqual([0, 255])
    expect(readFileSync(`${path}/more`, 'utf8')).toBe('more')
  })

  test('holds empty folders and links, dangling ones too', () => {
    const { path } = tree({ empty: { dir: true }, 'deep/link': { link: '../empty' }, dangling: { link: 'nowhere' } })
    expect(realpathSync(`${path}/deep/link`)).toBe(realpathSync(`${path}/empty`))
    expect(readlinkSync(`${path}/dangling`)).toBe('nowhere')
  })

  test.skipIf(process.platform === 'win32')('gives modes as they are asked for, a folder’s after what it holds', () => {
    const { path } = tree({ shut: { dir: true, mode: 0o555 }, 'shut/file': { content: 'x', mode: 0o640 } })
    expect(lstatSync(`${path}/shut`).mode & 0o777).toBe(0o555)
    expect(lstatSync(`${path}/shut/file`).mode & 0o777).toBe(0o640)
  })

  test('can be written to, over what is there', () => {
    const { path, write } = tree({ a: 'one', link: { link: 'a' } })
    write({ a: 'two', 'b/c': 'three', link: { link: 'b' } })
    expect(readFileSync(`${path}/a`, 'utf8')).toBe('two')
    expect(readFileSync(`${path}/link/c`, 'utf8')).toBe('three')
  })

  test('loses what is removed, a folder with all that it holds, and minds nothing that is not there', () => {
    const { path, remove } = tree({ 'a/b/c': 'x', d: 'y', e: 'z' })
    remove('a', 'd', 'never/was')
    expect([existsSync(`${path}/a`), existsSync(`${path}/d`), existsSync(`${path}/e`)]).toEqual([false, false, true])
  })

  test('is gone once disposed of, regardless of its modes, and again is no error', () => {
    const { path, dispose } = tree({ 'shut/file': 'x', shut: { dir: true, mode: 0o000 }, outside: { link: '..' } })
    dispose()
    dispose()
    expect(existsSync(path)).toBe(false)
  })

  test.each(['../outside', '/outside', 'a/../../outside', '.'])('refuses to write or remove "%s"', relative => {
    const { write, remove } = tree()
    expect(() => write({ [relative]: 'x' })).toThrow(RangeError)
    expect(() => remove(relative)).toThrow(RangeError)
  })
})
