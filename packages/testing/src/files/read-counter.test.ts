import * as fs from 'node:fs'
import { closeSync, createReadStream, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import * as promises from 'node:fs/promises'
import { createRequire } from 'node:module'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { tempTree, type TempTree } from '../index.js'
import type { ReadCounter } from '../contract/fixture.js'
import { countFileReads } from './read-counter.js'

const size = 10_000
let tree: TempTree
let file: string
let counter: ReadCounter

beforeEach(() => {
  tree = tempTree({ 'in/file': 'x'.repeat(size), 'out/file': 'y' })
  file = `${tree.path}/in/file`
  counter = countFileReads(`${tree.path}/in`)
})

afterEach(() => {
  counter.stop()
  tree.dispose()
})

function readInPieces(path: string): number {
  const descriptor = openSync(path, 'r')
  try {
    const piece = Buffer.alloc(4096)
    let bytes = 0
    for (let length = readSync(descriptor, piece); length > 0; length = readSync(descriptor, piece)) bytes += length
    return bytes
  } finally {
    closeSync(descriptor)
  }
}

/** Opens a file with a callback. */
function openLater(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.open(path, (error, descriptor) => (error === null ? resolve(descriptor) : reject(error)))
  })
}

/** Reads through the promisified function. */
function readOnce(descriptor: number, length: number): Promise<{ bytesRead: number }> {
  return promisify(fs.read)(descriptor, Buffer.alloc(length), 0, length, 0)
}

const ways: readonly (readonly [way: string, read: (path: string) => unknown])[] = [
  ['readFileSync', path => readFileSync(path)],
  ['readFileSync as text', path => readFileSync(path, 'utf8')],
  ['readFileSync by URL', path => readFileSync(pathToFileURL(path))],
  ['openSync and readSync', readInPieces],
  ['readFileSync of a descriptor', path => readFileSync(openOnce(path))],
  [
    'readFile with a callback',
    path =>
      new Promise((resolve, reject) => {
        fs.readFile(path, (error, data) => (error === null ? resolve(data) : reject(error)))
      }),
  ],
  ['readFile made to give a promise', path => promisify(fs.readFile)(path)],
  [
    'open and read with callbacks',
    async path => {
      const descriptor = await openLater(path)
      const { bytesRead } = await readOnce(descriptor, size * 2)
      await promisify(fs.close)(descriptor)
      return bytesRead
    },
  ],
  ['readFile of promises', path => promises.readFile(path)],
  [
    'read of a file handle',
    async path => {
      const handle = await promises.open(path)
      return handle.read(Buffer.alloc(size * 2)).finally(() => handle.close())
    },
  ],
  [
    'readFile of a file handle',
    async path => {
      const handle = await promises.open(path)
      return handle.readFile().finally(() => handle.close())
    },
  ],
  ['a stream', path => buffer(createReadStream(path))],
  [
    'a CommonJS module',
    path => {
      const required: typeof fs = createRequire(import.meta.url)('node:fs')
      return required.readFileSync(path)
    },
  ],
]

describe('the counter of reads', () => {
  test.each(ways)('counts the bytes that %s reads, each once', async (_way, read) => {
    await read(file)
    expect(counter.bytes).toBe(size)
    expect(counter.reads).toBeGreaterThan(0)
  })

  test.each(ways)('counts nothing that %s reads elsewhere', async (_way, read) => {
    await read(`${tree.path}/out/file`)
    expect([counter.reads, counter.bytes]).toEqual([0, 0])
  })

  test.each(ways)('counts nothing that %s reads once it is stopped', async (_way, read) => {
    counter.stop()
    await read(file)
    expect([counter.reads, counter.bytes]).toEqual([0, 0])
  })

  test('counts looks at folders and files as reads of nothing', async () => {
    statSync(file)
    readdirSync(`${tree.path}/in`)
    await promises.readdir(`${tree.path}/in`)
    await promises.stat(`${tree.path}/in`)
    expect([counter.reads, counter.bytes]).toEqual([4, 0])
  })

  test('changes nothing of what is read, nor of what fails', async () => {
    expect(readFileSync(file, 'utf8')).toBe('x'.repeat(size))
    expect(await promises.readFile(file, 'utf8')).toBe('x'.repeat(size))
    expect(() => readFileSync(`${file}.missing`)).toThrow('ENOENT')
    await expect(promises.open(`${file}.missing`)).rejects.toThrow('ENOENT')
    await expect(promisify(fs.readFile)(`${file}.missing`)).rejects.toThrow('ENOENT')
    expect(await readOnce(openOnce(file), 3)).toMatchObject({ bytesRead: 3 })
  })

  test('puts every function back when the last of several is stopped, in any order', () => {
    counter.stop()
    const before = functions()
    const [first, second] = [countFileReads(`${tree.path}/in`), countFileReads(tree.path)]
    expect(functions()).not.toEqual(before)
    first.stop()
    first.stop()
    readFileSync(file)
    readFileSync(`${tree.path}/out/file`)
    expect([first.bytes, second.bytes]).toEqual([0, size + 1])
    second.stop()
    expect(functions()).toEqual(before)
  })
})

function functions(): readonly unknown[] {
  return [...Object.values(fs), ...Object.values(promises)].filter(value => typeof value === 'function')
}

const opened: number[] = []
function openOnce(path: string): number {
  const descriptor = openSync(path, 'r')
  opened.push(descriptor)
  return descriptor
}
afterEach(() => {
  for (const descriptor of opened.splice(0)) closeSync(descriptor)
})
