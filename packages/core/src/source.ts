import { messageOf } from './error.js'
import { fieldTable } from './fields/field-table.js'
import { flag, oneOf, shapeOf, text, type Shape } from './fields/field.js'
import { shownName } from './name.js'
import { isTurnDue, turn } from './host.js'
import type { Command, SourceName, Words } from './command.js'
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

/** Fact that a provider knows about a name: one sentence, and the place where the fact comes from. */
export interface Note {
  readonly text: string
  readonly path?: string | undefined
  /** Id of the provider; the engine fills it in. */
  readonly provider?: string | undefined
}

/** Command that a search found. A higher score is better; scores of two answers cannot be compared. */
export interface FoundCommand {
  readonly command: Command
  readonly score: number
}

/** Part of all commands of a source, in the order of their names by code unit. */
export interface CommandPage {
  readonly commands: readonly Command[]
  /** Value for `after` that continues behind this page; undefined at the end. */
  readonly next?: string | undefined
}

/**
 * Source of commands. A source that has `find` is a large one: `list` returns only what a person pinned, and other
 * commands are loaded when they are asked for. See docs/reference/sources.md, "Sources" and "Large sources".
 */
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
  /** Returns the number of all its commands, listed or not. */
  count?(call: { readonly signal: AbortSignal }): MaybePromise<number>
  /**
   * Returns the command of exactly this name, listed or not; undefined if the source has none. It throws if it cannot
   * tell, for example because a server does not answer.
   * @param name in the form of `nameKey`
   */
  find?(name: string, call: { readonly signal: AbortSignal }): MaybePromise<Command | undefined>
  /**
   * Returns the commands that fit the words of a query best, listed or not, the best first. Empty if none fits.
   * @param query words as a person or a model typed them
   * @param call.limit most commands to return, at least 1
   * @param call.prefix beginning of the names that are searched, such as `acme/`. Default: all names
   */
  search?(
    query: string,
    call: { readonly signal: AbortSignal; readonly limit: number; readonly prefix?: string | undefined },
  ): MaybePromise<readonly FoundCommand[]>
  /**
   * Returns a page of all commands, listed or not.
   * @param call.limit most commands of the page, at least 1
   * @param call.after `next` of the page before. Default: from the first command
   */
  page?(call: {
    readonly signal: AbortSignal
    readonly limit: number
    readonly after?: string | undefined
  }): MaybePromise<CommandPage>
}

/** Folder, server or module in which a source looked for commands, with the result. */
export interface Place {
  readonly path: string
  /** State; a `skipped` place says why in `note`. */
  readonly state: 'read' | 'missing' | 'unreadable' | 'skipped'
  /** Number of commands that came from it. */
  readonly found: number
  readonly note?: string | undefined
}

/**
 * Result of a source. A file that fails never hides other files: its problem is in `errors`, and the other files are in
 * `commands`.
 */
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

/** Makes a load result. Parts that are not given are empty. See docs/reference/sources.md, "What a load gives". */
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

/** List, since it is iterated for each of tens of thousands of commands. */
type Shapes = readonly (readonly [field: string, shape: Shape])[]

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
type Tables = Readonly<Record<'prompt' | 'local' | 'place' | 'diagnostic', Shapes>>

const made = /* @__PURE__ */ new WeakMap<Words, Tables>()

/**
 * Makes the tables with the first result, so that a bundle which only throws this package's errors does not contain
 * them.
 */
function tablesOf(words: Words): Tables {
  const known = made.get(words)
  if (known !== undefined) return known
  const filled: Shape = ['text that is not empty', value => typeof value === 'string' && value !== '']
  const count: Shape = ['a number', value => typeof value === 'number' && !Number.isNaN(value)]
  const call: Shape = ['a function', value => typeof value === 'function']
  const maybe = ([expected, fits]: Shape): Shape => [expected, value => value === undefined || fits(value)]

  const identity: Shapes = Object.entries({
    realPath: text,
    dev: count,
    ino: count,
    size: count,
    mtimeMs: count,
    ctimeMs: count,
  })
  const fieldShapes = (hasAll: boolean): Shapes =>
    fieldTable
      .filter(({ name, free, every = false }) => name !== 'name' && free !== true && (hasAll || every))
      .map(field => {
        const shape = shapeOf(field, words)
        return [field.property, field.otherwise === undefined && field.name !== 'description' ? maybe(shape) : shape]
      })
  const everyCommand = {
    name: filled,
    displayName: text,
    hasUserSpecifiedDescription: flag,
    source: filled,
    loadedFrom: text,
    isHidden: flag,
    isEnabled: call,
    type: oneOf('prompt', 'local', 'local-ui'),
  }
  const prompt: Shapes = [
    ...Object.entries(everyCommand),
    ...fieldShapes(true),
    ...Object.entries({
      pluginName: maybe(text),
      baseDir: maybe(text),
      filePath: maybe(text),
      contentLength: count,
      isSkill: flag,
      progressMessage: text,
      file: maybe(['what identifies a file', value => isObject(value) && problemOf(value, identity) === undefined]),
      qualifier: maybe(text),
      isScoped: maybe(flag),
      load: call,
      digest: maybe(call),
    }),
  ]
  const local: Shapes = [...Object.entries({ ...everyCommand, call }), ...fieldShapes(false)]
  const place: Shapes = Object.entries({
    path: text,
    state: oneOf('read', 'missing', 'unreadable', 'skipped'),
    found: count,
    note: maybe(text),
  })
  const diagnostic: Shapes = Object.entries({
    severity: oneOf('error', 'warning', 'info'),
    type: text,
    code: text,
    message: text,
    hint: maybe(text),
    path: maybe(text),
    line: maybe(count),
    column: maybe(count),
    field: maybe(text),
    name: maybe(text),
    provider: maybe(text),
  })
  made.set(words, { prompt, local, place, diagnostic })
  return { prompt, local, place, diagnostic }
}

/**
 * Marks a class of commands whose constructor gives every field its type. The engine does not check commands of such a
 * class, so that fields that are read on demand stay unread. Meant for sources with very many commands.
 */
export const soundFields: unique symbol = Symbol.for('@skills/core/soundFields') as never

/**
 * Checks the result of a source. Invalid parts are left out and reported; every diagnostic has the provider's id.
 * Returns undefined if the value is not a load result at all.
 */
export async function checkedResult(
  provider: string,
  given: LoadParts | undefined,
  words: Words,
): Promise<LoadResult | undefined> {
  const {
    commands,
    errors = [],
    warnings = [],
    disabledPaths = [],
    places = [],
    qualifiers = [],
    incomplete,
  } = given ?? {}
  const lists: readonly unknown[] = [commands, errors, warnings, disabledPaths, places, qualifiers]
  if (commands === undefined || !lists.every(Array.isArray)) return undefined
  const tables = tablesOf(words)
  const wrong: Diagnostic[] = []
  const report = (code: string, what: string, problem: string, more: Pick<Diagnostic, 'name' | 'field'> = {}): void => {
    wrong.push({
      severity: 'error',
      type: 'validation',
      code,
      provider,
      ...more,
      message: `"${provider}" returned ${what} whose ${problem}; the invalid part is left out.`,
      hint: 'Report this problem to the author of that source.',
    })
  }
  const sound = <T>(what: string, list: readonly T[], shapes: Shapes): readonly T[] =>
    list.filter(one => {
      const problem = problemOf(one, shapes)
      if (problem !== undefined) report('malformed-result', what, problem.text)
      return problem === undefined
    })
  const own = (diagnostic: Diagnostic): Diagnostic => ({ provider, ...diagnostic })
  const good: Command[] = []
  let done = 0
  for (const command of commands) {
    if (isTurnDue(++done)) await turn()
    const problem = commandProblem(command, tables)
    if (problem === undefined) good.push(command)
    else
      report(
        'malformed-command',
        problem.name === undefined ? 'a command' : `the command ${shownName(problem.name, true)}`,
        problem.text,
        { ...(problem.name !== undefined && { name: problem.name }), field: problem.field },
      )
  }
  const [soundErrors, soundWarnings] = [
    sound('an error', errors, tables.diagnostic),
    sound('a warning', warnings, tables.diagnostic),
  ]
  const isText =
    (list: 'disabledPaths' | 'qualifiers') =>
    (one: unknown): boolean => {
      if (typeof one !== 'string')
        report('malformed-result', 'a load result', `${list} hold ${found(one)} instead of text`)
      return typeof one === 'string'
    }
  return loadResult({
    commands: good.length === commands.length ? commands : good,
    disabledPaths: disabledPaths.filter(isText('disabledPaths')),
    qualifiers: qualifiers.filter(isText('qualifiers')),
    places: sound<Place>('a place', places, tables.place),
    errors: [...soundErrors.map(own), ...wrong],
    warnings: soundWarnings.map(own),
    incomplete: typeof incomplete === 'string' ? incomplete : undefined,
  })
}

interface FieldProblem {
  readonly field: string
  /** `path is the number 42 instead of text` */
  readonly text: string
  readonly name?: string | undefined
}

function commandProblem(command: Command, { local, prompt }: Tables): FieldProblem | undefined {
  if (isObject(command) && soundFields in command) return undefined
  const problem = problemOf(
    command,
    isObject(command) && (command.type === 'local' || command.type === 'local-ui') ? local : prompt,
  )
  if (problem === undefined || problem.field === 'name' || !isObject(command)) return problem
  return { ...problem, name: command.name }
}

/** Returns the first field with an invalid value; undefined if all are valid. */
function problemOf(value: unknown, shapes: Shapes): FieldProblem | undefined {
  if (!isObject(value)) return { field: 'value', text: `value is ${found(value)} instead of an object` }
  let at = ''
  try {
    for (const [field, [expected, fits]] of shapes) {
      at = field
      const one: unknown = Reflect.get(value, field)
      if (!fits(one)) return { field, text: `${field} is ${found(one)} instead of ${expected}` }
    }
    return undefined
  } catch (error) {
    return { field: at, text: `${at} cannot be read (${messageOf(error)})` }
  }
}

function found(value: unknown): string {
  if (value === undefined || value === null) return value === null ? 'null' : 'missing'
  if (typeof value === 'string') return `the text ${JSON.stringify(value.slice(0, 80))}`
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol'
    ? `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`
    : `the ${typeof value} ${String(value)}`
}
