import { agentNames, comparedAgents, referenceAgent } from '@skills/distributions/internal'
import { compat, compatDiagnostics, type OneMoment } from '@skills/inspect/compat'
import type { Compat, CompatAgent } from '@skills/inspect/internal'
import { realPathOf } from '@skills/files/internal'
import { ProgressLine } from '../../output/progress.js'
import { proposal, UsageError } from '../../arguments/usage-error.js'
import type { Diagnostic } from '@skills/core'
import type { Engine } from '../../engine/engine-parts.js'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'

/** Comparison of skills and agents, and the agents that should have every skill. */
export interface AskedCompat {
  readonly compat: Compat
  readonly wanted: readonly string[]
}

/** Invocation of a command with `--for`. */
type AskedFor = Pick<Invocation<'--for <names>'>, 'text'>

export interface CompatCall {
  /** Names of skills. Default: all. */
  readonly only?: readonly string[] | undefined
  /** Absolute real paths of files. */
  readonly files?: readonly string[] | undefined
  readonly contextWindow?: number | undefined
  /** File reads that `engine` uses. */
  readonly reads?: OneMoment | undefined
}

/**
 * Compares the agents that `--for` names. Default: those of the configuration, otherwise all that follow a released
 * program.
 */
export async function compatFor(
  { skills, distribution, readingWith, agents: configured }: Engine,
  { only, files, contextWindow, reads }: CompatCall,
  invocation: AskedFor,
  io: Io,
): Promise<AskedCompat> {
  const { wanted, agents } = await agentsFor(configured, invocation)
  const { signal } = io
  const line = new ProgressLine(io.stderr)
  const progress = (agent: string): void => line.show(`Looking at the skills as ${agent} does …`)
  try {
    return {
      wanted: wanted ?? [],
      compat: await compat({
        reference: await referenceAgent(distribution.name),
        engine: { skills, distribution, readingWith },
        reads,
        agents,
        host: skills.host,
        only,
        files,
        contextWindow,
        signal,
        ...(io.stderr.isTerminal && { onProgress: progress }),
      }),
    }
  } finally {
    line.erase()
  }
}

/**
 * Returns the agents that `--for` names. Default: those of the configuration, otherwise all that follow a released
 * program.
 */
export async function agentsFor(
  configured: Engine['agents'],
  { text }: AskedFor,
): Promise<{ readonly wanted: readonly string[] | undefined; readonly agents: readonly CompatAgent[] }> {
  const wanted = namesIn(text('--for')) ?? configured
  return { wanted, agents: await comparedAgents(wanted) }
}

/**
 * Returns what the agents of `--for` lose, cut or read differently, by the file paths that were given.
 * @param paths default: all skills
 */
export async function compatFindings(
  engine: Engine,
  paths: readonly string[] | undefined,
  invocation: AskedFor,
  io: Io,
): Promise<Map<string, readonly Diagnostic[]>> {
  // Diagnostics have the real path of a skill; lint reports the path where it found the file.
  const given = new Map<string, string>()
  for (const path of paths ?? []) given.set(realPathOf(path) ?? path, path)
  const asked = await compatFor(engine, { files: paths && [...given.keys()] }, invocation, io)
  const catalog = await engine.skills.catalog({ signal: io.signal })
  for (const { command } of catalog.entries)
    if (command.type === 'prompt' && command.file !== undefined && command.filePath !== undefined)
      given.set(command.file.realPath, given.get(command.file.realPath) ?? command.filePath)
  const found = new Map<string, readonly Diagnostic[]>()
  for (const one of await compatDiagnostics(asked.compat, { wanted: asked.wanted })) {
    const path = given.get(one.path ?? '') ?? one.path ?? ''
    found.set(path, [...(found.get(path) ?? []), { ...one, path }])
  }
  return found
}

function namesIn(given: string | undefined): readonly string[] | undefined {
  if (given === undefined) return undefined
  const names = given.split(',').map(name => name.trim())
  const wrong = names.find(name => !agentNames.some(one => one === name))
  if (wrong === undefined) return [...new Set(names)]
  const hint = proposal(wrong, agentNames) || ` There are ${agentNames.join(', ')}.`
  throw new UsageError(`There is no agent "${wrong}".${hint}`)
}
