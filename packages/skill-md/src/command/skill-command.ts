import {
  SkillsError,
  soundFields,
  type CallContext,
  type Diagnostic,
  type FileIdentity,
  type LoadedFrom,
  type PromptBody,
  type PromptCommand,
  type SourceName,
} from '@skills/core'
import { fieldTable, ownFields, ownParts, type CommandFields } from '@skills/core/fields'
import { ownFieldsOf } from '../fields/field-types.js'
import { readQuickHead } from '../parse/quick.js'
import { readLines } from '../parse/read-lines.js'
import { checkText } from '../parse/text-check.js'
import { pathInRule } from './path-in-rule.js'
import type { SkillFields } from '../fields/field-types.js'
import type { SkillBytes, SkillFile, SkillPlace, SkillPlugin, SkillRead } from './origin.js'

/** Result of reading a file. */
export interface SkillReading {
  /** Undefined if the diagnostics contain an error. */
  readonly command: SkillCommand | undefined
  /** With the file's path and name. Always the same empty list if there are none. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Values that the skills of one place share. */
export interface SkillContext {
  readonly place: SkillPlace
  /** Reads the bytes of a whole file again. */
  readonly reread: (bytes: Uint8Array, file: SkillFile, signal: AbortSignal) => SkillReading | Promise<SkillReading>
}

/**
 * Bytes of skills that are snapshots, and digests that were known from the start. Few skills have them, so they are
 * kept outside of the objects.
 */
const snapshots = new WeakMap<SkillCommand, Buffer>()
const digests = new WeakMap<SkillCommand, string>()

const empty: readonly never[] = Object.freeze([])

/** Stands for the skill's folder in rules about tools. */
const folderVariable = '${CLAUDE_SKILL_DIR}'

/** Ignores case, because a layout may load `skill.md` too. */
const skillFile = /\/skill\.md$/i

// Bundled for `require()`, each import copies the module's exports, which takes as long as the digest.
let crypto: typeof import('node:crypto') | undefined

// A skill sets about three of two dozen fields. Getters made from the table of fields answer them when asked: setting
// all of them in each skill would take a good part of the time and memory of a load.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the static block below defines what it declares
export interface SkillCommand extends CommandFields {}

/** Command of a skill file. Reads its body only when it is invoked. */
export class SkillCommand implements PromptCommand {
  // Only declared: a field that is also defined would be set twice in every skill.
  declare readonly name: string
  declare readonly filePath: string | undefined
  declare readonly file: FileIdentity | undefined
  declare readonly contentLength: number
  readonly #context: SkillContext
  readonly #fields: SkillFields
  /** Text in place of a missing description. */
  readonly #fallback: string
  /** Path for messages. */
  readonly #path: string

  static {
    const own = new Set(['name', ...Object.getOwnPropertyNames(this.prototype)])
    for (const { property, otherwise } of fieldTable) {
      if (own.has(property)) continue
      Object.defineProperty(this.prototype, property, {
        configurable: true,
        get(this: SkillCommand) {
          return this.#fields[property] ?? otherwise
        },
      })
    }
  }

  /**
   * @param fields fields that the frontmatter sets; `name` is the display name already
   * @param fallback text in place of a missing description
   * @param bodyStart offset of the body in the file, in bytes
   * @param size bytes of the file
   */
  constructor(
    context: SkillContext,
    { name, path = name, identity, digest }: SkillFile,
    fields: SkillFields,
    fallback: string,
    bodyStart: number,
    size: number,
  ) {
    this.#context = context
    this.#fields = fields
    this.#fallback = fallback
    this.#path = path
    this.name = name
    this.filePath = identity && path
    this.file = identity
    this.contentLength = size - bodyStart
    if (digest !== undefined) digests.set(this, digest)
    if (fields.own !== undefined)
      for (const [property, value] of Object.entries(ownParts(fields.own, ownFieldsOf(context.place.layout?.fields))))
        Object.defineProperty(this, property, { value, enumerable: true })
  }

  /** Attaches to a skill the bytes that it was made of. Returns the same skill. */
  static withBytes(skill: SkillCommand, bytes: Buffer): SkillCommand {
    snapshots.set(skill, bytes)
    return skill
  }

  /** True, because its fields were read by their types. */
  get [soundFields](): true {
    return true
  }

  get [ownFields](): Readonly<Record<string, unknown>> {
    return this.#fields.own ?? {}
  }

  get description(): string {
    return this.#fields.description ?? this.#fallback
  }

  get isSnapshot(): boolean {
    return snapshots.has(this)
  }

  get type(): 'prompt' {
    return 'prompt'
  }

  get loadedFrom(): LoadedFrom {
    const { plugin, loadedFrom, layout } = this.#context.place
    return loadedFrom ?? (plugin !== undefined ? 'plugin' : layout?.holds === 'commands' ? 'commands' : 'skills')
  }

  /** Plugin that it belongs to. */
  get plugin(): SkillPlugin | undefined {
    return this.#context.place.plugin
  }

  get pluginName(): string | undefined {
    return this.plugin?.name
  }

  /**
   * Returns the value that `${name}` in the body has because of the skill's place, or undefined for any other name.
   * Throws like {@link SkillPlugin.resolveVariable}.
   */
  resolveVariable(name: string): string | undefined {
    return this.plugin?.resolveVariable(name)
  }

  /** A file in a folder of commands is a skill only if it is the SKILL.md of a folder of its own. */
  get isSkill(): boolean {
    return this.#context.place.layout?.holds !== 'commands' || skillFile.test(this.#path)
  }

  get progressMessage(): 'loading' | 'running' {
    return this.isSkill ? 'loading' : 'running'
  }

  get displayName(): string {
    return this.#fields.name ?? this.name
  }

  get aliases(): readonly string[] {
    const { name: own, aliases = empty } = this.#fields
    if (own === undefined || own === this.name || this.plugin === undefined) return aliases
    // A plugin's skill is named by its folder. The name in its file becomes an alias, so that people who know it find
    // the skill.
    const alias = `${this.name.slice(0, this.name.lastIndexOf(':') + 1)}${own}`
    return alias === this.name || aliases.includes(alias) ? aliases : [...aliases, alias]
  }

  get hasUserSpecifiedDescription(): boolean {
    return this.#fields.description !== undefined
  }

  /** Folder of the skill; a single file has none of its own. */
  get baseDir(): string | undefined {
    return this.isSkill && this.#context.place.isLocal !== false ? this.folder : undefined
  }

  /** Folder that its file lies in, its own or not. Undefined for a file without an identity. */
  get folder(): string | undefined {
    return this.filePath?.slice(0, this.filePath.lastIndexOf('/'))
  }

  get allowedTools(): readonly string[] {
    return this.#toolsHere(this.#fields.allowedTools ?? empty)
  }

  get disallowedTools(): readonly string[] {
    return this.#toolsHere(this.#fields.disallowedTools ?? empty)
  }

  /** Puts the skill's folder into rules about tools. A plugin has already done so when it was read. */
  #toolsHere(tools: readonly string[]): readonly string[] {
    if (
      this.#context.place.adapt !== undefined ||
      this.#context.place.isLocal === false ||
      this.folder === undefined ||
      !tools.some(tool => tool.includes(folderVariable))
    )
      return tools
    const written = pathInRule(this.folder)
    return written === undefined ? tools : tools.map(tool => tool.replaceAll(folderVariable, () => written))
  }

  get source(): SourceName {
    return this.#context.place.source
  }

  get qualifier(): string {
    return this.#context.place.qualifier ?? this.source
  }

  get isScoped(): boolean {
    return this.#context.place.isScoped === true
  }

  get isHidden(): boolean {
    return this.#fields.userInvocable === false || this.#context.place.layout?.hides === 'all'
  }

  isEnabled(): boolean {
    return true
  }

  /**
   * Reads the current body, without the frontmatter. Throws `E_FILE_CHANGED` if the file is gone or may no longer be
   * read, and `E_INVALID_SKILL` if it no longer parses.
   */
  async load(_args: string, call: CallContext): Promise<PromptBody> {
    const bytes = await this.bytes(call)
    return { template: bytes.toString('utf8', await this.#bodyStart(bytes)) }
  }

  /**
   * Returns the skill as it is now, with its bytes. Throws `E_FILE_CHANGED` and `E_INVALID_SKILL` like {@link load}.
   */
  async snapshot({ signal }: CallContext): Promise<SkillCommand> {
    if (this.isSnapshot) return this
    const { bytes, identity, sidecar } = await this.#read({ signal, for: 'invoke' })
    const { command, diagnostics } = await this.#context.reread(
      bytes,
      { name: this.name, path: this.#path, identity, sidecar },
      signal,
    )
    if (command === undefined) throw invalidSkill(this.name, this.#path, diagnostics)
    if (command.name !== this.name) {
      throw new SkillsError(
        'E_FILE_CHANGED',
        `The file of the skill "${this.name}" now has the name "${command.name}".`,
        { hint: 'List the skills again.' },
      )
    }
    return SkillCommand.withBytes(command, bytes)
  }

  async digest(call: CallContext): Promise<string> {
    const known = digests.get(this)
    if (known !== undefined) return known
    const bytes = await this.bytes(call, 'digest')
    const { createHash } = (crypto ??= await import('node:crypto'))
    const make = (): string => createHash('sha256').update(bytes).digest('hex')
    return this.#context.place.shared?.digest(bytes, make) ?? make()
  }

  /**
   * Returns the bytes of the whole file: for a snapshot those it was made of, otherwise the current ones. Throws like
   * {@link load}.
   */
  async bytes({ signal }: CallContext, use: SkillRead['for'] = 'invoke'): Promise<Buffer> {
    return snapshots.get(this) ?? (await this.#read({ signal, for: use })).bytes
  }

  /** Returns every field, for printing and comparing. */
  toJSON(): Record<string, unknown> {
    const printed = Object.fromEntries(printedKeys.map(key => [key, Reflect.get(this, key)]))
    return this.#fields.own === undefined ? printed : { ...printed, fields: this.#fields.own }
  }

  async #bodyStart(bytes: Buffer): Promise<number> {
    const { dialect } = this.#context.place.layout ?? {}
    const broken = checkText(bytes)
    // Another program's reader accepts such bytes, and the list has warned about them.
    if (broken !== undefined && !(typeof dialect === 'function' && broken.code === 'invalid-utf8'))
      throw invalidSkill(this.name, this.#path, [broken])
    if (typeof dialect === 'function') {
      const { loadParser, readOwn } = await import('./plain.js')
      await loadParser()
      const own = readOwn(dialect, bytes, true)
      if (own !== undefined && 'bodyStart' in own) return own.bodyStart
      throw invalidSkill(this.name, this.#path, own !== undefined && 'problems' in own ? own.problems : [])
    }
    const quick = dialect === 'lines' ? readLines(bytes, bytes.length, true) : readQuickHead(bytes, true)
    if (quick !== undefined) return quick.bodyStart
    const parsed = await (await import('./plain.js')).parseFrontmatter(bytes)
    if (!parsed.ok) throw invalidSkill(this.name, this.#path, parsed.diagnostics)
    return parsed.bodyStart
  }

  async #read(
    call: SkillRead,
  ): Promise<Extract<SkillBytes, { readonly bytes: Uint8Array }> & { readonly bytes: Buffer }> {
    const { name, file: identity } = this
    const read = await this.#context.place.read?.({ name, path: this.#path, identity }, call)
    if (read === undefined || 'problem' in read) {
      throw new SkillsError(
        'E_FILE_CHANGED',
        `The skill "${name}" can no longer be read: ${read?.problem.message ?? `${this.#path} is gone.`}`,
        { hint: read?.problem.hint ?? 'Restore the file, or list the skills again.' },
      )
    }
    return { ...read, bytes: bufferOf(read.bytes) }
  }
}

/** Returns true if a command was made from a skill file. */
export function isSkillCommand(command: unknown): command is SkillCommand {
  return command instanceof SkillCommand
}

/** Returns the same bytes as a Buffer. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Makes the error for a file that is not a valid skill, from the first error found in it. */
export function invalidSkill(name: string, path: string, diagnostics: readonly Diagnostic[]): SkillsError {
  const problem = diagnostics.find(({ severity }) => severity === 'error')
  const place = `${path}${problem?.line === undefined ? '' : `:${problem.line}`}`
  return new SkillsError(
    'E_INVALID_SKILL',
    `The skill "${name}" could not be read from ${place}: ${problem?.message ?? 'its frontmatter does not end.'}`,
    { hint: problem?.hint },
  )
}

const first = [
  'type',
  'name',
  'displayName',
  'aliases',
  'description',
  'hasUserSpecifiedDescription',
  'source',
  'loadedFrom',
  'pluginName',
  'baseDir',
  'filePath',
  'file',
  'contentLength',
  'isHidden',
  'isSkill',
  'progressMessage',
]
const printedKeys: readonly string[] = [
  ...first,
  ...fieldTable.map(({ property }): string => property).filter(property => !first.includes(property)),
]
