import { refusedValue } from '../template/embedded/refused-value.js'
import { scriptQuotings } from '../template/embedded/script-quotings.js'
import type { Shells } from '@skills/core'
import type { Shell } from '../template/shell.js'

/** Programs that run scripts, each a name or an absolute path, by the word for the shell. */
export type ShellPrograms = { readonly [S in keyof Shells]?: string | undefined }

const bash: Shell = {
  tool: 'Bash',
  dropsReturns: true,
  quotings: (script, references) => scriptQuotings('bash', script, references),
  refused: (script, values) => refusedValue('bash', script, values),
  variable(name, quoting) {
    if (quoting === 'single') return `'"\${${name}}"'`
    return quoting === 'bare' ? `"\${${name}}"` : `\${${name}}`
  },
  // In the line of the script's beginning, so that the lines that bash names in its messages stay those of the script.
  merged: script => `exec 2>&1; ${script}`,
  // No start-up files: a script must not depend on who runs it.
  call: script => ({ program: 'bash', args: ['--noprofile', '--norc', '-c', '--', script] }),
}

const powershell: Shell = {
  tool: 'PowerShell',
  quotings: (script, references) => scriptQuotings('powershell', script, references),
  refused: (script, values) => refusedValue('powershell', script, values),
  variable(name, quoting, next) {
    if (quoting === 'bare') return `"$env:${name}"`
    // Inside text, the name would include the characters after it, in any alphabet.
    return /[\w:?]|[^\0-\x7F]/.test(next) ? `\${env:${name}}` : `$env:${name}`
  },
  // Only Windows has Windows PowerShell; elsewhere only the newer one can be installed.
  call: (script, { platform }) => ({
    program: platform === 'win32' ? 'powershell' : 'pwsh',
    args: ['-NoProfile', '-NonInteractive', '-Command', script],
  }),
}

/** Shells that are built in. */
export const ownShells: ReadonlyMap<string, Shell> = new Map([
  ['bash', bash],
  ['powershell', powershell],
])
