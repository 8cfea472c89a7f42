import { dirname } from 'node:path'
import { itemsOf, problemOf, readConfiguration } from './read-configuration.js'
import { Agreements, consentItem, skillItem } from '@skills/trust/internal'
import { claimsOfSettings } from '@skills/permission-rules/internal'
import { findConfiguration, type ConfigurationHost } from './find-configuration.js'
import { moduleItems, readDistribution } from './own-distribution.js'
import { settingsFiles } from './settings-files.js'
import { skillText } from './skill-text.js'
import { unagreedDiagnostics, type JudgedItem } from './unagreed.js'
import type { Catalog, Diagnostic, PromptCommand } from '@skills/core'
import type { NamedDistribution } from './distribution-place.js'
import type { Distribution } from './distribution.js'
import type { Claim } from '@skills/invocation'
import type { State } from '@skills/state'

export type { JudgedItem } from './unagreed.js'

export interface ConsentOptions {
  readonly state: State
  readonly signal?: AbortSignal | undefined
  /** Catalog whose skills are included. Default: none. */
  readonly catalog?: Catalog | undefined
  /**
   * Distribution that a command line names by the path of a module or by a package. Its files are included, because
   * they have to be agreed to before they are imported.
   */
  readonly distribution?: Pick<NamedDistribution, 'name' | 'folder'> | undefined
  /** Options that define embedded commands: `distribution.shell`. */
  readonly shell?: Distribution['shell'] | undefined
  /** Options that define where agents of forks are: `distribution.fork`. */
  readonly fork?: Distribution['fork'] | undefined
}

/** Everything that a project may do once its folder is trusted. */
export interface Consent {
  /**
   * Items of the configuration, then of settings, then agents of forks, then skills, each in their order in the files.
   */
  readonly items: readonly JudgedItem[]
  /** Files that could not be read, and so cannot be agreed to. */
  readonly problems: readonly Diagnostic[]
}

/**
 * Lists everything that trusting a project's folder switches on: each item with its text, its digest, and whether the
 * person agreed to it. Nothing is executed or imported. The items that the person agrees to go to `trustFolder(state,
 * folder, host, { items })`. See docs/reference/trust.md, "Consent".
 */
export async function consentItems(
  host: ConfigurationHost,
  { state, signal, catalog, distribution, shell = {}, fork = {} }: ConsentOptions,
): Promise<Consent> {
  const agreements = await Agreements.read(state, host, { signal })
  const problems: Diagnostic[] = []
  const items: JudgedItem[] = []
  for (const file of findConfiguration(host).filter(({ from }) => from === 'project')) {
    const read = await readConfiguration(file, host)
    if ('problem' in read) problems.push(read.problem)
    const { items: found, distribution: named } = await itemsOf(read, file, host)
    items.push(...found.map(item => ({ ...item, state: agreements.stateOf(item) })))
    if (named !== undefined && 'problem' in named) problems.push(problemOf(file.path, named.problem, 'distribution'))
  }
  const own = distribution && (await readDistribution(host, { ...distribution, from: 'command-line' }))
  if (own !== undefined && 'problem' in own)
    problems.push({
      severity: 'error',
      type: 'validation',
      code: 'invalid-configuration',
      message: own.problem,
      hint: 'Correct this distribution, or name another one.',
    })
  if (own !== undefined && 'modules' in own && own.modules !== undefined) {
    const found = moduleItems(own.modules).filter(
      ({ label, path }) => !items.some(one => one.kind === 'module' && one.label === label && one.path === path),
    )
    items.push(...found.map(item => ({ ...item, state: agreements.stateOf(item) })))
  }
  items.push(...settingsItems(host, agreements))
  if (fork !== false) {
    const { agentClaims } = await import('@skills/executor-fork')
    const claims = await agentClaims(host, { folders: fork.folders, report: problem => problems.push(problem) })
    items.push(...claims.map(claim => judged(claim, agreements)))
  }
  for (const command of everyPrompt(catalog)) {
    const { name, filePath: path } = command
    const text = await skillText(command, shell, signal)
    if (text === undefined) continue
    const item = 'reason' in text ? text : await skillItem(command, text.text, host, { signal })
    if (item === undefined) continue
    if ('reason' in item)
      problems.push({
        severity: 'warning',
        type: 'io',
        code: 'not-approvable',
        name,
        ...(path !== undefined && { path }),
        message: `The skill "${name}" cannot be approved: ${item.reason}`,
        hint: 'Until the skill can be read completely, none of its embedded commands run.',
      })
    else items.push({ ...item, state: agreements.stateOf(item) })
  }
  return { items, problems }
}

/**
 * Returns the rules in a trusted project's settings that have no effect, because the person has not agreed to their
 * current form, with diagnostics.
 */
export async function settingsConsent(
  host: ConfigurationHost,
  { state, signal }: Pick<ConsentOptions, 'state' | 'signal'>,
): Promise<{ readonly unagreed: readonly JudgedItem[]; readonly diagnostics: readonly Diagnostic[] }> {
  const agreements = await Agreements.read(state, host, { signal })
  const unagreed = settingsItems(host, agreements).filter(
    one => one.state !== 'agreed' && agreements.isTrusted(dirname(one.path)),
  )
  const paths = [...new Set(unagreed.map(({ path }) => path))]
  return {
    unagreed,
    diagnostics: paths.flatMap(path =>
      unagreedDiagnostics(
        path,
        'settings file',
        unagreed.filter(one => one.path === path),
        agreements.isUnlisted(dirname(path)),
      ),
    ),
  }
}

function settingsItems(host: ConfigurationHost, agreements: Agreements): readonly JudgedItem[] {
  return settingsFiles(host)
    .filter(({ isProject }) => isProject)
    .flatMap(claimsOfSettings)
    .map(claim => judged(claim, agreements))
}

function judged(claim: Claim, agreements: Agreements): JudgedItem {
  const item = consentItem(claim)
  return { ...item, state: agreements.stateOf(item) }
}

/** Returns all prompts, also those that lost their name or are switched off, because trust outlasts that. */
function everyPrompt(catalog: Catalog | undefined): readonly PromptCommand[] {
  if (catalog === undefined) return []
  const { entries, collisions, disabled } = catalog
  const all = new Set([
    ...entries.map(({ command }) => command),
    ...collisions.map(({ loser }) => loser.command),
    ...disabled.map(({ command }) => command),
  ])
  return [...all].filter(command => command.type === 'prompt')
}
