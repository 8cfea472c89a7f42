import { HookBus } from './hook-bus.js'
import { Kernel } from './kernel.js'
import { Loader } from './loader.js'
import { closestNames } from './name.js'
import { checkOptions, refuse, type OptionNames } from './options.js'
import { hostNames, processHost, type Clock, type Host } from './host.js'
import { ownKinds, sourceKind, type KindDefinition } from './provider.js'
import type { Override } from './command.js'
import type { CatalogRules } from './build-catalog.js'
import type { Diagnostic } from './diagnostic.js'
import type { Engine, Skills, Plugin } from './provider.js'
import type { OwnField } from './fields/field.js'

/**
 * Options of {@link createSkills}. By default the precedence of sources is managed, user, project, additional, plugin,
 * bundled, mcp, legacy, builtin. Two paths are one file if their real paths are equal. A command that loses its name to
 * another gets a qualified name.
 */
export interface SkillsOptions extends Partial<Omit<CatalogRules, 'clock' | 'gates'>> {
  readonly plugins: readonly Plugin[]
  /** Definitions of kinds beyond the engine's own. */
  readonly kinds?: readonly KindDefinition[]
  /** Fields that skills may set besides the built-in ones: see `defineField`. Default: none. */
  readonly fields?: readonly OwnField[]
  /** Default: this process. */
  readonly host?: Host
  /**
   * Milliseconds that a source without its own limit may take to set up, and may go without progress. Default: 10,000;
   * `Infinity` for no limit.
   */
  readonly sourceLimitMs?: number
  /** Called with every problem. Required, since libraries print nothing and problems would be lost. */
  readonly onDiagnostic: (diagnostic: Diagnostic) => void
}

/**
 * Makes an engine of plugins. Nothing is set up, read or started before it is needed.
 * @throws SkillsError `E_UNKNOWN_KIND`, `E_DUPLICATE_KIND`, `E_DUPLICATE_PROVIDER`, `E_TOO_MANY_PROVIDERS`,
 * `E_MISSING_PROVIDER`, `E_INVALID_OPTION`
 */
export function createSkills(options: SkillsOptions): Skills {
  const {
    plugins,
    kinds = [],
    fields = [],
    host = processHost(),
    onDiagnostic,
    sourceLimitMs = sourceKind.limitMs,
  } = options
  const rules = rulesOf(options, host.clock)
  const report = (diagnostic: Diagnostic): void => {
    try {
      onDiagnostic(diagnostic)
    } catch (error) {
      // Rethrown as an unhandled error, since no other listener exists and loading has to continue.
      queueMicrotask(() => {
        throw error
      })
    }
  }
  const hooks = new HookBus(report)
  const kernel = new Kernel({
    plugins,
    fields,
    kinds: [...ownKinds.map(one => (one.kind === 'source' ? { ...one, limitMs: sourceLimitMs } : one)), ...kinds],
    host,
    hooks,
    report,
    invalidate: (kind, id, paths, reason) => {
      if (kind === 'source') loader.invalidate(paths ?? 'all', [id], reason)
      // The next load asks gates again. Results of the sources are kept, unless other commands are barred.
      if (kind === 'gate') loader.invalidate('gates', [], reason)
      hooks.emit('sources:stale', { providers: [id] })
    },
  })
  const loader = new Loader({ kernel, hooks, report, rules })
  const engine: Engine = {
    host,
    words: kernel.words,
    signal: kernel.signal,
    catalog: ({ signal, names } = {}) => (names === undefined ? loader.load(signal) : loader.find(names, signal)),
    large: async ({ signal } = {}) => {
      await loader.load(signal)
      return loader.large
    },
    invalidate: paths => loader.invalidate(paths ?? 'all'),
    refresh: (paths, { signal } = {}) => {
      loader.invalidate(paths ?? 'recheck')
      return loader.load(signal)
    },
    // Imported on use: most programs list and invoke, and never explain.
    explain: async (name, { signal } = {}) =>
      Promise.all([loader.find([name], signal), import('./explain.js')]).then(async ([catalog, { explain }]) =>
        explain(name, { catalog, gone: loader.gone, large: loader.large }, kernel, signal),
      ),
    use: kind => kernel.access(kind),
    emit: (event, payload) => hooks.emit(event, payload),
    hook: (event, listener) => hooks.on(event, listener),
    close: () => kernel.close(),
    [Symbol.asyncDispose]: () => kernel.close(),
  }
  return Object.assign({}, ...kinds.map(({ methods }) => methods?.(engine)), engine)
}

const overrideWords: readonly Override[] = ['on', 'name-only', 'user-only', 'off', 'pinned']
const standardPrecedence = ['managed', 'user', 'project', 'additional', 'plugin', 'bundled', 'mcp', 'legacy', 'builtin']

/** Reads the rules with their defaults, and checks them for callers without a type checker too. */
function rulesOf(options: SkillsOptions, clock: Clock): Omit<CatalogRules, 'gates'> {
  const {
    precedence = standardPrecedence,
    qualifyLosers = true,
    identityOf = file => file.realPath,
    warningsOf,
    tellsCaseTwins,
    sharesDisplayNames,
    overrides = {},
  } = options
  checkOptions<SkillsOptions>('createSkills()', 'port' in options ? withoutOwn(options) : options, optionNames, {
    host: hostNames,
  })
  if (typeof options.onDiagnostic !== 'function')
    refuse('There is no onDiagnostic.', 'Pass a function that receives every diagnostic.')
  const wrong = Object.entries(overrides).find(([, word]) => !overrideWords.includes(word))
  if (wrong) refuse(`The override of "${wrong[0]}" is "${String(wrong[1])}".`, `It can be ${overrideWords.join(', ')}.`)
  const { sourceLimitMs = 1 } = options
  if (!(sourceLimitMs > 0)) refuse(`The sourceLimitMs is ${String(sourceLimitMs)}.`, 'Give milliseconds above 0.')
  const twice = precedence.find((source, at) => precedence.indexOf(source) !== at)
  if (twice !== undefined) refuse(`The precedence list names "${twice}" twice.`, 'Name each source once.')
  return { precedence, qualifyLosers, identityOf, warningsOf, tellsCaseTwins, sharesDisplayNames, overrides, clock }
}

const optionNames = {
  plugins: 1,
  kinds: 1,
  fields: 1,
  host: 1,
  sourceLimitMs: 1,
  onDiagnostic: 1,
  precedence: 1,
  qualifyLosers: 1,
  identityOf: 1,
  warningsOf: 1,
  tellsCaseTwins: 1,
  sharesDisplayNames: 1,
  overrides: 1,
} satisfies OptionNames<SkillsOptions>

/**
 * Removes a distribution's own properties and those for its hosts. A name close to an option stays, so that it is
 * refused.
 */
function withoutOwn(distribution: object): object {
  const names = Object.keys(optionNames)
  // A short name is close to anything.
  const isMeant = (name: string) => name.length > 5 && closestNames(name, names, 1).length > 0
  return Object.fromEntries(Object.entries(distribution).filter(([name]) => names.includes(name) || isMeant(name)))
}
