import { loadConfiguration, type Configuration, type JudgedItem } from '@skills/distributions/configuration'
import { findConfiguration } from '@skills/distributions/find-configuration'
import { settingsConsent, type MakeDistribution } from '@skills/distributions/internal'
import { distributionNamed } from '@skills/distributions/distribution-named'
import { openState } from '@skills/distributions/trust'
import { messageOf, type Diagnostic, type Host } from '@skills/core'
import { again } from './again.js'
import type { Invocation } from '../arguments/invocation.js'
import type { Io } from '../io.js'

export { consentItems, loadDistribution } from '@skills/distributions/configuration'

const isStateError = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'E_STATE'

/** Codes of diagnostics that `skills trust` resolves. */
const aboutTrust = ['untrusted-configuration', 'not-agreed']

export interface Configured extends Pick<Configuration, 'distribution' | 'options' | 'unagreed' | 'agents'> {
  /** Configuration files that name providers. */
  readonly providersOf?: readonly string[] | undefined
}

/**
 * Returns a diagnostic for providers of configuration files that are not used, because no engine can be created with
 * them.
 */
export function unusable(files: readonly string[], error: unknown): Diagnostic {
  const [path] = files
  return {
    severity: 'error',
    type: 'validation',
    code: 'invalid-configuration',
    ...(path !== undefined && { path }),
    field: 'providers',
    message: `The providers of ${files.join(' and ')} are not used: ${messageOf(error)}`,
    hint: 'Correct "providers" there.',
  }
}

/** Returns a function that finds a distribution by name. For the name `standard` it returns the given distribution. */
export function namedWith(standard: MakeDistribution): (name: string) => Promise<MakeDistribution> {
  return async name => (name === 'standard' ? standard : distributionNamed(name))
}

/**
 * Reads configuration files: the distribution and its options. Reports problems in them, and items of the configuration
 * and the project's settings that the user has not agreed to. Leaves servers out and reports that, because this program
 * starts none.
 */
export async function configured(
  host: Host,
  invocation: Invocation,
  io: Io,
  report: (diagnostic: Diagnostic) => void,
  standard: MakeDistribution,
): Promise<Configured> {
  const state = openState(host, { report })
  const { signal } = io
  const told = (diagnostic: Diagnostic): void =>
    report(
      aboutTrust.includes(diagnostic.code)
        ? { ...diagnostic, hint: `See what it is, and agree to it: ${again('trust', invocation, io)}` }
        : diagnostic,
    )
  const unagreed: JudgedItem[] = []
  try {
    const settings = await settingsConsent(host, { state, signal })
    settings.diagnostics.forEach(told)
    unagreed.push(...settings.unagreed)
  } catch (error) {
    // If the state folder cannot be used, nothing is trusted. Code that needs the rules reports it.
    if (!isStateError(error)) throw error
  }
  if (findConfiguration(host).length === 0) return { options: {}, unagreed }
  const { importModule } = await import('./import-module.js')
  const {
    distribution,
    options: { mcp, ...options },
    files,
    diagnostics,
    ...configuration
  } = await loadConfiguration(host, { state, signal, importModule, baseNamed: namedWith(standard) })
  diagnostics.forEach(told)
  const { rules } = options
  if (rules?.deny !== undefined || rules?.ask !== undefined)
    (await (await import('./unreadable-rules.js')).unreadableIn(rules)).forEach(report)
  const { plugins = [], packages = [] } = options.published ?? {}
  const ofPlugins = [...plugins, ...packages].flatMap(one => (typeof one === 'object' ? (one.servers ?? []) : []))
  const names = [...Object.keys(mcp?.servers ?? {}), ...ofPlugins]
  if (names.length > 0) {
    const path = files.at(-1)?.path
    report({
      severity: 'warning',
      type: 'source',
      code: 'servers-not-asked',
      ...(path !== undefined && { path }),
      message: `The commands of the servers ${names.join(', ')} are not shown, because this program starts no servers.`,
      hint: 'To see these commands, use the agent that starts these servers.',
    })
  }
  return {
    distribution,
    agents: configuration.agents,
    options,
    unagreed: [...configuration.unagreed, ...unagreed],
    providersOf: files.filter(({ hasProviders }) => hasProviders).map(({ path }) => path),
  }
}
