import { ProtocolError, ProtocolErrorCode, type Resource } from '@modelcontextprotocol/server'
import {
  DIRECTORY_MIME_TYPE,
  skillEntry,
  SkillsExtension,
  type Skill,
  type SkillReadResult,
} from '@modelcontextprotocol/server/ext/skills'
import { messageOf, type CatalogEntry, type Command, type Diagnostic } from '@skills/core'
import { folderEntries, folderFiles, limits, readFolderFile } from './skill-folder.js'
import {
  addressIn,
  baseUri,
  manifestName,
  namesIn,
  placeOf,
  servedOf,
  servedSkills,
  uriOf,
  type ServedSkill,
  type ServedSkills,
} from './served-skills.js'
import { mimeTypeOf } from './mime-type.js'
import { pageBeyond, pageOf } from './pages.js'
import type { EnginePort } from '@skills/invocation/skill-tool'
import type { Settled } from './options.js'

/** Files of skills, as SEP-2640 defines them, and as plain resources for other clients. */
export class SkillResources {
  readonly extension: SkillsExtension
  /** Problems that were reported. */
  readonly #told = new Set<string>()

  constructor(
    private readonly options: Settled,
    private readonly port: EnginePort,
  ) {
    this.extension = new SkillsExtension({
      baseUri,
      source: {
        list: ({ cursor }, { mcpReq: { signal } }) => this.#list(cursor, signal),
        get: (uri, { mcpReq: { signal } }) => this.#get(uri, signal),
        read: (uri, { mcpReq: { signal } }) => this.#read(uri, signal),
        readDirectory: (uri, { cursor }, { mcpReq: { signal } }) => this.#directory(uri, cursor, signal),
      },
      onWarning: ({ path, message }) => this.#tell(path, message),
    })
  }

  /** Returns the `SKILL.md` of each skill, for clients that only list resources. */
  async resources(
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<{ resources: Resource[]; nextCursor?: string }> {
    const { items, ...rest } = await this.#page(cursor, signal)
    return {
      resources: items.map(({ uri, entry, command }) => ({
        uri,
        name: entry.name,
        description: command.description,
        mimeType: 'text/markdown',
      })),
      ...rest,
    }
  }

  async #list(cursor: string | undefined, signal: AbortSignal): Promise<{ skills: Skill[]; nextCursor?: string }> {
    const { items, ...rest } = await this.#page(cursor, signal)
    const { byRoot } = await this.#served(signal)
    const entries = await Promise.all(items.map(skill => this.#entryOf(skill, byRoot, signal)))
    return { skills: entries.filter(entry => entry !== undefined), ...rest }
  }

  async #get(uri: string, signal: AbortSignal): Promise<Skill | undefined> {
    const place = await this.#place(uri, signal)
    if (place?.path !== manifestName) return undefined
    return this.#entryOf(place.skill, (await this.#served(signal)).byRoot, signal)
  }

  async #read(uri: string, signal: AbortSignal): Promise<SkillReadResult | undefined> {
    const place = await this.#place(uri, signal)
    if (place === undefined || place.path === '') return undefined
    const bytes = await readFolderFile(place.skill.folder, place.path, signal)
    if (bytes === undefined) return undefined
    if (typeof bytes === 'string')
      throw new ProtocolError(ProtocolErrorCode.InternalError, this.port.tells?.(bytes) ?? bytes)
    const mimeType = mimeTypeOf(place.path)
    const text = textOf(bytes)
    return text === undefined ? { bytes: new Uint8Array(bytes), mimeType } : { text, mimeType }
  }

  async #directory(
    uri: string,
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<{ resources: Resource[]; nextCursor?: string } | undefined> {
    const place = await this.#place(uri.endsWith('/') ? uri : `${uri}/`, signal)
    if (place === undefined) return undefined
    const { skill, path } = place
    const entries = await folderEntries(path === '' ? skill.folder : `${skill.folder}/${path}`, signal)
    if (entries === undefined) return undefined
    const within = path === '' ? '' : `${path}/`
    const children: Resource[] = [
      ...entries.files.map(name => ({ uri: addressIn(skill, `${within}${name}`), name, mimeType: mimeTypeOf(name) })),
      ...entries.folders.map(name => ({
        uri: addressIn(skill, `${within}${name}`),
        name,
        mimeType: DIRECTORY_MIME_TYPE,
      })),
    ].sort((a, b) => (a.uri < b.uri ? -1 : 1))
    const { items, ...rest } = pageOf(children, child => child.uri, cursor, this.options.pageSize)
    return { resources: items, ...rest }
  }

  /** Returns the skills of a page, without those that a rule denies to models or asks a person about. */
  async #page(
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly items: readonly ServedSkill[]; readonly nextCursor?: string }> {
    const { all } = await this.#served(signal)
    const { items, ...rest } = await pageBeyond(all, uriOf, cursor, this.options.pageSize, {
      large: options => this.port.large?.(options) ?? Promise.resolve(undefined),
      itemsOf: entries => servedOf(entries, this.port.isListed),
      signal,
    })
    const open = await this.#open(
      items.map(({ entry }) => entry),
      signal,
    )
    return { items: items.filter(({ entry }) => open.has(entry)), ...rest }
  }

  async #served(signal: AbortSignal, names?: readonly string[]) {
    return servedSkills(await this.port.catalog({ signal, names }), this.port.isListed)
  }

  async #place(uri: string, signal: AbortSignal) {
    const placeIn = (served: ServedSkills) => placeOf(uri.replace(/\/$/, ''), served) ?? placeOf(uri, served)
    const place = placeIn(await this.#served(signal)) ?? placeIn(await this.#served(signal, namesIn(uri)))
    if (place === undefined) return undefined
    const { entry } = place.skill
    return (await this.#open([entry], signal)).has(entry) ? place : undefined
  }

  /**
   * Returns the entries that may be read. Reading needs no trust, but an entry that a rule denies, or asks a person
   * about, is left out. All are decided in one call, because separate calls take longer than reading a skill.
   */
  async #open(entries: readonly CatalogEntry[], signal: AbortSignal): Promise<ReadonlySet<CatalogEntry>> {
    const open = await this.options.skills.use('permission').first(
      async (permission, call) => {
        const found = new Set<CatalogEntry>()
        for (const entry of entries) {
          const unread = { ...entry, command: withoutText(entry.command) }
          const about = { tool: 'Skill', content: entry.name, entry: unread, args: '', caller: 'model' } as const
          const { behavior, decisionReason } = await permission.check({ ...about, trust: 'untrusted' }, call)
          if (behavior === 'allow' || (behavior === 'ask' && decisionReason.rule === undefined)) found.add(entry)
        }
        return found
      },
      { signal },
    )
    // The answer in place of a failing provider is not a set. Then nothing may be read.
    return open instanceof Set ? open : new Set()
  }

  /** Returns its files with digests. Undefined if the extension does not allow the skill, which is reported. */
  async #entryOf(skill: ServedSkill, byRoot: ServedSkills['byRoot'], signal: AbortSignal): Promise<Skill | undefined> {
    const files = await folderFiles(skill.folder, path => byRoot.has(`${addressIn(skill, path)}/`), signal)
    if (typeof files === 'string') {
      this.#tell(skill.uri, files)
      return undefined
    }
    try {
      return await skillEntry(
        skill.root.slice(baseUri.length, -1),
        Object.fromEntries(files.map(({ path, bytes }) => [path, bytes])),
      )
    } catch (error) {
      if (signal.aborted) throw error
      this.#tell(
        skill.uri,
        messageOf(error)
          .replace(/^\d+ skill problems?:\n/, '')
          .trim(),
      )
      return undefined
    }
  }

  #tell(uri: string, problem: string): void {
    const key = `${uri}\0${problem}`
    if (this.#told.has(key)) return
    this.#told.add(key)
    this.options.onDiagnostic(unserved(uri, problem))
  }
}

/**
 * Returns the command without its text. Embedded commands do not matter here, and thousands of files would be read for
 * them.
 */
function withoutText(command: Command): Command {
  return new Proxy(command, {
    get(target, key) {
      if (key === 'load') return () => ({ blocks: [] })
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function unserved(uri: string, problem: string): Diagnostic {
  return {
    severity: 'warning',
    type: 'validation',
    code: 'mcp-skill-not-served',
    path: uri,
    message: `The skill is left out of skills/list: ${problem.replace(/\.$/, '')}.`,
    hint: `Clients of the skills extension need a name of lower-case letters, digits and hyphens, a description, and at most ${limits.files} files and ${limits.bytes} bytes. See every requirement: \`skills lint --standard\`.`,
  }
}

/** Decodes bytes as text. Undefined if the text would not encode to the same bytes. */
function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // It is sent as bytes.
    return undefined
  }
}
