import { SkillsError, soundFields, type CallContext, type Context, type Diagnostic, type Effort, type FileIdentity, type PromptBody, type PromptCommand, type ShellName, type SourceName } from '@skills/core'
import { isSameFile, readWholeFile, type FoundFile, type WholeFile } from '@skills/fs'
import type { Store } from '@skills/store'
import { checkText, parseHead, readFlatSkill, readLines, readRest, textInRest, toolsInRest, type FieldOptions, type SkillFields } from '@skills/skill-md'
import { pathInRule } from './path-in-rule.js'
import type { Layout, SkillPlugin, SkillRoot } from './layout.js'

/** What the skills of one root share. */
export interface RootContext {
  readonly root: SkillRoot
  readonly source: SourceName
  readonly qualifier: string
  readonly layout?: Layout | undefined
  /** How fields are read. */
  readonly fields?: FieldOptions | undefined
  /** Told of a path whose file is no longer as it was listed. */
  readonly onChanged: (path: string) => void
  /** The skill that the bytes of a file make now. Throws `E_INVALID_SKILL` where they make none. */
  readonly reread: (file: FoundFile, whole: ReadFile, signal: AbortSignal) => Promise<FileSkill>
  /** Where the files are: an invocation always reads its file. */
  readonly store: Store
  /** The same for a catalog, which may have read them before. */
  readonly catalogStore: Store
}

/** A file that was read whole. */
export type ReadFile = Extract<WholeFile, { readonly bytes: Buffer }>

/** The bytes of skills that are snapshots: few are, so that the others need no field for it. */
const snapshots = new WeakMap<FileSkill, Buffer>()

const empty: readonly never[] = Object.freeze([])
const noMetadata: Readonly<Record<string, unknown>> = Object.freeze({})

/** Stands for the skill's folder in rules about tools. */
const folderVariable = '${CLAUDE_SKILL_DIR}'

/** The fields of a skill, however they are kept. */
export type GivenFields = { readonly [Name in keyof SkillFields]?: SkillFields[Name] | undefined } & {
  /** Whether there is a description, where that is known without having it at hand: every listing asks all skills for it. */
  readonly hasDescription?: boolean
  /** Lines with further fields, which are read when somebody asks for one of them. */
  readonly rest?: string | undefined
}

/** A skill of a file. Its body is read when it is invoked, never before. */
export class FileSkill implements PromptCommand {
  // Declared alone: a field that is also defined would be set twice in every skill.
  declare readonly name: string
  declare readonly filePath: string
  declare readonly file: FileIdentity
  declare readonly contentLength: number
  readonly #context: RootContext
  #fields: GivenFields
  /** What stands in for a description. */
  readonly #fallback: string

  /**
   * @param fields what the frontmatter sets; `name` is the display name already
   * @param fallback what stands in for a description where the author gives none
   * @param bodyStart offset of the body in the file, in bytes
   */
  constructor(context: RootContext, { name, path, identity }: FoundFile, fields: GivenFields, fallback: string, bodyStart: number) {
    this.#context = context
    this.#fields = fields
    this.#fallback = fallback
    this.name = name
    this.filePath = path
    this.file = identity
    this.contentLength = identity.size - bodyStart
  }

  // Of two dozen fields a skill sets three or so: the others are answered when asked, since setting them all in each skill
  // would be a good part of the time and the memory of a load.

  /** Its fields were read by their types. To ask each would read what waits. */
  get [soundFields](): true {
    return true
  }

  get description(): string {
    return this.#fields.description ?? this.#fallback
  }

  /** The fields with those that wait until they are asked for. */
  get #allFields(): GivenFields {
    const { rest } = this.#fields
    if (rest !== undefined) this.#fields = { ...readRest(rest, this.#context.fields), ...this.#fields, rest: undefined }
    return this.#fields
  }

  #textOf(field: 'version' | 'license' | 'compatibility'): string | undefined {
    const { rest, [field]: text } = this.#fields
    return rest === undefined ? text : textInRest(rest, field, this.#context.fields)
  }

  get isSnapshot(): boolean {
    return snapshots.has(this)
  }

  get type(): 'prompt' {
    return 'prompt'
  }

  get loadedFrom(): 'skills' | 'commands' | 'plugin' {
    return this.plugin === undefined ? 'skills' : 'plugin'
  }

  /** The plugin it came with. */
  get plugin(): SkillPlugin | undefined {
    return this.#context.root.plugin
  }

  get pluginName(): string | undefined {
    return this.plugin?.name
  }

  /** What `${name}` in the body stands for because of where the skill is; undefined for any other name. Throws as {@link SkillPlugin.resolveVariable} does. */
  resolveVariable(name: string): string | undefined {
    return this.plugin?.resolveVariable(name)
  }

  get isSkill(): boolean {
    return true
  }

  get progressMessage(): 'loading' | 'running' {
    return 'loading'
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
    return this.#fields.hasDescription ?? this.#fields.description !== undefined
  }

  get whenToUse(): string | undefined {
    return this.#fields.whenToUse
  }

  get argumentHint(): string | undefined {
    return this.#fields.argumentHint
  }

  get argumentNames(): readonly string[] {
    return this.#fields.argumentNames ?? empty
  }

  get version(): string | undefined {
    return this.#textOf('version')
  }

  get license(): string | undefined {
    return this.#textOf('license')
  }

  get compatibility(): string | undefined {
    return this.#textOf('compatibility')
  }

  get baseDir(): string | undefined {
    return this.#context.store.id === 'disk' ? this.folder : undefined
  }

  /** The folder its file lies in, be it its own or not. */
  get folder(): string {
    return this.filePath.slice(0, this.filePath.lastIndexOf('/'))
  }

  get allowedTools(): readonly string[] {
    const { rest, allowedTools } = this.#fields
    if (rest === undefined || allowedTools !== undefined) return this.#toolsHere(allowedTools ?? empty)
    const tools = toolsInRest(rest, this.#context.fields) ?? empty
    // The same list each time: whoever compiles its rules knows them by it.
    if (tools !== empty) this.#fields = { ...this.#fields, allowedTools: tools }
    return this.#toolsHere(tools)
  }

  get disallowedTools(): readonly string[] {
    return this.#toolsHere(this.#fields.disallowedTools ?? empty)
  }

  /** Rules with the skill's folder in them, put there only when somebody asks for them. A plugin has done so already, as it was read. */
  #toolsHere(tools: readonly string[]): readonly string[] {
    if (this.#context.root.adapt !== undefined || !tools.some(tool => tool.includes(folderVariable))) return tools
    const written = pathInRule(this.folder)
    return written === undefined ? tools : tools.map(tool => tool.replaceAll(folderVariable, () => written))
  }

  get model(): string | undefined {
    return this.#fields.model
  }

  get effort(): Effort | undefined {
    return this.#fields.effort
  }

  get context(): Context {
    return this.#fields.context ?? 'inline'
  }

  get agent(): string | undefined {
    return this.#fields.agent
  }

  get background(): boolean | undefined {
    return this.#fields.background
  }

  get paths(): readonly string[] {
    return this.#fields.paths ?? empty
  }

  get shell(): ShellName {
    return this.#fields.shell ?? 'bash'
  }

  get onShellError(): 'abort' | 'inline' | 'skip' | undefined {
    return this.#fields.onShellError
  }

  get hooks(): unknown {
    return this.#fields.hooks
  }

  get requires(): readonly string[] {
    return this.#fields.requires ?? empty
  }

  get userInvocable(): boolean {
    return this.#fields.userInvocable ?? true
  }

  get disableModelInvocation(): boolean {
    return this.#fields.disableModelInvocation ?? false
  }

  get metadata(): Readonly<Record<string, unknown>> {
    return this.#allFields.metadata ?? noMetadata
  }

  get source(): SourceName {
    return this.#context.source
  }

  get qualifier(): string {
    return this.#context.qualifier
  }

  get isHidden(): boolean {
    return this.#fields.userInvocable === false || this.#context.layout?.hides === 'all'
  }

  isEnabled(): boolean {
    return true
  }

  /**
   * Reads the body as it is now, with the frontmatter cut off.
   * Throws `E_FILE_CHANGED` when the file is gone or may no longer be read, `E_INVALID_SKILL` when it no longer parses.
   */
  async load(_args: string, { signal }: CallContext): Promise<PromptBody> {
    const bytes = snapshots.get(this) ?? (await this.#read(signal)).bytes
    const parsed = await this.#parse(bytes)
    if (!('ok' in parsed) || !parsed.ok) {
      throw invalidSkill(this.name, this.filePath, 'diagnostics' in parsed ? parsed.diagnostics : empty)
    }
    return { template: bytes.toString('utf8', parsed.bodyStart) }
  }

  /** Throws `E_FILE_CHANGED` and `E_INVALID_SKILL` as {@link load} does. */
  async snapshot({ signal }: CallContext): Promise<FileSkill> {
    if (this.isSnapshot) return this
    const file = await this.#read(signal)
    const { name, folder, filePath: path } = this
    const skill = await this.#context.reread({ name, folder, path, identity: file.identity }, file, signal)
    if (skill.name !== name) {
      throw new SkillsError('E_FILE_CHANGED', `The skill "${name}" calls itself "${skill.name}" by now.`, { hint: 'List the skills again.' })
    }
    snapshots.set(skill, file.bytes)
    return skill
  }

  async digest({ signal }: CallContext): Promise<string> {
    const { createHash } = await import('node:crypto')
    const bytes = snapshots.get(this) ?? (await this.#read(signal, this.#context.catalogStore)).bytes
    return createHash('sha256').update(bytes).digest('hex')
  }

  /** Every field, for printing and comparing. */
  toJSON(): Record<string, unknown> {
    return Object.fromEntries(printed.map(key => [key, this[key]]))
  }

  async #parse(bytes: Buffer) {
    const broken = checkText(bytes)
    if (this.#context.layout?.dialect !== 'lines') {
      // The full parser takes many times as long, for the same answer.
      const flat = broken === undefined ? readFlatSkill(bytes, bytes.length, true, undefined, true) : undefined
      return flat === undefined ? parseHead(bytes, { whole: true, checkBody: true }) : { ok: true as const, bodyStart: flat.bodyStart }
    }
    return broken === undefined ? readLines(bytes, bytes.length, true) ?? { needMore: true as const } : { ok: false as const, diagnostics: [broken] }
  }

  async #read(signal: AbortSignal, store = this.#context.store): Promise<ReadFile> {
    const file = await readWholeFile(this.filePath, { within: this.#context.root.within, signal, store })
    if (file === undefined || 'problem' in file) {
      this.#context.onChanged(this.filePath)
      throw new SkillsError('E_FILE_CHANGED', `The skill "${this.name}" cannot be read any more: ${file?.problem.message ?? `${this.filePath} is gone.`}`, {
        hint: file?.problem.hint ?? 'Restore the file, or list the skills again.',
      })
    }
    if (!isSameFile(file.identity, this.file)) this.#context.onChanged(this.filePath)
    return file
  }
}

/** Why a file makes no skill: the first error that was found in it. */
export function invalidSkill(name: string, path: string, diagnostics: readonly Diagnostic[]): SkillsError {
  const problem = diagnostics.find(({ severity }) => severity === 'error')
  const place = `${path}${problem?.line === undefined ? '' : `:${problem.line}`}`
  return new SkillsError('E_INVALID_SKILL', `The skill "${name}" could not be read from ${place}: ${problem?.message ?? 'it does not end.'}`, {
    hint: problem?.hint,
  })
}

const printed = [
  'type', 'name', 'displayName', 'aliases', 'description', 'hasUserSpecifiedDescription', 'whenToUse', 'argumentHint', 'argumentNames', 'version',
  'license', 'compatibility', 'source', 'loadedFrom', 'pluginName', 'baseDir', 'filePath', 'file', 'contentLength', 'allowedTools', 'disallowedTools', 'model', 'effort',
  'context', 'agent', 'background', 'paths', 'shell', 'onShellError', 'hooks', 'requires', 'userInvocable', 'disableModelInvocation', 'isHidden',
  'isSkill', 'progressMessage', 'metadata',
] as const
