import { existsSync } from 'node:fs'
import { installPlace } from './place.js'
import { verify } from './verify.js'
import type { Diagnostic, Host } from '@skills/core'

export interface InstallProblemsCall {
  /** Returns a command of this program as it is typed. */
  readonly commandLine: (words: string) => string
  readonly signal: AbortSignal
}

/** Compares what is installed, for the project and for the user, with the disk and with what the agents find. */
export async function installProblems(
  host: Host,
  { commandLine, signal }: InstallProblemsCall,
): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = []
  for (const scope of ['project', 'user'] as const) {
    const place = installPlace(host, scope)
    if (!existsSync(place.manifest) && !existsSync(place.lock)) continue
    for (const { message, path, kind, skill } of await verify({ place, host, signal }))
      found.push({
        severity: 'error',
        type: 'validation',
        code: 'not-as-locked',
        path: `${place.root}/${path}`,
        message: `${message}.`,
        hint:
          kind === 'unseen'
            ? `See what would change that: ${commandLine(`compat ${skill}`)}`
            : `To put it in order: ${commandLine(`sync${scope === 'user' ? ' --user' : ''}`)}`,
      })
  }
  return found
}
