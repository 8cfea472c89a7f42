import { readdir } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { messageOf } from '@skills/core'
import { isInside, plainFolder, realPathOf } from '@skills/files/internal'
import { readWholeFile } from '@skills/files'
import { removeTemporary } from '@skills/state/internal'
import { temporaryRoot, type Root } from '@skills/state/writer'
import type { EvalFile } from './cases/eval-cases.js'
import type { ModelCall } from './model.js'

export const textField = (description: string): object => ({ type: 'string', description })
export const tool = (name: string, description: string, properties: Record<string, object>): object => ({
  type: 'function',
  name,
  description,
  inputSchema: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
})

/** Tools for files. They use no network, start no program, and write only in the workspace. */
export const fileTools = [
  tool('Read', 'Reads a file.', { path: textField('Relative to the working folder') }),
  tool('Write', 'Writes a file; folders are made.', {
    path: textField('Relative to the working folder'),
    text: textField('All that it holds'),
  }),
  tool('List', 'Lists a folder.', { path: textField('Relative to the working folder; . for that itself') }),
] as NonNullable<ModelCall['tools']>

/**
 * Temporary folder of one trial. It is removed at the end of the trial; if the process was killed, the next trial
 * removes it.
 */
export class Workspace {
  readonly folder: string
  /** Folders of invoked skills, whose files may be read. */
  readonly readable: string[] = []

  private constructor(private readonly root: Root) {
    this.folder = root.path
  }

  /** @param skillFolder folder to which `from` of a file is relative */
  static async open(files: readonly EvalFile[], skillFolder: string): Promise<Workspace> {
    const workspace = new Workspace(temporaryRoot('skills-eval-'))
    try {
      for (const { path, text: own, from = '' } of files) {
        const source =
          own === undefined ? await readWholeFile(`${skillFolder}/${from}`, { within: [skillFolder] }) : undefined
        if (own === undefined && (source === undefined || 'problem' in source))
          throw new Error(`The file ${from} of the skill cannot be read.`)
        workspace.#write(path, source !== undefined && 'bytes' in source ? source.bytes : (own ?? ''))
      }
      return workspace
    } catch (error) {
      workspace.close()
      throw error
    }
  }

  /** Answers a call of a file tool, also with text for errors. Undefined for any other tool. */
  async answer(name: string, input: unknown): Promise<string | undefined> {
    if (!['Read', 'Write', 'List'].includes(name)) return undefined
    try {
      const path = textIn(input, 'path')
      if (name === 'Read') return await this.#read(path)
      if (name === 'List') return (await readdir(this.#placeOf(path, this.readable))).toSorted().join('\n')
      this.#write(path, textIn(input, 'text'))
      return `${path} is written.`
    } catch (error) {
      return `Error: ${messageOf(error)}`
    }
  }

  /** Reads a file. Undefined if it does not exist. */
  async bytesOf(path: string): Promise<Buffer | undefined> {
    const file = await readWholeFile(this.#placeOf(path))
    if (file !== undefined && 'problem' in file) throw new Error(file.problem.message)
    return file?.bytes
  }

  /** Returns the beginnings of the files for a judge, at most 60,000 characters together. */
  async texts(): Promise<Readonly<Record<string, string>>> {
    const found: Record<string, string> = {}
    let left = 60_000
    for (const entry of await readdir(this.folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || left <= 0) continue
      const path = relative(this.folder, `${entry.parentPath}/${entry.name}`).replaceAll('\\', '/')
      const text = (await this.bytesOf(path))?.subarray(0, Math.min(left, 20_000)).toString('utf8') ?? ''
      left -= text.length
      found[path] = text
    }
    return found
  }

  close(): void {
    removeTemporary(this.root)
  }

  #write(path: string, content: string | Uint8Array): void {
    const place = relative(this.folder, this.#placeOf(path)).replaceAll('\\', '/')
    this.root.write(place, content, { replaces: 'ours' })
  }

  async #read(path: string): Promise<string> {
    const file = await readWholeFile(this.#placeOf(path, this.readable))
    if (file !== undefined && 'bytes' in file) return file.bytes.toString('utf8')
    throw new Error(file?.problem.message ?? `There is no file ${path}.`)
  }

  /** Resolves a path and its links. Throws if it leads out of the workspace and the readable folders. */
  #placeOf(path: string, readable: readonly string[] = []): string {
    const place = plainFolder(resolve(this.folder, path))
    let there = place
    while (realPathOf(there) === undefined && dirname(there) !== there) there = dirname(there)
    const real = `${realPathOf(there) ?? there}${place.slice(there.length)}`
    if ([this.folder, ...readable].some(folder => isInside(real, realPathOf(folder) ?? folder))) return place
    throw new Error(`${path} is outside of the working folder.`)
  }
}

export function textIn(input: unknown, key: string): string {
  const value: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, key) : undefined
  if (typeof value === 'string') return value
  throw new Error(`The input needs "${key}", a text.`)
}
