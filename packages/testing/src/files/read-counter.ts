import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ReadCounter } from '../contract/fixture.js'

/** Replacement of a function. @param call calls the original, with other arguments if some are given */
type StandIn = (call: (args?: unknown[]) => unknown, args: unknown[]) => unknown

/** Functions whose first argument is a path or a descriptor. */
const asked = ['open', 'opendir', 'readdir', 'stat', 'lstat', 'readFile']

const counters = new Set<FileCounter>()
/** Files that a counter counts, by descriptor. */
const openFiles = new Map<number, string>()
/** Depth of nested calls. Functions of `fs` call each other, and only the outermost call is counted. */
let depth = 0
let restore: (() => void) | undefined

/**
 * Counts what this process reads at or below a folder, until it is stopped. It replaces the functions of `node:fs`:
 * synchronous ones, those with callbacks and those of promises, regardless of how they were imported. The counter does
 * not see reads by native code, or by functions that a CommonJS module took out of `fs` earlier. The contract fails if
 * the counter sees no read at all.
 * @param folder absolute path, links resolved
 */
export function countFileReads(folder: string): ReadCounter {
  const counter = new FileCounter(folder)
  if (counters.size === 0) restore = standIn()
  counters.add(counter)
  return counter
}

class FileCounter implements ReadCounter {
  reads = 0
  bytes = 0
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = plain(folder)
  }

  holds(file: string): boolean {
    return file === this.#folder || file.startsWith(`${this.#folder}/`)
  }

  stop(): void {
    if (!counters.delete(this) || counters.size > 0) return
    restore?.()
    restore = undefined
    openFiles.clear()
  }
}

/** Replaces the functions and returns a function that restores them. */
function standIn(): () => void {
  const counting = (owner: object, name: string): (() => void) =>
    replace(owner, name, (call, args) => countAsked(call, args, name))
  const undos = [
    ...asked.flatMap(name => [counting(fs, `${name}Sync`), counting(fs, name), counting(fs.promises, name)]),
    replace(fs, 'readSync', (call, [descriptor]) => {
      const file = depth > 0 ? undefined : openFiles.get(Number(descriptor))
      const length: unknown = inside(call)
      countBytes(file, length)
      return length
    }),
    replace(fs, 'read', (call, args) => {
      const file = openFiles.get(Number(args[0]))
      return call(withCallback(args, length => countBytes(file, length)))
    }),
    ...['closeSync', 'close'].map(name =>
      replace(fs, name, (call, [descriptor]) => {
        openFiles.delete(Number(descriptor))
        return call()
      }),
    ),
  ]
  syncBuiltinESMExports()
  return () => {
    for (const undo of undos.reverse()) undo()
    syncBuiltinESMExports()
  }
}

function replace(owner: object, name: string, instead: StandIn): () => void {
  const original: unknown = Reflect.get(owner, name)
  if (typeof original !== 'function') throw new TypeError(`node:fs has no ${name}.`)
  const other = function (this: unknown, ...args: unknown[]): unknown {
    return instead((given = args) => Reflect.apply(original, this, given), args)
  }
  // The properties of the original are kept, such as its promisified form.
  Reflect.set(owner, name, Object.defineProperties(other, Object.getOwnPropertyDescriptors(original)))
  return () => {
    Reflect.set(owner, name, original)
  }
}

/**
 * Counts a request for a path, then follows its result: the bytes of a whole file, or the descriptor of an opened one.
 */
function countAsked(call: Parameters<StandIn>[0], args: unknown[], name: string): unknown {
  const file = depth > 0 ? undefined : pathIn(args[0])
  if (file === undefined) return inside(call)
  for (const counter of counters) if (counter.holds(file)) counter.reads++
  const isCallback = typeof args.at(-1) === 'function'
  const given = isCallback ? withCallback(args, result => follow(file, name, result)) : args
  const result: unknown = inside(() => call(given))
  if (isCallback) return result
  if (!(result instanceof Promise)) {
    follow(file, name, result)
    return result
  }
  return result.then((value: unknown) => {
    follow(file, name, value)
    return value
  })
}

function follow(file: string, name: string, result: unknown): void {
  if (name.startsWith('readFile')) countBytes(file, sizeOf(result))
  else if (typeof result === 'number') openFiles.set(result, file)
  else if (name === 'open' && typeof result === 'object' && result !== null) countHandle(file, result)
}

/** Counts the bytes that are read through a handle of `fs.promises.open`. */
function countHandle(file: string, handle: object): void {
  replace(handle, 'read', async call => {
    const result: unknown = await call()
    if (typeof result === 'object' && result !== null && 'bytesRead' in result) countBytes(file, result.bytesRead)
    return result
  })
  replace(handle, 'readFile', async call => {
    const result: unknown = await call()
    countBytes(file, sizeOf(result))
    return result
  })
}

function countBytes(file: string | undefined, length: unknown): void {
  if (file === undefined || typeof length !== 'number') return
  for (const counter of counters) {
    if (!counter.holds(file)) continue
    counter.reads++
    counter.bytes += length
  }
}

function sizeOf(value: unknown): number {
  return typeof value === 'string' ? Buffer.byteLength(value) : value instanceof Uint8Array ? value.byteLength : 0
}

/** Returns the arguments with a callback that passes its second argument to `tell` before it calls the original. */
function withCallback(args: unknown[], tell: (result: unknown) => void): unknown[] {
  const callback = args.at(-1)
  if (typeof callback !== 'function') return args
  return [
    ...args.slice(0, -1),
    function (this: unknown, error: unknown, ...results: unknown[]) {
      if (error === null || error === undefined) tell(results[0])
      return Reflect.apply(callback, this, [error, ...results])
    },
  ]
}

function inside<T>(work: () => T): T {
  depth++
  try {
    return work()
  } finally {
    depth--
  }
}

/** Returns the path that an argument stands for if a counter counts it, else undefined. */
function pathIn(argument: unknown): string | undefined {
  if (typeof argument === 'number') return openFiles.get(argument)
  if (typeof argument !== 'string' && !(argument instanceof URL) && !Buffer.isBuffer(argument)) return undefined
  const file = plain(argument instanceof URL ? fileURLToPath(argument) : path.resolve(argument.toString()))
  return [...counters].some(counter => counter.holds(file)) ? file : undefined
}

function plain(file: string): string {
  return file.replaceAll('\\', '/')
}
