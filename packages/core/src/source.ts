import type { Command, SourceName } from './command.js'
import type { Diagnostic } from './diagnostic.js'
import type { MaybePromise } from './promise.js'

export interface SourceCall {
  /** Aborts when the caller gives up, the time limit passes or the engine closes. */
  readonly signal: AbortSignal
  /**
   * Tells how far a long scan is; `done` counts commands and errors so far. The time limit of the source begins anew.
   * @param found gives what was found so far, which stays when the source then stops; it has a second for it
   */
  progress(done: number, found?: () => MaybePromise<LoadParts>): void
}

/** Something a provider knows of a name: one sentence, and where it comes from. */
export interface Note {
  readonly text: string
  readonly path?: string | undefined
  /** Id of the provider; the engine fills it in. */
  readonly provider?: string | undefined
}

/** Where commands come from. See docs/reference/sources.md, "Sources". */
export interface Source {
  /** The word that `precedence` orders by and that commands carry. */
  readonly source: SourceName
  /** Everything there is, in the source's own order of precedence, highest first. A missing folder is not an error. */
  list(call: SourceCall): MaybePromise<LoadResult>
  /**
   * Looks again at what was listed: all of it, or only what lies at or under `paths` (absolute).
   * Gives undefined when nothing changed. Without it the engine lists anew.
   */
  refresh?(paths: readonly string[] | undefined, call: SourceCall): MaybePromise<LoadResult | undefined>
  /**
   * Absolute paths that its result depends on besides its places, such as a manifest: file watchers watch these too.
   */
  watched?(): readonly string[]
  /** What the source knows of a name, above all why there is no command of that name. */
  explain?(
    name: string,
    command: Command | undefined,
    call: { readonly signal: AbortSignal },
  ): MaybePromise<readonly Note[]>
}

/** One folder (or server, or module) a source looked at, and how that went. */
export interface Place {
  readonly path: string
  /** `skipped` places say why in `note`. */
  readonly state: 'read' | 'missing' | 'unreadable' | 'skipped'
  /** Commands that came from it. */
  readonly found: number
  readonly note?: string | undefined
}

/** What a source found. One bad file never hides another: what failed stands in `errors`, the rest in `commands`. */
export interface LoadResult {
  readonly commands: readonly Command[]
  readonly errors: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
  readonly disabledPaths: readonly string[]
  readonly places: readonly Place[]
  /**
   * First words of names, as `acme` in `acme:deploy`, that belong to what it knows, also while there is no command of
   * it: nothing else may use them.
   */
  readonly qualifiers: readonly string[]
  readonly hasErrors: boolean
  readonly errorCount: number
  /** Why there may be more than this: a sentence. Undefined when everything was looked at. */
  readonly incomplete?: string | undefined
  /** The commands whose `baseDir` is not in `disabledPaths`. */
  enabled(): readonly Command[]
  /** Both results in one, this one's first. */
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
