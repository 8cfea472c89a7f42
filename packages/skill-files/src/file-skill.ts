import { SkillsError, type CallContext, type Effort, type FileIdentity, type PromptBody, type PromptCommand, type SourceName } from '@skills/core'
import { readWholeFile, type FoundFile } from '@skills/fs'
import { loadParser, type SkillFields } from '@skills/frontmatter'
import type { SkillRoot } from './layout.js'

/** What the skills of one root share. */
export interface RootContext {
  readonly root: SkillRoot
  readonly source: SourceName
  readonly qualifier: string
  /** Told of a path whose file is no longer as it was listed. */
  readonly onChanged: (path: string) => void
}

const empty: readonly never[] = Object.freeze([])
const noMetadata: Readonly<Record<string, unknown>> = Object.freeze({})

/** A skill of a file. Its body is read when it is invoked, never before. */
export class FileSkill implements PromptCommand {
  readonly type = 'prompt'
  readonly loadedFrom = 'skills'
  readonly isSkill = true
  readonly progressMessage = 'loading'
  // Declared alone: a field that is also defined would be set twice in every skill.
  declare readonly name: string
  declare readonly displayName: string
  declare readonly aliases: readonly string[]
  declare readonly description: string
  declare readonly hasUserSpecifiedDescription: boolean
  declare readonly whenToUse: string | undefined
  declare readonly argumentHint: string | undefined
  declare readonly argumentNames: readonly string[]
  declare readonly version: string | undefined
  declare readonly license: string | undefined
  declare readonly compatibility: string | undefined
  declare readonly baseDir: string
  declare readonly filePath: string
  declare readonly file: FileIdentity
  declare readonly contentLength: number
  declare readonly allowedTools: readonly string[]
  declare readonly disallowedTools: readonly string[]
  declare readonly model: string | undefined
  declare readonly effort: Effort | undefined
  declare readonly context: 'inline' | 'fork'
  declare readonly agent: string | undefined
  declare readonly background: boolean | undefined
  declare readonly paths: readonly string[]
  declare readonly shell: 'bash' | 'powershell'
  declare readonly onShellError: 'abort' | 'inline' | 'skip' | undefined
  declare readonly hooks: unknown
  declare readonly requires: readonly string[]
  declare readonly userInvocable: boolean
  declare readonly disableModelInvocation: boolean
  declare readonly metadata: Readonly<Record<string, unknown>>
  readonly #context: RootContext

  /**
   * @param fallback stands in for a description that nobody wrote
   * @param bodyStart offset of the body in the file, in bytes
   * @param isModelBarred whether a file beside the skill keeps the model from invoking it
   */
  constructor(context: RootContext, found: FoundFile, fields: SkillFields, displayName: string, fallback: string, bodyStart: number, isModelBarred: boolean) {
    this.#context = context
    this.name = found.name
    this.displayName = displayName
    this.aliases = fields.aliases ?? empty
    this.description = fields.description ?? fallback
    this.hasUserSpecifiedDescription = fields.description !== undefined
    this.whenToUse = fields.whenToUse
    this.argumentHint = fields.argumentHint
    this.argumentNames = fields.argumentNames ?? empty
    this.version = fields.version
    this.license = fields.license
    this.compatibility = fields.compatibility
    this.baseDir = found.folder
    this.filePath = found.path
    this.file = found.identity
    this.contentLength = found.identity.size - bodyStart
    this.allowedTools = fields.allowedTools ?? empty
    this.disallowedTools = fields.disallowedTools ?? empty
    this.model = fields.model
    this.effort = fields.effort
    this.context = fields.context ?? 'inline'
    this.agent = fields.agent
    this.background = fields.background
    this.paths = fields.paths ?? empty
    this.shell = fields.shell ?? 'bash'
    this.onShellError = fields.onShellError
    this.hooks = fields.hooks
    this.requires = fields.requires ?? empty
    this.userInvocable = fields.userInvocable ?? true
    this.disableModelInvocation = isModelBarred || (fields.disableModelInvocation ?? false)
    this.metadata = fields.metadata ?? noMetadata
  }

  // What a whole root shares, and what follows from other fields, takes no room in each skill.

  get source(): SourceName {
    return this.#context.source
  }

  get qualifier(): string {
    return this.#context.qualifier
  }

  get isHidden(): boolean {
    return !this.userInvocable
  }

  isEnabled(): boolean {
    return true
  }

  /**
   * Reads the body as it is now, with the frontmatter cut off.
   * Throws `E_FILE_CHANGED` when the file is gone or may no longer be read, `E_INVALID_SKILL` when it no longer parses.
   */
  async load(_args: string, { signal }: CallContext): Promise<PromptBody> {
    const bytes = await this.#read(signal)
    const parsed = (await loadParser()).parse(bytes, { whole: true, checkBody: true })
    if (!('ok' in parsed) || !parsed.ok) {
      const problem = 'ok' in parsed ? parsed.diagnostics.find(({ severity }) => severity === 'error') : undefined
      throw new SkillsError('E_INVALID_SKILL', `The skill "${this.name}" could not be read from ${this.filePath}${problem?.line === undefined ? '' : `:${problem.line}`}: ${problem?.message ?? 'it does not end.'}`, { hint: problem?.hint })
    }
    return { template: bytes.toString('utf8', parsed.bodyStart) }
  }

  async digest({ signal }: CallContext): Promise<string> {
    const { createHash } = await import('node:crypto')
    return createHash('sha256').update(await this.#read(signal)).digest('hex')
  }

  /** Own and shared fields alike, for printing. */
  toJSON(): Record<string, unknown> {
    return Object.fromEntries([...Object.entries(this), ['source', this.source], ['isHidden', this.isHidden]])
  }

  async #read(signal: AbortSignal): Promise<Buffer> {
    const file = await readWholeFile(this.filePath, { within: this.#context.root.within, signal })
    if (file === undefined || 'problem' in file) {
      this.#context.onChanged(this.filePath)
      throw new SkillsError('E_FILE_CHANGED', `The skill "${this.name}" cannot be read any more: ${file?.problem.message ?? `${this.filePath} is gone.`}`, {
        hint: file?.problem.hint ?? 'Restore the file, or list the skills again.',
      })
    }
    const { size, mtimeMs, ino } = file.identity
    if (size !== this.file.size || mtimeMs !== this.file.mtimeMs || ino !== this.file.ino) this.#context.onChanged(this.filePath)
    return file.bytes
  }
}
