import { isAbsolute } from 'node:path'
import { lstatSync } from 'node:fs'
import {
  defineProvider,
  loadResult,
  nameKey,
  withDeadline,
  type Command,
  type FileIdentity,
  type Note,
  type Provider,
  type SetupContext,
  type Source,
} from '@skills/core'
import * as s from '@skills/core/schema'
import { slashes } from '@skills/files/internal'
import { readWholeFileSync } from '@skills/files'
import { commandOf } from '@skills/skill-md'
import { cacheFolderOf } from '@skills/state'
import { fullNameOf } from './new-version.js'
import { SkillCache } from './skill-cache.js'
import type { SkillRead } from '@skills/skill-md/internal'
import type { Registry, RegistryPart, SkillName, SkillVersion } from './registry-types.js'

const registrySourceOptions = s.options('registrySource()', {
  /** Open registry. The host closes it after the engine. */
  registry: s.typed<Registry>('a registry').required(),
  /**
   * Namespace whose skills the source has, by their plain names, such as `deploy`. Default: all namespaces. A skill is
   * then named `registry:acme:deploy`, because anyone may have taken a namespace that is the name of a plugin.
   */
  namespace: s.text(),
  /** Tag of the versions that the source has. Default: `latest`. */
  tag: s.text().default('latest'),
  /** Id of the source, and its name in `precedence`. */
  id: s.text().default('registry'),
  /**
   * Absolute path of a folder for the files of skills. It is made if it is missing. Default: `registry` in the user's
   * cache folder.
   */
  cacheFolder: s.text('an absolute path', isAbsolute),
})

export interface RegistrySourceOptions extends s.OptionsOf<typeof registrySourceOptions> {}

/**
 * Makes the source of the skills of a registry. It lists none of them; an engine finds those that it is asked for. See
 * docs/reference/registry.md, "A registry as a source".
 * @throws SkillsError `E_INVALID_OPTION`
 */
export function registrySource(given: RegistrySourceOptions): Provider<'source'> {
  const options = registrySourceOptions.read(given)
  return defineProvider({ kind: 'source', id: options.id, contract: 1, setup: ctx => new RegistrySource(options, ctx) })
}

class RegistrySource implements Source {
  readonly source: string
  readonly #registry: Registry
  readonly #cache: SkillCache
  /** Part of the registry that it has. */
  readonly #part: { readonly prefix: string; readonly tag: string }
  readonly #namespace: string | undefined
  /** Beginning of the names of commands before the namespace. */
  readonly #begin: string

  constructor(
    { registry, namespace, tag, id, cacheFolder }: ReturnType<typeof registrySourceOptions.read>,
    private readonly context: Pick<SetupContext, 'host' | 'words' | 'invalidate'>,
  ) {
    this.source = id
    this.#registry = registry
    this.#namespace = namespace
    this.#begin = `${nameKey(id)}:`
    this.#part = { prefix: namespace === undefined ? '' : `${namespace}/`, tag }
    const folder = cacheFolder === undefined ? `${cacheFolderOf(context.host)}/registry` : slashes(cacheFolder)
    this.#cache = new SkillCache(folder, digest => registry.file(digest), cacheFolder === undefined)
  }

  list() {
    return loadResult({})
  }

  async find(name: string, { signal }: { readonly signal: AbortSignal }): Promise<Command | undefined> {
    const version = await within(signal, () => this.#versionOf(name))
    return version === undefined || version.isYanked ? undefined : this.#commandOf(version)
  }

  async search(...[query, { signal, limit, prefix = '' }]: Parameters<NonNullable<Source['search']>>) {
    const part = this.#partWith(prefix)
    if (part === undefined) return []
    const found = await within(signal, () => this.#registry.search(query, { signal, limit, ...part }))
    const commands = await this.#commandsOf(found.map(({ version }) => version))
    return commands.flatMap((command, at) => (command === undefined ? [] : { command, score: found[at]?.score ?? 0 }))
  }

  async page({ signal, limit, after }: Parameters<NonNullable<Source['page']>>[0]) {
    const page = await within(signal, () => this.#registry.page({ signal, limit, after, ...this.#part }))
    const commands = await this.#commandsOf(page.versions)
    return { commands: commands.filter(command => command !== undefined), next: page.next }
  }

  count({ signal }: { readonly signal: AbortSignal }): Promise<number> {
    return within(signal, () => this.#registry.count({ signal, ...this.#part }))
  }

  async explain(
    name: string,
    _command: Command | undefined,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<readonly Note[]> {
    const skill = this.#skillOf(name)
    const { tag } = this.#part
    if (skill === undefined) return []
    const version = await within(signal, () => this.#registry.find(skill, tag))
    if (version !== undefined) {
      const { digest, label, publisher, isYanked } = version
      const by = publisher === undefined ? '' : `, published by ${publisher}`
      const what = `${label === undefined ? '' : `${label}, `}${digest.slice(0, 19)}${by}`
      return [
        {
          text: isYanked
            ? `The version ${what} of ${fullNameOf(skill)} is yanked.`
            : `The registry has ${fullNameOf(skill)} with the tag ${tag}: ${what}.`,
        },
      ]
    }
    const versions = await within(signal, () => this.#registry.versions(skill))
    if (versions.length === 0) return []
    return [
      {
        text: versions.every(({ isYanked }) => isYanked)
          ? `All versions of ${fullNameOf(skill)} in the registry are yanked.`
          : `No version of ${fullNameOf(skill)} in the registry has the tag ${tag}.`,
      },
    ]
  }

  #skillOf(name: string): SkillName | undefined {
    if (this.#namespace !== undefined) return { namespace: this.#namespace, name }
    const [namespace = '', own] = name.startsWith(this.#begin) ? name.slice(this.#begin.length).split(':', 2) : []
    return own === undefined || this.#nameOf({ namespace, name: own }) !== name ? undefined : { namespace, name: own }
  }

  #nameOf({ namespace, name }: SkillName): string {
    return this.#namespace === undefined ? `${this.#begin}${namespace}:${name}` : name
  }

  /** Returns the part of the registry whose commands have names with this beginning; undefined if there is none. */
  #partWith(begin: string): RegistryPart | undefined {
    const { prefix, tag } = this.#part
    if (this.#namespace !== undefined) return { prefix: `${prefix}${begin}`, tag }
    if (begin.startsWith(this.#begin)) return { prefix: begin.slice(this.#begin.length).replace(':', '/'), tag }
    return this.#begin.startsWith(begin) ? this.#part : undefined
  }

  async #versionOf(name: string): Promise<SkillVersion | undefined> {
    const skill = this.#skillOf(name)
    return skill && this.#registry.find(skill, this.#part.tag)
  }

  #commandsOf(versions: readonly SkillVersion[]): Promise<readonly (Command | undefined)[]> {
    return Promise.all(versions.map(version => this.#commandOf(version)))
  }

  async #commandOf({ text, ...version }: SkillVersion): Promise<Command | undefined> {
    const bytes = Buffer.from(text)
    const main = mainOf(version)
    const path = `${this.#cache.folderOf(version)}/${main.path}`
    const name = this.#nameOf(version)
    const { words } = this.context
    const { command } = await commandOf(bytes, {
      source: this.source,
      name,
      path,
      identity: new IdentityNow(path, bytes.length, version.digest),
      digest: main.digest,
      size: bytes.length,
      isLocal: true,
      ...(words !== undefined && { layout: { fields: { words } } }),
      read: (_file, call) => this.#read(name, version, path, call),
    })
    return command
  }

  /** Writes the files of a version, and returns the main one. Undefined if the name leads to another version by now. */
  async #read(name: string, version: Omit<SkillVersion, 'text'>, path: string, { signal }: SkillRead) {
    const now = await within(signal, () => this.#versionOf(nameKey(name)))
    if (now?.digest !== version.digest || now.isYanked) {
      this.context.invalidate()
      return undefined
    }
    // Others may wait for the same files, which are written without this call.
    await within(signal, () => this.#cache.make(version))
    const { bytes: maxBytes } = mainOf(version)
    const read = readWholeFileSync(path, { maxBytes, within: [this.#cache.folderOf(version)] })
    if (read === undefined || 'problem' in read) return read
    return { bytes: read.bytes, identity: new IdentityNow(path, read.bytes.length, version.digest) }
  }
}

function mainOf({ files }: Pick<SkillVersion, 'files'>) {
  const isMain = (form: RegExp) => files.find(({ path }) => form.test(path))
  return isMain(/^SKILL\.md$/) ?? isMain(/^skill\.md$/i) ?? { path: 'SKILL.md', digest: '', bytes: 0 }
}

const within = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => withDeadline(work, { signals: [signal] })

/**
 * Identity of a file whose content is known by its version. Its stamps are those of now: the file is written when its
 * body is first read, and again if something changes it.
 */
class IdentityNow implements FileIdentity {
  constructor(
    readonly realPath: string,
    readonly size: number,
    readonly version: string,
  ) {}

  get dev(): number {
    return this.#stats.dev
  }

  get ino(): number {
    return this.#stats.ino
  }

  get mtimeMs(): number {
    return this.#stats.mtimeMs
  }

  get ctimeMs(): number {
    return this.#stats.ctimeMs
  }

  get #stats() {
    return lstatSync(this.realPath, { throwIfNoEntry: false }) ?? { dev: 0, ino: 0, mtimeMs: 0, ctimeMs: 0 }
  }
}
