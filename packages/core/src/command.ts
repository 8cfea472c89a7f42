import type { Context, ShellName } from './command-words.js'
import type { Diagnostic } from './diagnostic.js'
import type { EveryCommandFields, PromptFields } from './fields/field-table.js'
import type { OwnField } from './fields/field.js'
import type { MaybePromise } from './promise.js'
import type { View } from './renderer.js'

/** Source of a command. Distributions may add names of their own. */
export type SourceName =
  | 'managed'
  | 'user'
  | 'project'
  | 'additional'
  | 'plugin'
  | 'bundled'
  | 'mcp'
  | 'builtin'
  | (string & {})

export type LoadedFrom = 'skills' | 'commands' | 'plugin' | 'bundled' | 'mcp' | 'builtin'

/**
 * Values that commands may use besides the built-in ones: ids of registered executors and shells, and fields of the
 * configuration.
 */
export interface Words {
  readonly context: readonly Context[]
  readonly shell: readonly ShellName[]
  readonly fields?: readonly OwnField[] | undefined
}

export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }

/** Body of a prompt command: text to expand, or blocks that are sent unchanged. */
export type PromptBody = { readonly template: string } | { readonly blocks: readonly ContentBlock[] }

/** State of a command's file at the moment when it was read. */
export interface FileIdentity {
  /** Absolute path with every link resolved. */
  readonly realPath: string
  readonly dev: number
  readonly ino: number
  /** Size in bytes. */
  readonly size: number
  /** Milliseconds since the epoch, with fractions. */
  readonly mtimeMs: number
  readonly ctimeMs: number
  /**
   * Version in the store, such as a digest or an object id, which changes with the file. If present, the other stamps
   * are ignored.
   */
  readonly version?: string | undefined
}

/** Properties from the table of fields, and those that the engine adds. */
interface CommandBase extends EveryCommandFields {
  /** Key by which the command is invoked. */
  readonly name: string
  readonly displayName: string
  readonly description: string
  /** True if an author wrote the description, and the engine did not derive it. */
  readonly hasUserSpecifiedDescription: boolean
  readonly source: SourceName
  readonly loadedFrom: LoadedFrom
  /** Opposite of `userInvocable`. */
  readonly isHidden: boolean
  /** Returns false for a command that is in no list and cannot be looked up. */
  isEnabled(): boolean
}

/** Native handler that runs in the host process. */
export interface LocalCommand extends CommandBase {
  readonly type: 'local'
  /** Returns text for the user, nothing, or `skipQuery`: the model is not asked. */
  call(args: string, ctx: LocalContext): MaybePromise<LocalOutcome>
}

/** Native handler that renders through a renderer of the host. */
export interface LocalUiCommand extends CommandBase {
  readonly type: 'local-ui'
  call(args: string, ctx: UiContext): MaybePromise<void>
}

export type LocalOutcome = { readonly text: string } | { readonly skipQuery: true } | undefined

export interface CallContext {
  readonly signal: AbortSignal
}

export interface LocalContext extends CallContext {
  /** Returns all commands. */
  catalog(): Promise<CatalogView>
}

export interface UiContext extends LocalContext {
  render(view: View): Promise<void>
}

/** Command that produces content for the model. Every skill is one. */
export interface PromptCommand extends CommandBase, PromptFields {
  readonly type: 'prompt'
  readonly pluginName?: string | undefined
  /** Absolute path of the skill's folder, with forward slashes. */
  readonly baseDir?: string | undefined
  /** Absolute path of its file, with forward slashes. */
  readonly filePath?: string | undefined
  /** Bytes of the body, known without reading it. */
  readonly contentLength: number
  readonly isSkill: boolean
  readonly progressMessage: 'loading' | 'running'
  /** File that it was read from; absent for commands without a file. */
  readonly file?: FileIdentity | undefined
  /**
   * Prefix of the name if a command of a higher source has the plain one, such as `user` in `user:deploy`. Default: the
   * source.
   */
  readonly qualifier?: string | undefined
  /**
   * True for a skill of one folder of a project, named by its qualifier. If several have one name, none gets it: each is
   * called by its qualified name.
   */
  readonly isScoped?: boolean | undefined
  /** Reads the body. It is not kept in memory before. */
  load(args: string, ctx: CallContext): MaybePromise<PromptBody>
  /**
   * Reads the file once and returns the command made from these bytes. Its fields, body and digest stay of that moment,
   * even if the file changes later. An invocation is decided and run by it.
   */
  snapshot?(ctx: CallContext): MaybePromise<PromptCommand>
  /** True for a command that `snapshot` returned: it has its bytes, and its digest is theirs. */
  readonly isSnapshot?: boolean | undefined
  /** Returns the digest of the whole file, by which commands of the same name are compared. Called only on a clash. */
  digest?(ctx: CallContext): MaybePromise<string>
}

/** Command that is invoked by name. See docs/reference/commands.md, "Commands". */
export type Command = LocalCommand | PromptCommand | LocalUiCommand

/**
 * Setting of a host's user for one command. `name-only`: listings leave out its description; `user-only`: no listing
 * shows it to the model; `off`: the command is treated as missing; `pinned`: it is listed first and in full.
 */
export type Override = 'on' | 'name-only' | 'user-only' | 'off' | 'pinned'

export interface CatalogEntry {
  /** Name that it is invoked by; a qualified name, such as `user:deploy`, if a higher source has the plain one. */
  readonly name: string
  readonly command: Command
  /** Id of the provider that it comes from. */
  readonly provider: string
  readonly override: Override
  /** True if `name` is a qualified name. */
  readonly isQualified: boolean
  /** True if a large source has it and does not list it: it was asked for by its name. No listing shows it by itself. */
  readonly isFound?: boolean | undefined
  /** Sentence of a gate that keeps it out. */
  readonly barred?: string | undefined
  /** Sentence of a gate that says why a model is not told of it yet. */
  readonly dormant?: string | undefined
  /**
   * Sentence that says what else its name could be taken for. It is dormant for that reason, unless an override names
   * it.
   */
  readonly doubt?: string | undefined
}

/** Two commands that had the same name, file or text, so that only one could keep it. */
export interface Collision {
  readonly name: string
  /**
   * `same-file`: one file was reached twice, or another counts as it. `same-text`: another file with the same bytes.
   * `precedence`: another text.
   */
  readonly rule: 'same-file' | 'same-text' | 'precedence'
  readonly winner: CatalogEntry
  readonly loser: { readonly command: Command; readonly provider: string }
  /** Qualified name of the loser, if it has one. */
  readonly reachableAs?: string | undefined
  /** One sentence that says why the winner won. */
  readonly reason: string
}

/** Catalog as a native command sees it. */
export interface CatalogView {
  /**
   * Entries, the highest precedence first, then those with a qualified name. Commands that switched themselves off are
   * left out.
   */
  readonly entries: readonly CatalogEntry[]
  /** Commands that are switched off: by themselves, by an override, or by their source. */
  readonly disabled: readonly CatalogEntry[]
  readonly collisions: readonly Collision[]
  readonly errors: readonly Diagnostic[]
  /**
   * Warnings of the sources, and those of the whole catalog: names that could be taken for others, overrides without
   * effect.
   */
  readonly warnings: readonly Diagnostic[]
  /** Returns the entry with exactly this name. */
  get(name: string): CatalogEntry | undefined
  /**
   * Returns the entry that a person means. Throws `E_UNKNOWN_NAME` or `E_AMBIGUOUS_NAME` unless exactly one matches.
   */
  require(name: string): CatalogEntry
}
