import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { wrap } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { SkillsError } from '@skills/core'
import { cacheFolderOf, makePrivateFolder } from '@skills/state'

type Run = (exports: object, require: (id: string) => unknown, module: BuiltModule, filename: string, dirname: string) => void

interface BuiltModule {
  exports: object
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
 * Runs the built files of this program, and keeps what V8 compiled of them, so that the next run need not: compiling is a third
 * of what a short list takes. It is kept in the user's own cache, where nobody else may write, and made anew for every other build
 * and every other Node. See docs/reference.md, "Command line".
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
    const { size, mtimeMs } = statSync(path)
    const stamp = `${path} ${size} ${mtimeMs} ${process.version}`
    const kept = this.#read(path, stamp)
    const script = new Script(wrap(withoutHashbang(readFileSync(path, 'latin1'))), {
      filename: path, ...kept !== undefined && { cachedData: kept.code },
    })
    const isRejected = script.cachedDataRejected === true
    const commands = kept === undefined || isRejected ? [] : kept.commands
    const module: BuiltModule = { exports: {} }
    this.#files.set(path, { stamp, script, module, commands, isStale: !commands.includes(this.#command) })
    const run = script.runInThisContext() as Run
    run(module.exports, id => id.startsWith('./') ? this.load(join(dirname(path), id)) : this.#require(id), module, path, dirname(path))
    return module.exports
  }

  /** Keeps what this run compiled and no earlier one did. Where that cannot be written it is compiled again next time. */
  save(): void {
    for (const [path, { stamp, script, commands, isStale }] of this.#files) {
      if (!isStale) continue
      const code = script.createCachedData()
      const header = JSON.stringify({ stamp, commands: [...commands, this.#command], length: code.length })
      const place = this.#placeOf(path)
      // Whoever reads it meanwhile has the whole of the one or the other.
      const draft = `${place}.${process.pid}`
      try {
        writeFileSync(draft, Buffer.concat([Buffer.from(`${header}\n`), code]), { mode: 0o600 })
        renameSync(draft, place)
      } catch (error) {
        if (!isSystemError(error)) throw error
        if (existsSync(draft)) rmSync(draft)
      }
    }
  }

  /** Undefined for what is not there, or is of another build. */
  #read(path: string, stamp: string): { readonly code: Buffer; readonly commands: readonly string[] } | undefined {
    let bytes: Buffer
    try {
      bytes = readFileSync(this.#placeOf(path))
    } catch (error) {
      if (isSystemError(error)) return undefined
      throw error
    }
    const end = bytes.indexOf('\n')
    // Compared before it is parsed: a file that begins otherwise is none of ours.
    if (!bytes.subarray(0, Math.max(end, 0)).toString().startsWith(JSON.stringify({ stamp }).slice(0, -1))) return undefined
    const { commands, length } = JSON.parse(bytes.subarray(0, end).toString()) as { commands: readonly string[]; length: number }
    const code = bytes.subarray(end + 1)
    // V8 believes what it is given, also when half of it is missing.
    return code.length === length ? { code, commands } : undefined
  }

  #placeOf(path: string): string {
    return join(this.#folder, `${basename(path, '.cjs')}-${numberOf(path)}.bin`)
  }
}

/**
 * The folder in the user's cache for what was compiled; undefined where there is no home folder, where others may write to it, and
 * where `NODE_DISABLE_COMPILE_CACHE` is set, as for what Node itself keeps.
 */
export function codeFolderOf(host: Parameters<typeof cacheFolderOf>[0], owner: number | undefined): string | undefined {
  if ((host.env['NODE_DISABLE_COMPILE_CACHE'] ?? '') !== '') return undefined
  // A home folder that is not there is nobody's to make.
  if (statSync(host.home, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined
  try {
    const folder = `${cacheFolderOf(host)}/code`
    makePrivateFolder(folder, owner)
    return folder
  } catch (error) {
    if (SkillsError.is(error) && error.code === 'E_STATE') return undefined
    throw error
  }
}

/** Its line stays, so that every line keeps its number. */
function withoutHashbang(source: string): string {
  return source.startsWith('#!') ? source.slice(source.indexOf('\n')) : source
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

/** Tells the installations of one user apart: the stamp inside tells whether it was right. */
function numberOf(path: string): string {
  let number = 0x811c9dc5
  for (let at = 0; at < path.length; at++) number = Math.imul(number ^ path.charCodeAt(at), 0x01000193)
  return (number >>> 0).toString(16)
}
