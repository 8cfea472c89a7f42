import { installContext, installPlace, largeLimits, readManifest, type InstallContext } from '@skills/install'
import { hostOf } from './engine.js'
import { printableLine } from './printable.js'
import { ProgressLine } from './progress.js'
import type { Host } from '@skills/core'
import type { Invocation } from './parse-arguments.js'
import type { Io } from './io.js'

/** Does work where the options say; what is waited for is shown on a terminal. */
export async function withInstall<T>(
  invocation: Invocation,
  io: Io,
  work: (context: InstallContext) => T | Promise<T>,
): Promise<T> {
  const { has, texts } = invocation
  const line = io.stderr.isTerminal ? new ProgressLine(io.stderr) : undefined
  const host = hostOf(invocation, io)
  const scope = has('--user') ? 'user' : 'project'
  const agents = (): readonly string[] => [
    ...readManifest(installPlace(host, scope).manifest).agents,
    ...texts('--agent'),
  ]
  try {
    return await work(
      installContext({
        host,
        scope,
        signal: io.signal,
        compat: (folder, signal) => compatLines(folder, [...new Set(agents())], host, signal),
        ...(has('--allow-large') && { limits: largeLimits }),
        ...(line !== undefined && { onProgress: text => line.show(`${printableLine(text)} …`) }),
      }),
    )
  } finally {
    line?.erase()
  }
}

/** Which fields of a skill its agents will ignore or read in another way. */
async function compatLines(
  folder: string,
  names: readonly string[],
  host: Host,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (names.length === 0) return []
  const { agentNamed, own } = await import('./compat-agents.js')
  const { compat, compatDiagnostics } = await import('@skills/inspect/compat')
  const agents = await Promise.all(names.map(agentNamed))
  const found = await compat({ reference: own, agents, host, files: [`${folder}/SKILL.md`], signal })
  // Whether an agent finds it where it is staged says nothing: it gets a place of its own.
  return (await compatDiagnostics(found)).filter(({ field }) => field !== undefined).map(({ message }) => message)
}
