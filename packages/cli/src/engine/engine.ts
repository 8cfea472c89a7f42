import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  createSkills,
  processHost,
  type Catalog,
  type Diagnostic,
  type Host,
  type MaybePromise,
  type Skills,
} from '@skills/core'
import { findConfiguration } from '@skills/distributions/find-configuration'
import { hasProjectSettings, hasSettings } from '@skills/distributions/internal'
import { standard } from '@skills/distributions/standard'
import { exitCodes, type Io } from '../io.js'
import { UsageError } from '../arguments/usage-error.js'
import type { Configured } from './configured.js'
import type { Engine } from './engine-parts.js'
import type { Distribution, DistributionOptions, MakeDistribution } from '@skills/distributions'
import type { Invocation } from '../arguments/invocation.js'

/** Variables that name folders for settings and state outside the home folder. `--home` removes them. */
const homeVariables = [
  'CLAUDE_CONFIG_DIR',
  'CLAUDE_CODE_PLUGIN_CACHE_DIR',
  'XDG_STATE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_CACHE_HOME',
  'APPDATA',
  'LOCALAPPDATA',
]

/**
 * Further options of a command for the distribution.
 * @param configured options from configuration files
 */
export type MoreOptions = (
  host: Host,
  configured: Partial<DistributionOptions>,
) => MaybePromise<Partial<DistributionOptions>>

/** Keeps the configured options `activation` and `bundled`, because an agent would have them too. */
export const asAgentsHave: MoreOptions = (_host, { activation, bundled }) => ({ activation, bundled })

/**
 * The standard distribution with the skills about skills, and without built-in commands, which only make sense in a
 * conversation.
 */
const ofProgram: MakeDistribution = options => standard({ ...options, authorSkills: true, builtin: false })

/**
 * Commands that print which items of a trusted folder do not count. Others show them among the problems or ask about
 * them.
 */
const saysUnagreed: readonly Invocation['command'][] = [undefined, 'list', 'run', 'render', 'explain']

/** Distribution and the engine created from it. */
export type Made = Pick<Engine, 'distribution' | 'skills'>

/** Returns an engine that answers one question without reading everything, or undefined if only the full engine can. */
export type QuickEngine = (
  make: (reads: DistributionOptions['sharedReads']) => Promise<Made>,
) => Promise<Made | undefined>

/**
 * Creates the engine that the global options describe, runs `work` with it, and closes it. Returns the exit code of
 * `work`. If not every skill was found, prints why, and returns the code of a failure instead of success.
 */
export async function withEngine(
  invocation: Invocation,
  io: Io,
  work: (engine: Engine) => Promise<number>,
  more?: MoreOptions,
  quickly?: QuickEngine,
): Promise<number> {
  const sourceLimitMs = limitOf(invocation.text('--source-limit'))
  const surroundings = givenOf(invocation, io)
  const host = processHost(surroundings)
  const additional = invocation.addDirs.map(given => folderOf('--add-dir', given, io) ?? given)
  const pluginDirs = invocation.pluginDirs.map(given => folderOf('--plugin-dir', given, io) ?? given)
  const marketplaces = invocation.marketplaces.map(given => folderOf('--marketplace', given, io) ?? given)
  const reported: Diagnostic[] = []
  const report = (diagnostic: Diagnostic): void => void reported.push(diagnostic)
  const {
    distribution: named,
    options: configuration,
    agents,
    unagreed,
    providersOf,
  }: Configured = hasConfiguration(host)
    ? await (await import('./configured.js')).configured(host, invocation, io, report, ofProgram)
    : { options: {}, unagreed: [] }
  if (unagreed.length > 0 && saysUnagreed.includes(invocation.command))
    (await import('../output/print.js')).printUnagreed(unagreed, invocation, io)
  if (hasSettings(host)) (await (await import('./unreadable-rules.js')).unreadableRules(host)).forEach(report)
  const misconfigured = [...reported]
  const unreadable = misconfigured.filter(({ severity }) => severity === 'error')
  if (unreadable.length > 0) (await import('./unreadable-rules.js')).printUnreadable(unreadable, invocation, io)
  const chosen = invocation.distribution ?? named ?? 'standard'
  const make =
    chosen === 'standard'
      ? ofProgram
      : await (
          await import('./other-distribution.js')
        ).otherDistribution(chosen, { invocation, io, host, report, standard: ofProgram, withEngine })
  if (make === undefined) return exitCodes.interrupted
  const { published } = configuration
  const added =
    pluginDirs.length + marketplaces.length === 0
      ? undefined
      : (await import('./named-folders.js')).publishedBy(pluginDirs, marketplaces)
  const made = async (one: Partial<DistributionOptions>): Promise<Distribution> =>
    make({
      ...one,
      host: surroundings,
      managed: { dirs: io.managedDirs },
      onDiagnostic: report,
      additional: [...additional, ...(one.additional ?? [])],
      published:
        added === undefined
          ? published
          : {
              ...published,
              plugins: [...added.plugins, ...(published?.plugins ?? [])],
              marketplaces: [...added.marketplaces, ...(published?.marketplaces ?? [])],
            },
      // Each host bundles its own skills; these commands are about skills in files.
      bundled: false,
      // These commands work on no file, so conditional skills are never activated.
      activation: false,
      ...(await more?.(host, one)),
      // An engine that shares reads uses them in place of its own.
      ...(one.sharedReads && { sharedReads: one.sharedReads }),
    })
  const create = (one: Distribution): Skills =>
    createSkills(sourceLimitMs === undefined ? one : { ...one, sourceLimitMs })
  let incomplete: Catalog['incomplete'] = []
  let stopProgress: (() => void) | undefined
  const known = reported.length
  const start = async (sharedReads?: DistributionOptions['sharedReads']): Promise<Made> => {
    stopProgress?.()
    reported.splice(known)
    const engine = await withoutBroken(
      one => made({ ...one, sharedReads }),
      create,
      { configuration, providersOf },
      report,
    )
    engine.skills.hook('sources:loaded', event => {
      incomplete = event.incomplete
    })
    if (io.stderr.isTerminal) stopProgress = (await import('../output/print.js')).showProgress(engine.skills, io.stderr)
    return engine
  }
  // Providers from a configuration may read the whole catalog, so the quick engine could not answer for them.
  const isKnown = configuration.plugins === undefined
  const { distribution, skills } = (isKnown ? await quickly?.(start) : undefined) ?? (await start())
  try {
    const code = await work({
      skills,
      distribution,
      readingWith: isKnown ? start : undefined,
      agents,
      sources: distribution.precedence ?? [],
      reported,
      misconfigured,
    })
    if (incomplete.length === 0) return code
    ;(await import('../output/print.js')).printIncomplete(incomplete, invocation, io)
    return code === exitCodes.ok ? exitCodes.failed : code
  } finally {
    stopProgress?.()
    await skills.close()
  }
}

/** Returns the value of `--source-limit` in milliseconds, or undefined if it was not given. */
function limitOf(seconds: string | undefined): number | undefined {
  if (seconds === undefined) return undefined
  const ms = Number(seconds) * 1000
  if (/^\d+(\.\d+)?$/.test(seconds) && ms >= 1) return ms
  throw new UsageError(
    `The option --source-limit needs a number of seconds above 0, such as 60, but was given "${seconds}".`,
  )
}

/** Returns the host that the global options describe, for commands that need no engine. */
export function hostOf(invocation: Invocation, io: Io): Host {
  return processHost(givenOf(invocation, io))
}

function givenOf(invocation: Invocation, io: Io): Pick<Host, 'cwd' | 'home' | 'env' | 'showsPaths'> {
  const cwd = folderOf('--cwd', invocation.cwd, io) ?? io.cwd
  const home = folderOf('--home', invocation.home, io)
  // These variables name folders of another home.
  const env =
    home === undefined ? io.env : { ...io.env, ...Object.fromEntries(homeVariables.map(name => [name, undefined])) }
  // The person who types a command may see the paths of this machine.
  return { cwd, home: home ?? io.home, env, showsPaths: true }
}

/**
 * Returns true if there is a configuration, or a settings file of the project, which may have items that do not count.
 */
function hasConfiguration(host: Host): boolean {
  return findConfiguration(host).length > 0 || hasProjectSettings(host)
}

/**
 * Creates the engine. If the providers of a configuration make that impossible, reports them and creates it without
 * them: commands that examine the configuration have to work.
 */
async function withoutBroken(
  made: (configuration: Partial<DistributionOptions>) => Promise<Distribution>,
  create: (distribution: Distribution) => Skills,
  {
    configuration,
    providersOf = [],
  }: { readonly configuration: Partial<DistributionOptions>; readonly providersOf?: Configured['providersOf'] },
  report: (diagnostic: Diagnostic) => void,
): Promise<{ readonly distribution: Distribution; readonly skills: Skills }> {
  const distribution = await made(configuration)
  try {
    return { distribution, skills: create(distribution) }
  } catch (error) {
    const { plugins, ...rest } = configuration
    if (plugins === undefined || plugins.length === 0) throw error
    report((await import('./configured.js')).unusable(providersOf, error))
    const plain = await made(rest)
    return { distribution: plain, skills: create(plain) }
  }
}

/** Returns the folder that an option names, absolute. Throws a UsageError if it is not a folder. */
export function folderOf(flag: string, given: string | undefined, { cwd }: Io): string | undefined {
  if (given === undefined) return undefined
  const path = resolve(cwd, given)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw new UsageError(`The folder ${path} given with ${flag} does not exist.`)
  // A marketplace may also be given as its JSON file.
  if (!stats.isDirectory() && !(flag === '--marketplace' && path.endsWith('.json')))
    throw new UsageError(`${path} given with ${flag} is not a folder.`)
  return path
}
