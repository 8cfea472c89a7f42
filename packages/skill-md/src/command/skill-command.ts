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

/** What became of a file's bytes. */
export interface SkillReading {
  /** Undefined where an error is among the diagnostics. */
  readonly command: SkillCommand | undefined
  /** With the file's path and name; the same empty list wherever there are none. */
  readonly diagnostics: readonly Diagnostic[]
}

/** What the skills of one place share. */
export interface SkillContext {
  readonly place: SkillPlace
  /** Reads the bytes of a whole file anew. */
  readonly reread: (bytes: Uint8Array, file: SkillFile, signal: AbortSignal) => SkillReading | Promise<SkillReading>
}

/**
 * The bytes of skills that are snapshots, and digests that were known at once: few skills have either, so that the
 * others need no field for it.
 */
const snapshots = new WeakMap<SkillCommand, Buffer>()
const digests = new WeakMap<SkillCommand, string>()

const empty: readonly never[] = Object.freeze([])

/** Stands for the skill's folder in rules about tools. */
const folderVariable = '${CLAUDE_SKILL_DIR}'

/** In whichever case: a layout may load `skill.md` too. */
const skillFile = /\/skill\.md$/i

// Bundled for `require()`, each import copies what the module exports: as much work as the digest.
let crypto: typeof import('node:crypto') | undefined

// Of two dozen fields a skill sets three or so: they are answered when asked, by getters that come from the table of
// fields, since setting them all in each skill would be a good part of the time and the memory of a load.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the static block below defines what it declares
export interface SkillCommand extends CommandFields {}

/** The command of a skill file. Its body is read when it is invoked, never before. */
export class SkillCommand implements PromptCommand {
  // Declared alone: a field that is also defined would be set twice in every skill.
  declare readonly name: string
  declare readonly filePath: string | undefined
  declare readonly file: FileIdentity | undefined
  declare readonly contentLength: number
  readonly #context: SkillContext
  readonly #fields: SkillFields
  /** What stands in for a description. */
  readonly #fallback: string
  /** Where it is, for messages. */
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
   * @param fields what the frontmatter sets; `name` is the display name already
   * @param fallback what stands in for a description where the author gives none
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

  /** The very same skill, with the bytes that it was made of. */
  static withBytes(skill: SkillCommand, bytes: Buffer): SkillCommand {
    snapshots.set(skill, bytes)
    return skill
  }

  /** Its fields were read by their types. */
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

  /** The plugin it came with. */
  get plugin(): SkillPlugin | undefined {
    return this.#context.place.plugin
  }

  get pluginName(): string | undefined {
    return this.plugin?.name
  }

  /**
   * What `${name}` in the body stands for because of where the skill is; undefined for any other name. Throws as {@link
   * SkillPlugin.resolveVariable} does.
   */
  resolveVariable(name: string): string | undefined {
    return this.plugin?.resolveVariable(name)
  }

  /** The very same file in a folder of commands would be one, unless its folder is its own. */
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
    if (own === undefined || this.plugin === undefined) return aliases
    // A plugin's skill goes by its folder; who knows the name in its file finds it by that too.
    const alias = `${this.name.slice(0, this.name.lastIndexOf(':') + 1)}${own}`
    return alias === this.name || aliases.includes(alias) ? aliases : [...aliases, alias]
  }

  get hasUserSpecifiedDescription(): boolean {
    return this.#fields.description !== undefined
  }

  /** A file by itself has no folder of its own. */
  get baseDir(): string | undefined {
    return this.isSkill && this.#context.place.isLocal !== false ? this.folder : undefined
  }

  /** The folder its file lies in, be it its own or not; undefined for one without an identity. */
  get folder(): string | undefined {
    return this.filePath?.slice(0, this.filePath.lastIndexOf('/'))
  }

  get allowedTools(): readonly string[] {
    return this.#toolsHere(this.#fields.allowedTools ?? empty)
  }

  get disallowedTools(): readonly string[] {
    return this.#toolsHere(this.#fields.disallowedTools ?? empty)
  }

  /** Rules with the skill's folder in them, put there on use. A plugin has done so already, as it was read. */
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

  get isHidden(): boolean {
    return this.#fields.userInvocable === false || this.#context.place.layout?.hides === 'all'
  }

  isEnabled(): boolean {
    return true
  }

  /**
   * Reads the body as it is now, with the frontmatter cut off.
   * Throws `E_FILE_CHANGED` when the file is gone or may no longer be read, `E_INVALID_SKILL` when it no longer parses.
   */
  async load(_args: string, call: CallContext): Promise<PromptBody> {
    const bytes = await this.bytes(call)
    return { template: bytes.toString('utf8', await this.#bodyStart(bytes)) }
  }

  /** Throws `E_FILE_CHANGED` and `E_INVALID_SKILL` as {@link load} does. */
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
      throw new SkillsError('E_FILE_CHANGED', `The skill "${this.name}" calls itself "${command.name}" by now.`, {
        hint: 'List the skills again.',
      })
    }
    return SkillCommand.withBytes(command, bytes)
  }

  async digest(call: CallContext): Promise<string> {
    const known = digests.get(this)
    if (known !== undefined) return known
    crypto ??= await import('node:crypto')
    return crypto
      .createHash('sha256')
      .update(await this.bytes(call, 'digest'))
      .digest('hex')
  }

  /** The whole file: of a snapshot what it was made of, else as it is now. Throws as {@link load} does. */
  async bytes({ signal }: CallContext, use: SkillRead['for'] = 'invoke'): Promise<Buffer> {
    return snapshots.get(this) ?? (await this.#read({ signal, for: use })).bytes
  }

  /** Every field, for printing and comparing. */
  toJSON(): Record<string, unknown> {
    const printed = Object.fromEntries(printedKeys.map(key => [key, Reflect.get(this, key)]))
    return this.#fields.own === undefined ? printed : { ...printed, fields: this.#fields.own }
  }

  async #bodyStart(bytes: Buffer): Promise<number> {
    const { dialect, fences } = this.#context.place.layout ?? {}
    const broken = checkText(bytes)
    // A program with a reader of its own takes such bytes, as the list has warned.
    if (broken !== undefined && !(typeof dialect === 'function' && broken.code === 'invalid-utf8'))
      throw invalidSkill(this.name, this.#path, [broken])
    if (fences === 'first') return (await import('./plain.js')).bodyStartOf(bytes)
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
        `The skill "${name}" cannot be read any more: ${read?.problem.message ?? `${this.#path} is gone.`}`,
        { hint: read?.problem.hint ?? 'Restore the file, or list the skills again.' },
      )
    }
    return { ...read, bytes: bufferOf(read.bytes) }
  }
}

/** Whether a command is one of a skill file. */
export function isSkillCommand(command: unknown): command is SkillCommand {
  return command instanceof SkillCommand
}

/** The same bytes with a buffer's methods. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Why a file makes no skill: the first error that was found in it. */
export function invalidSkill(name: string, path: string, diagnostics: readonly Diagnostic[]): SkillsError {
  const problem = diagnostics.find(({ severity }) => severity === 'error')
  const place = `${path}${problem?.line === undefined ? '' : `:${problem.line}`}`
  return new SkillsError(
    'E_INVALID_SKILL',
    `The skill "${name}" could not be read from ${place}: ${problem?.message ?? 'it does not end.'}`,
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
