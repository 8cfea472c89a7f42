import type { Catalog } from './catalog.js'
import type { MaybePromise } from './promise.js'
import type { View } from './renderer.js'

/** Where a command comes from. Distributions may add names of their own. */
export type SourceName =
  | 'managed' | 'user' | 'project' | 'additional' | 'plugin' | 'bundled' | 'mcp' | 'builtin'
  | (string & {})

export type LoadedFrom = 'skills' | 'commands' | 'plugin' | 'bundled' | 'mcp' | 'builtin'

export type Effort = 'low' | 'medium' | 'high' | 'xhigh' | 'max' | number

export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }

/** What a prompt command's body is: text still to be expanded, or blocks that no expander sees. */
export type PromptBody = { readonly template: string } | { readonly blocks: readonly ContentBlock[] }

/** Which file a command was read from, as it was at that moment. */
export interface FileIdentity {
  /** Absolute path with every link resolved. */
  readonly realPath: string
  readonly dev: number
  readonly ino: number
  /** Bytes. */
  readonly size: number
  /** Milliseconds since the epoch, with fractions. */
  readonly mtimeMs: number
  readonly ctimeMs: number
  /** Where the store has one: changes whenever the file does, as a digest or an object id. The other stamps say nothing then. */
  readonly version?: string | undefined
}

interface CommandBase {
  /** The key the command is invoked by. */
  readonly name: string
  readonly displayName: string
  readonly aliases: readonly string[]
  readonly description: string
  /** Whether an author wrote the description, rather than the engine deriving it. */
  readonly hasUserSpecifiedDescription: boolean
  readonly source: SourceName
  readonly loadedFrom: LoadedFrom
  readonly version?: string | undefined
  readonly userInvocable: boolean
  /** Not `userInvocable`. */
  readonly isHidden: boolean
  readonly argumentHint?: string | undefined
  /** A command that answers false is nowhere: in no list, and it cannot be looked up. */
  isEnabled(): boolean
}

/** A native handler that runs in the host process. */
export interface LocalCommand extends CommandBase {
  readonly type: 'local'
  /** Text for the user, nothing, or that the model is not to be asked. */
  call(args: string, ctx: LocalContext): MaybePromise<LocalOutcome>
}

/** A native handler that renders through a renderer the host registers. */
export interface LocalUiCommand extends CommandBase {
  readonly type: 'local-ui'
  call(args: string, ctx: UiContext): MaybePromise<void>
}

export type LocalOutcome = { readonly text: string } | { readonly skipQuery: true } | undefined

export interface CallContext {
  readonly signal: AbortSignal
}

export interface LocalContext extends CallContext {
  /** Every command there is. */
  catalog(): Promise<Catalog>
}

export interface UiContext extends LocalContext {
  render(view: View): Promise<void>
}

/** A command that produces content for the model. Every skill is one. */
export interface PromptCommand extends CommandBase {
  readonly type: 'prompt'
  readonly whenToUse?: string | undefined
  readonly argumentNames: readonly string[]
  readonly pluginName?: string | undefined
  /** Folder of the skill, absolute, forward slashes. */
  readonly baseDir?: string | undefined
  /** The file it was read from, absolute, forward slashes. */
  readonly filePath?: string | undefined
  /** Bytes of the body, known without reading it. */
  readonly contentLength: number
  readonly allowedTools: readonly string[]
  readonly disallowedTools: readonly string[]
  /** Undefined means: inherit. */
  readonly model?: string | undefined
  readonly effort?: Effort | undefined
  readonly context: 'inline' | 'fork'
  readonly agent?: string | undefined
  readonly background?: boolean | undefined
  readonly paths: readonly string[]
  readonly shell: 'bash' | 'powershell'
  readonly onShellError?: 'abort' | 'inline' | 'skip' | undefined
  readonly hooks?: unknown
  readonly requires: readonly string[]
  readonly license?: string | undefined
  readonly compatibility?: string | undefined
  readonly disableModelInvocation: boolean
  readonly isSkill: boolean
  readonly progressMessage: 'loading' | 'running'
  /** Every other frontmatter key, as it was written. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** Which file it was read from; absent for commands that have none. */
  readonly file?: FileIdentity | undefined
  /** What precedes the name when a command of a higher source has it already, as `user` in `user:deploy`. Default: the source. */
  readonly qualifier?: string | undefined
  /** Reads the body; nothing of it is kept in memory before. */
  load(args: string, ctx: CallContext): MaybePromise<PromptBody>
  /**
   * Reads the file once and gives the command that these bytes make: its fields, its body and its digest stay those of one moment,
   * whatever becomes of the file. An invocation is judged and run by it.
   */
  snapshot?(ctx: CallContext): MaybePromise<PromptCommand>
  /** Whether it is one: it has its bytes at hand, and its digest is of them. */
  readonly isSnapshot?: boolean | undefined
  /** Digest of the whole file, to tell whether two commands of one name are the same text. Read only on a clash. */
  digest?(ctx: CallContext): MaybePromise<string>
}

/** Anything invocable by name. See docs/reference.md, "Commands". */
export type Command = LocalCommand | PromptCommand | LocalUiCommand
