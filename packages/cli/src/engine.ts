import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { createSkills, processHost, type Diagnostic, type Host, type Skills } from '@skills/core'
import { standard, type StandardOptions } from '@skills/distributions/standard'
import { UsageError } from './usage-error.js'
import type { Invocation } from './parse-arguments.js'
import type { Io } from './io.js'

/** Where a person's settings, and what is remembered for them, would be looked for in place of their home folder. */
const homeVariables = ['CLAUDE_CONFIG_DIR', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'LOCALAPPDATA']

export interface Engine {
  readonly skills: Skills
  /** The source names there may be, highest first. */
  readonly sources: readonly string[]
  /** What was reported besides the catalog's own errors and warnings. */
  readonly reported: readonly Diagnostic[]
}

/** What a command wants of the distribution besides. */
export type MoreOptions = (host: Host) => Promise<Partial<StandardOptions>>

/** Runs `work` with the engine that the global options describe, and closes it. */
export async function withEngine<T>(invocation: Invocation, io: Io, work: (engine: Engine) => Promise<T>, more?: MoreOptions): Promise<T> {
  const cwd = folder('--cwd', invocation.cwd, io) ?? io.cwd
  const home = folder('--home', invocation.home, io)
  const additional = invocation.addDirs.map(given => folder('--add-dir', given, io) ?? given)
  const pluginDirs = invocation.pluginDirs.map(given => folder('--plugin-dir', given, io) ?? given)
  const published = pluginDirs.length === 0 ? undefined : { plugins: pluginDirs }
  const reported: Diagnostic[] = []
  // Each names a folder of another home.
  const env = home === undefined ? io.env : { ...io.env, ...Object.fromEntries(homeVariables.map(name => [name, undefined])) }
  const host = { cwd, home: home ?? io.home, env }
  const options = standard({
    host, additional, published, managed: { dirs: io.managedDirs }, onDiagnostic: diagnostic => reported.push(diagnostic),
    // This program is about skills and has no conversation to invoke commands in.
    builtin: false,
    // Each host has its own, and this is about what somebody put here.
    bundled: false,
    // No file is worked on here, so a list is the same without.
    activation: false,
    ...await more?.(processHost(host)),
  })
  const skills = createSkills(options)
  let stopProgress: (() => void) | undefined
  if (io.stderr.isTerminal) stopProgress = (await import('./print.js')).showProgress(skills, io.stderr)
  try {
    return await work({ skills, sources: options.precedence ?? [], reported })
  } finally {
    stopProgress?.()
    await skills.close()
  }
}

function folder(flag: string, given: string | undefined, { cwd }: Io): string | undefined {
  if (given === undefined) return undefined
  const path = resolve(cwd, given)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw new UsageError(`The folder ${path} given with ${flag} does not exist.`)
  if (!stats.isDirectory()) throw new UsageError(`${path} given with ${flag} is not a folder.`)
  return path
}
