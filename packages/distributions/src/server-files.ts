import { dirname, resolve } from 'node:path'
import { SkillsError } from '@skills/core'
import { findProjectFolders } from '@skills/files'
import { namedFiles } from '@skills/files/internal'
import type { ConfigurationData, ConfiguredServer } from './configuration-schema.js'
import type { ConfigurationFile, ConfigurationHost } from './find-configuration.js'

/** Files of a project that its servers name. A person agrees to them together with the servers. */
export class ServerFiles {
  readonly #servers: NonNullable<ConfigurationData['servers']>
  readonly #folder: string
  readonly #top: string
  readonly #texts: ReadonlyMap<string, string>

  /** Reads the files once, so that the judged content is the one that is used. */
  constructor({ servers = {} }: ConfigurationData, { path, from }: ConfigurationFile, host: ConfigurationHost) {
    // Files that a person's own configuration names need no agreement.
    this.#servers = from === 'project' ? servers : {}
    this.#folder = dirname(path)
    this.#top = findProjectFolders(host).top
    this.#texts = new Map(Object.entries(this.#servers).map(([name, server]) => [name, this.#textOf(server)]))
  }

  /** Returns the files of a server with their digests, for a person to agree to. Empty if it names none. */
  textOf(name: string): string {
    return this.#texts.get(name) ?? ''
  }

  /** Throws `E_DENIED` if a file of the server has changed since it was read. Called just before the server starts. */
  check(name: string): void {
    const server = Object.hasOwn(this.#servers, name) ? this.#servers[name] : undefined
    const before = this.textOf(name)
    if (server === undefined || (before !== mayBeAny && this.#textOf(server) === before)) return
    throw new SkillsError('E_DENIED', `A file that the MCP server "${name}" names was changed after it was agreed to`, {
      hint: 'Look at the change: skills trust',
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

/** Text in place of the files. It never counts as agreed to. */
const mayBeAny = 'It has too many words to tell which files of the project it names, so it does not start.'
