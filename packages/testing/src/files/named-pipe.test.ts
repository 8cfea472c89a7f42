import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { tempTree, type TempTree } from '../index.js'
import { namedPipe } from './named-pipe.js'

let tree: TempTree
let path: string

beforeEach(() => {
  tree = tempTree()
  path = `${tree.path}/pipe`
})

afterEach(() => tree.dispose())

describe.skipIf(process.platform === 'win32')('a named pipe', () => {
  test('is one, until it is removed', async () => {
    const pipe = await namedPipe(path, 60_000)
    expect(lstatSync(path).isFIFO()).toBe(true)
    await pipe.remove()
    expect(existsSync(path)).toBe(false)
    expect(pipe.wasHeld).toBe(false)
  })

  test('frees a caller that holds up the whole thread with it, and tells', async () => {
    const pipe = await namedPipe(path, 20)
    expect(readFileSync(path, 'utf8')).toBe('')
    expect(pipe.wasHeld).toBe(true)
    await pipe.remove()
  })

  test('frees a caller that waits for it in another thread, again and again', async () => {
    const pipe = await namedPipe(path, 20)
    expect([await readFile(path, 'utf8'), await readFile(path, 'utf8')]).toEqual(['', ''])
    expect(pipe.wasHeld).toBe(true)
    await pipe.remove()
  })

  test('frees a caller that still waits when it is removed', async () => {
    const pipe = await namedPipe(path, 60_000)
    const reading = readFile(path, 'utf8')
    // A reader that has opened the pipe reaches its end; a later one finds no pipe.
    await pipe.remove()
    expect(
      await reading.catch((error: unknown) =>
        error instanceof Error && 'code' in error && error.code === 'ENOENT' ? '' : error,
      ),
    ).toBe('')
  })

  test('may go with its folder before it is removed', async () => {
    const pipe = await namedPipe(path, 60_000)
    tree.dispose()
    await pipe.remove()
    expect(existsSync(path)).toBe(false)
  })

  test('says why it could not be made', async () => {
    await expect(namedPipe(`${tree.path}/no/such/folder`, 20)).rejects.toThrow('mkfifo')
  })
})
