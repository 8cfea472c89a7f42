import { findingLine } from '../output/findings.js'
import { styleOf } from '../output/style.js'
import type { Diagnostic, Host } from '@skills/core'
import type { GivenRules } from '@skills/distributions/internal'
import type { Invocation } from '../arguments/invocation.js'
import type { Io } from '../io.js'

/** Returns errors for settings files whose permission rules cannot be read. */
export async function unreadableRules(host: Host): Promise<readonly Diagnostic[]> {
  const { settingsFiles } = await import('@skills/distributions/permissions')
  return unreadableIn({ files: settingsFiles(host) })
}

/** Returns errors for permission rules from configuration files. Each rule has its file as source. */
export async function unreadableIn(rules: GivenRules): Promise<readonly Diagnostic[]> {
  const { unreadableRules: errorsOf } = await import('@skills/distributions/permissions')
  return (await errorsOf(rules)).map(problem => ({ ...problem, provider: 'rules' }))
}

/** Writes these errors to standard error in every command, because unreadable rules deny nothing. */
export function printUnreadable(
  problems: readonly Diagnostic[],
  { isColorless }: Invocation,
  { stderr, env, cwd }: Io,
): void {
  const style = styleOf(stderr, env, isColorless)
  for (const problem of problems) stderr.write(`skills: ${findingLine(problem, cwd, style)}\n`)
}
