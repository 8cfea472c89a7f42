import { dirname, resolve } from 'node:path'
import { SkillsError } from '@skills/core'
import { findProjectFolders } from '@skills/files'
import { namedFiles } from '@skills/files/internal'
import type { ConfigurationData, ConfiguredServer } from './configuration-keys.js'
import type { ConfigurationFile, ConfigurationHost } from './find-configuration.js'

/** The files of a project that its servers name, which a person agrees to with the servers. */
export class ServerFiles {
  readonly #servers: NonNullable<ConfigurationData['servers']>
  readonly #folder: string
  readonly #top: string
  readonly #texts: ReadonlyMap<string, string>

  /** Reads them: what is judged is what counts. */
  constructor({ servers = {} }: ConfigurationData, { path, from }: ConfigurationFile, host: ConfigurationHost) {
    // What a person's own configuration names is the person's.
    this.#servers = from === 'project' ? servers : {}
    this.#folder = dirname(path)
    this.#top = findProjectFolders(host).top
    this.#texts = new Map(Object.entries(this.#servers).map(([name, server]) => [name, this.#textOf(server)]))
  }

  /** The files of a server with their digests, for a person who is to agree to them; empty where it names none. */
  textOf(name: string): string {
    return this.#texts.get(name) ?? ''
  }

  /** Throws `E_DENIED` where a file is another one than the one that was read. Asked just before a server starts. */
  check(name: string): void {
    const server = Object.hasOwn(this.#servers, name) ? this.#servers[name] : undefined
    const before = this.textOf(name)
    if (server === undefined || (before !== mayBeAny && this.#textOf(server) === before)) return
    throw new SkillsError('E_DENIED', `A file that the MCP server "${name}" names was changed after it was agreed to`, {
      hint: 'Look at it: skills trust',
    })
  }

  #textOf(server: ConfiguredServer): string {
    if (!('command' in server)) return ''
    const { command, args = [], env = {}, cwd = '.' } = server
    const files = namedFiles([command, ...args, ...Object.values(env)], {
      cwd: resolve(this.#folder, cwd),
      top: this.#top,
    })
    if (files === undefined) return mayBeAny
    if (files.length === 0) return ''
    return ['Files that it names, by SHA-256; what they import or read is not compared:', ...files].join('\n')
  }
}

/** It is agreed to by no digest that comes again. */
const mayBeAny = 'It has too many words to tell which files of the project it names, so it does not start.'
