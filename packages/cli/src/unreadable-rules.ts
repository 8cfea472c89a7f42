import { findingLine } from './findings.js'
import { styleOf } from './style.js'
import type { Diagnostic, Host } from '@skills/core'
import type { Invocation } from './parse-arguments.js'
import type { Io } from './io.js'

/** What keeps permission rules of settings files from being read. */
export async function unreadableRules(host: Host): Promise<readonly Diagnostic[]> {
  const { settingsFiles, unreadableSettings } = await import('@skills/distributions/permissions')
  return unreadableSettings(settingsFiles(host)).map(problem => ({ ...problem, provider: 'rules' }))
}

/** Says it beside the output, whatever the command is: what somebody denied counts in no command. */
export function printUnreadable(problems: readonly Diagnostic[], { isColorless }: Invocation, { stderr, env, cwd }: Io): void {
  const style = styleOf(stderr, env, isColorless)
  for (const problem of problems) stderr.write(`skills: ${findingLine(problem, cwd, style)}\n`)
}
