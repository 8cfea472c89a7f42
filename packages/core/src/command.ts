import type { Context, ShellName } from './command-words.js'
import type { Diagnostic } from './diagnostic.js'
import type { EveryCommandFields, PromptFields } from './fields/field-table.js'
import type { OwnField } from './fields/field.js'
import type { MaybePromise } from './promise.js'
import type { View } from './renderer.js'

/** Where a command comes from. Distributions may add names of their own. */
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
 * What commands may say besides inline and fork, bash and powershell: ids of the executors and shells that are
 * registered. And the fields that they may set besides those that everyone knows.
 */
export interface Words {
  readonly context: readonly Context[]
  readonly shell: readonly ShellName[]
  readonly fields?: readonly OwnField[] | undefined
}

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
  /**
   * Where the store has one: changes whenever the file does, as a digest or an object id. The other stamps say nothing
   * then.
   */
  readonly version?: string | undefined
}

/** Properties from the table of fields, and those that the engine adds. */
interface CommandBase extends EveryCommandFields {
  /** The key the command is invoked by. */
  readonly name: string
  readonly displayName: string
  readonly description: string
  /** Whether an author wrote the description, rather than the engine deriving it. */
  readonly hasUserSpecifiedDescription: boolean
  readonly source: SourceName
  readonly loadedFrom: LoadedFrom
  /** Not `userInvocable`. */
  readonly isHidden: boolean
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
  catalog(): Promise<CatalogView>
}

export interface UiContext extends LocalContext {
  render(view: View): Promise<void>
}

/** A command that produces content for the model. Every skill is one. */
export interface PromptCommand extends CommandBase, PromptFields {
  readonly type: 'prompt'
  readonly pluginName?: string | undefined
  /** Folder of the skill, absolute, forward slashes. */
  readonly baseDir?: string | undefined
  /** The file it was read from, absolute, forward slashes. */
  readonly filePath?: string | undefined
  /** Bytes of the body, known without reading it. */
  readonly contentLength: number
  readonly isSkill: boolean
  readonly progressMessage: 'loading' | 'running'
  /** Which file it was read from; absent for commands that have none. */
  readonly file?: FileIdentity | undefined
  /**
   * What precedes the name when a command of a higher source has it already, as `user` in `user:deploy`. Default: the
   * source.
   */
  readonly qualifier?: string | undefined
  /** Reads the body; nothing of it is kept in memory before. */
  load(args: string, ctx: CallContext): MaybePromise<PromptBody>
  /**
   * Reads the file once and gives the command that these bytes make: its fields, its body and its digest stay those of
   * one moment, also when the file changes later. An invocation is judged and run by it.
   */
  snapshot?(ctx: CallContext): MaybePromise<PromptCommand>
  /** Whether it is one: it has its bytes at hand, and its digest is of them. */
  readonly isSnapshot?: boolean | undefined
  /** Digest of the whole file, to tell whether two commands of one name are the same text. Read only on a clash. */
  digest?(ctx: CallContext): MaybePromise<string>
}

/** Anything invocable by name. See docs/reference/commands.md, "Commands". */
export type Command = LocalCommand | PromptCommand | LocalUiCommand

/**
 * What a host's user says of one command: `name-only` leaves its description out of the listing, `user-only` keeps it
 * from the model, `off` makes it as if it were not there, `pinned` lists it first and whole.
 */
export type Override = 'on' | 'name-only' | 'user-only' | 'off' | 'pinned'

export interface CatalogEntry {
  /** What it is invoked by; a qualified name, as `user:deploy`, when a higher source has the plain one. */
  readonly name: string
  readonly command: Command
  /** Id of the provider it came from. */
  readonly provider: string
  readonly override: Override
  /** Whether `name` is a qualified one. */
  readonly isQualified: boolean
  /** Why a gate keeps it out: a sentence. */
  readonly barred?: string | undefined
  /** Why a model is not told of it yet: a sentence of a gate. */
  readonly dormant?: string | undefined
  /**
   * Why its name could be taken for something else: a sentence. Unless an override names it, it is dormant for that.
   */
  readonly doubt?: string | undefined
}

/** Two commands that wanted one place in the catalog, as data: no log has to be searched. */
export interface Collision {
  readonly name: string
  /**
   * `same-file`: one file reached twice, or what counts as one. `same-text`: another file with the same bytes.
   * `precedence`: another text.
   */
  readonly rule: 'same-file' | 'same-text' | 'precedence'
  readonly winner: CatalogEntry
  readonly loser: { readonly command: Command; readonly provider: string }
  /** The qualified name the loser goes by instead. */
  readonly reachableAs?: string | undefined
  /** One sentence: why the winner won. */
  readonly reason: string
}

/** The catalog as a native command sees it. */
export interface CatalogView {
  /** Highest precedence first, then those with a qualified name. Without any that switched itself off meanwhile. */
  readonly entries: readonly CatalogEntry[]
  /** Commands that are switched off: by themselves, by an override, or by their source. */
  readonly disabled: readonly CatalogEntry[]
  readonly collisions: readonly Collision[]
  readonly errors: readonly Diagnostic[]
  /**
   * Those of the sources, and what only the whole catalog shows: names that could be taken for others, overrides of
   * nothing.
   */
  readonly warnings: readonly Diagnostic[]
  /** The entry of exactly this name. */
  get(name: string): CatalogEntry | undefined
  /** The entry a person means; `E_UNKNOWN_NAME` or `E_AMBIGUOUS_NAME` where there is not exactly one. */
  require(name: string): CatalogEntry
}
