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

/** What was compiled, and the commands that it was compiled for. */
interface KeptCode {
  readonly code: Buffer
  readonly commands: readonly string[]
}

interface BuiltFile {
  readonly stamp: string
  readonly script: Script
  readonly module: BuiltModule
  /** The commands whose functions are kept, and whether those of this one must still be. */
  readonly commands: readonly string[]
  readonly isStale: boolean
}

/**
 * Runs the built files of this program, and keeps what V8 compiled of them, so that the next run need not: compiling is
 * a good part of what a short list takes. It is kept in the user's own cache, where others cannot write, and made anew
 * for every other build and every other Node. See docs/reference/cli.md, "Command line".
 */
export class CodeCache {
  readonly #folder: string
  readonly #command: string
  readonly #require: (id: string) => unknown
  readonly #files = new Map<string, BuiltFile>()

  /**
   * @param folder absolute; only its user may write to it
   * @param command what this run is for: each compiles other functions
   * @param require loads everything that is not built beside the caller
   */
  constructor(folder: string, command: string, require: (id: string) => unknown) {
    this.#folder = folder
    this.#command = command
    this.#require = require
  }

  /** Runs a built file, once, and gives what it exports. It cannot use `import()`. @param path absolute */
  load(path: string): object {
    const known = this.#files.get(path)
    if (known !== undefined) return known.module.exports
    const { size, mtimeMs, ctimeMs } = statSync(path)
    // Some installers give the files of all builds one mtime; a ctime cannot be set. A home folder may serve several
    // kinds of machine.
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
      // What imports the modules of a configuration is a module itself, and no script.
      const requireBuilt = (file: string): unknown => (file.endsWith('.mjs') ? this.#require(file) : this.load(file))
      run(
        module.exports,
        id => (id.startsWith('./') ? requireBuilt(join(dirname(path), id)) : this.#require(id)),
        module,
        path,
        dirname(path),
      )
    } catch (error) {
      // Half of what it exports is not what the next one asks for.
      this.#files.delete(path)
      throw error
    }
    return module.exports
  }

  /**
   * Keeps what this run compiled and no earlier one did. Where that cannot be written it is compiled again next time.
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
      // A process that reads it meanwhile gets all of the old file or all of the new one.
      permitted(() => keepOwn(this.#folder, nameOf(path), Buffer.concat([Buffer.from(`${header}\n`), code])))
    }
  }

  /** Undefined for what is not there, is another user's or of another build, or is damaged. */
  #read(path: string, stamp: string): KeptCode | undefined {
    const bytes = permitted(() => readPrivateFile(join(this.#folder, nameOf(path)), process.geteuid?.()))?.bytes
    if (bytes === undefined) return undefined
    const end = bytes.indexOf('\n')
    const header = headerOf(bytes.subarray(0, Math.max(end, 0)).toString())
    const code = bytes.subarray(end + 1)
    // V8 believes what it is given, and ends the process over code of which half is missing.
    return header?.stamp === stamp && header.length === code.length && header.sum === sumOf(code)
      ? { code, commands: header.commands }
      : undefined
  }
}

/**
 * The folder in the user's cache for what was compiled; undefined where there is no home folder, where others may write
 * to it, and where `NODE_DISABLE_COMPILE_CACHE` is set, as for what Node itself keeps.
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

/** Its line stays, so that every line keeps its number. */
function withoutHashbang(source: string): string {
  return source.startsWith('#!') ? source.slice(source.indexOf('\n')) : source
}

/**
 * What is kept saves time and nothing else: where the system, or the folder, does not permit it, the program does
 * without.
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

/** Undefined for a line that is none of ours, or is damaged. */
function headerOf(line: string): Header | undefined {
  let header: unknown
  try {
    header = JSON.parse(line)
  } catch {
    // A damaged header is written anew.
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
 * Tells of blocks that a disk lost, which is how files are damaged. Of all bytes it would take longer than what it
 * saves.
 */
function sumOf(code: Buffer): number {
  let sum = 0x811c9dc5
  for (let at = 0; at < code.length; at += 31) sum = Math.imul(sum ^ (code[at] ?? 0), 0x01000193)
  return sum >>> 0
}

function nameOf(path: string): string {
  return `${basename(path, '.cjs')}-${numberOf(path)}.bin`
}

/** Tells the installations of one user apart: the stamp inside tells whether it was right. */
function numberOf(path: string): string {
  let number = 0x811c9dc5
  for (let at = 0; at < path.length; at++) number = Math.imul(number ^ path.charCodeAt(at), 0x01000193)
  return (number >>> 0).toString(16)
}
