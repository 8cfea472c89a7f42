import { readFileSync, statSync } from 'node:fs'
import { wrap } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { cacheFolderOf, makePrivateFolder, readPrivateFile } from '@skills/state'
import { keepOwn } from '@skills/state/internal'

type Run = (
  exports: object,
  require: (id: string) => unknown,
  module: BuiltModule,
  filename: string,
  dirname: string,
) => void

interface BuiltModule {
  exports: object
}

/** Cached code of a file, and the commands it was compiled for. */
interface KeptCode {
  readonly code: Buffer
  readonly commands: readonly string[]
}

interface BuiltFile {
  readonly stamp: string
  readonly script: Script
  readonly module: BuiltModule
  /** Commands whose functions are cached. `isStale`: those of this command are not cached yet. */
  readonly commands: readonly string[]
  readonly isStale: boolean
}

/**
 * Runs the built files of this program and caches the code that V8 compiles for them: compiling takes a good part of
 * the time of a short list. The cache is in the user's own cache folder, which others cannot write to. Each build and
 * each version of Node has its own. See docs/reference/cli.md, "Command line".
 */
export class CodeCache {
  readonly #folder: string
  readonly #command: string
  readonly #require: (id: string) => unknown
  readonly #files = new Map<string, BuiltFile>()

  /**
   * Creates a cache for one run.
   * @param folder absolute; only its user may write to it
   * @param command command of this run: each one compiles other functions
   * @param require loads modules that are not built files beside the caller
   */
  constructor(folder: string, command: string, require: (id: string) => unknown) {
    this.#folder = folder
    this.#command = command
    this.#require = require
  }

  /** Runs a built file once and returns its exports. The file cannot use `import()`. @param path absolute */
  load(path: string): object {
    const known = this.#files.get(path)
    if (known !== undefined) return known.module.exports
    const { size, mtimeMs, ctimeMs } = statSync(path)
    // Some installers give the files of all builds the same mtime, but nobody can set a ctime. Machines with different
    // processors may share a home folder.
    const stamp = `${path} ${size} ${mtimeMs} ${ctimeMs} ${process.version} ${process.arch}`
    const kept = this.#read(path, stamp)
    const script = new Script(wrap(withoutHashbang(readFileSync(path, 'latin1'))), {
      filename: path,
      ...(kept !== undefined && { cachedData: kept.code }),
    })
    const isRejected = script.cachedDataRejected === true
    const commands = kept === undefined || isRejected ? [] : kept.commands
    const module: BuiltModule = { exports: {} }
    this.#files.set(path, { stamp, script, module, commands, isStale: !commands.includes(this.#command) })
    const run = script.runInThisContext() as Run
    try {
      // The file that imports modules of a configuration is an ES module, so it cannot run as a script.
      const requireBuilt = (file: string): unknown => (file.endsWith('.mjs') ? this.#require(file) : this.load(file))
      run(
        module.exports,
        id => (id.startsWith('./') ? requireBuilt(join(dirname(path), id)) : this.#require(id)),
        module,
        path,
        dirname(path),
      )
    } catch (error) {
      // A file that failed half-way must not be reused: its exports are incomplete.
      this.#files.delete(path)
      throw error
    }
    return module.exports
  }

  /**
   * Caches the code that this run compiled and no earlier run did. If it cannot be written, the next run compiles it
   * again.
   */
  save(): void {
    for (const [path, { stamp, script, commands, isStale }] of this.#files) {
      if (!isStale) continue
      const code = script.createCachedData()
      const header = JSON.stringify({
        stamp,
        commands: [...commands, this.#command],
        length: code.length,
        sum: sumOf(code),
      })
      // A process that reads the file at the same time gets the whole old file or the whole new one.
      permitted(() => keepOwn(this.#folder, nameOf(path), Buffer.concat([Buffer.from(`${header}\n`), code])))
    }
  }

  /** Returns undefined for a file that is missing, damaged, of another user or of another build. */
  #read(path: string, stamp: string): KeptCode | undefined {
    const bytes = permitted(() => readPrivateFile(join(this.#folder, nameOf(path)), process.geteuid?.()))?.bytes
    if (bytes === undefined) return undefined
    const end = bytes.indexOf('\n')
    const header = headerOf(bytes.subarray(0, Math.max(end, 0)).toString())
    const code = bytes.subarray(end + 1)
    // V8 does not check cached code: a truncated file would crash the process.
    return header?.stamp === stamp && header.length === code.length && header.sum === sumOf(code)
      ? { code, commands: header.commands }
      : undefined
  }
}

/**
 * Returns the folder for compiled code in the user's cache. Returns undefined if there is no home folder, if others may
 * write to it, or if `NODE_DISABLE_COMPILE_CACHE` is set, which also disables Node's own cache.
 */
export function codeFolderOf(host: Parameters<typeof cacheFolderOf>[0], owner: number | undefined): string | undefined {
  if ((host.env['NODE_DISABLE_COMPILE_CACHE'] ?? '') !== '') return undefined
  const home = permitted(() => statSync(host.home, { throwIfNoEntry: false }))
  // A missing home folder is not created, and root under sudo writes nothing to a user's home: the user could never
  // write to it.
  if (home?.isDirectory() !== true || (owner !== undefined && home.uid !== owner)) return undefined
  return permitted(() => {
    const folder = `${cacheFolderOf(host)}/code`
    makePrivateFolder(folder, owner)
    return folder
  })
}

/** Removes the text of the first line but keeps its line feed, so that line numbers stay the same. */
function withoutHashbang(source: string): string {
  return source.startsWith('#!') ? source.slice(source.indexOf('\n')) : source
}

/**
 * Runs an action of the cache. If the system or the folder does not permit it, returns undefined: the program works
 * without a cache.
 */
function permitted<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string') return undefined
    throw error
  }
}

interface Header {
  readonly stamp: unknown
  readonly commands: readonly string[]
  readonly length: unknown
  readonly sum: unknown
}

/** Parses the first line of a cached file. Returns undefined if it is damaged or not from this program. */
function headerOf(line: string): Header | undefined {
  let header: unknown
  try {
    header = JSON.parse(line)
  } catch {
    // A damaged file is replaced by the next save.
    return undefined
  }
  return isHeader(header) ? header : undefined
}

function isHeader(value: unknown): value is Header {
  return (
    typeof value === 'object' &&
    value !== null &&
    'stamp' in value &&
    'length' in value &&
    'sum' in value &&
    'commands' in value &&
    Array.isArray(value.commands) &&
    value.commands.every(command => typeof command === 'string')
  )
}

/**
 * Returns a checksum that detects lost disk blocks, the usual damage to files. It reads only every 31st byte, because
 * reading all of them would take longer than the cache saves.
 */
function sumOf(code: Buffer): number {
  let sum = 0x811c9dc5
  for (let at = 0; at < code.length; at += 31) sum = Math.imul(sum ^ (code[at] ?? 0), 0x01000193)
  return sum >>> 0
}

function nameOf(path: string): string {
  return `${basename(path, '.cjs')}-${numberOf(path)}.bin`
}

/** Returns a number that differs between installations of one user. In a collision the stamp in the file decides. */
function numberOf(path: string): string {
  let number = 0x811c9dc5
  for (let at = 0; at < path.length; at++) number = Math.imul(number ^ path.charCodeAt(at), 0x01000193)
  return (number >>> 0).toString(16)
}
