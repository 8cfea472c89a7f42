import type { Host } from '@skills/core'
import type { Shell } from '@skills/template'

/** How a script is run. */
export interface InterpreterCall {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Programs to run instead of those that the search path has. */
export type Programs = { readonly [S in Shell]?: string | undefined }

/** Runs a script without anybody's start-up files: what it does must not depend on who runs it. */
export function interpreterCall(shell: Shell, script: string, values: Readonly<Record<string, string>>, host: Host, programs: Programs): InterpreterCall {
  // Bash reads the file that BASH_ENV names even for a script; sh does so with ENV.
  const { BASH_ENV: _bash, ENV: _sh, ...inherited } = host.env
  const env = { ...inherited, ...values }
  const program = programs[shell]
  if (shell === 'bash') return { program: program ?? 'bash', args: ['--noprofile', '--norc', '-c', '--', script], env }
  // Only Windows has Windows PowerShell; elsewhere it is the newer one or none.
  const known = host.platform === 'win32' ? 'powershell' : 'pwsh'
  return { program: program ?? known, args: ['-NoProfile', '-NonInteractive', '-Command', script], env }
}
