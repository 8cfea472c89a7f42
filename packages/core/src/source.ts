import type { Command, SourceName } from './command.js'
import type { Diagnostic } from './diagnostic.js'
import type { MaybePromise } from './promise.js'

export interface SourceCall {
  /** Signal that aborts when the caller gives up, the time limit passes or the engine closes. */
  readonly signal: AbortSignal
  /**
   * Reports progress of a long scan, which restarts the source's time limit. `done` counts commands and errors so far.
   * @param found returns the results so far, which are kept if the source stops later; it may take a second
   */
  progress(done: number, found?: () => MaybePromise<LoadParts>): void
}

/** Fact that a provider knows of a name: one sentence, and where it comes from. */
export interface Note {
  readonly text: string
  readonly path?: string | undefined
  /** Id of the provider; the engine fills it in. */
  readonly provider?: string | undefined
}

/** Source of commands. See docs/reference/sources.md, "Sources". */
export interface Source {
  /** Word by which `precedence` orders sources, and which their commands carry. */
  readonly source: SourceName
  /** Returns all commands, in the source's own order of precedence, highest first. A missing folder is not an error. */
  list(call: SourceCall): MaybePromise<LoadResult>
  /**
   * Checks again what was listed: all of it, or only what is at or under `paths` (absolute). Returns undefined if
   * nothing changed. Without this method, the engine lists again.
   */
  refresh?(paths: readonly string[] | undefined, call: SourceCall): MaybePromise<LoadResult | undefined>
  /**
   * Returns absolute paths that its result depends on besides its places, such as a manifest. File watchers watch these
   * too.
   */
  watched?(): readonly string[]
  /** Returns what the source knows of a name, above all why it has no command of that name. */
  explain?(
    name: string,
    command: Command | undefined,
    call: { readonly signal: AbortSignal },
  ): MaybePromise<readonly Note[]>
}

/** Folder, server or module that a source looked at, with the result. */
export interface Place {
  readonly path: string
  /** State; a `skipped` place says why in `note`. */
  readonly state: 'read' | 'missing' | 'unreadable' | 'skipped'
  /** Number of commands that came from it. */
  readonly found: number
  readonly note?: string | undefined
}

/** Result of a source. A bad file never hides others: failures are in `errors`, the rest in `commands`. */
export interface LoadResult {
  readonly commands: readonly Command[]
  readonly errors: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
  readonly disabledPaths: readonly string[]
  readonly places: readonly Place[]
  /**
   * First words of names, such as `acme` in `acme:deploy`, that belong to this source even while it has no such
   * command. No other source may use them.
   */
  readonly qualifiers: readonly string[]
  readonly hasErrors: boolean
  readonly errorCount: number
  /** Sentence that says why there may be more; undefined if everything was looked at. */
  readonly incomplete?: string | undefined
  /** Returns the commands whose `baseDir` is not in `disabledPaths`. */
  enabled(): readonly Command[]
  /** Joins both results, this one's first. */
  merge(other: LoadResult): LoadResult
}

export type LoadParts = Partial<
  Pick<LoadResult, 'commands' | 'errors' | 'warnings' | 'disabledPaths' | 'places' | 'qualifiers' | 'incomplete'>
>

const none: readonly never[] = /* @__PURE__ */ Object.freeze([])

/** Makes a load result; a part that is left out is empty. See docs/reference/sources.md, "What a load gives". */
export function loadResult(parts: LoadParts): LoadResult {
  const {
    commands = none,
    errors = none,
    warnings = none,
    disabledPaths = none,
    places = none,
    qualifiers = none,
    incomplete,
  } = parts
  return {
    commands,
    errors,
    warnings,
    disabledPaths,
    places,
    qualifiers,
    incomplete,
    hasErrors: errors.length > 0,
    errorCount: errors.length,
    enabled() {
      if (disabledPaths.length === 0) return commands
      const disabled = new Set(disabledPaths)
      return commands.filter(
        command => command.type !== 'prompt' || command.baseDir === undefined || !disabled.has(command.baseDir),
      )
    },
    merge: other =>
      loadResult({
        commands: [...commands, ...other.commands],
        errors: [...errors, ...other.errors],
        warnings: [...warnings, ...other.warnings],
        disabledPaths: [...disabledPaths, ...other.disabledPaths],
        places: [...places, ...other.places],
        qualifiers: [...qualifiers, ...other.qualifiers],
        incomplete: incomplete ?? other.incomplete,
      }),
  }
}
