import { refusedValue } from '../template/embedded/refused-value.js'
import { scriptQuotings } from '../template/embedded/script-quotings.js'
import type { Shell } from '../template/shell.js'

const bash: Shell = {
  tool: 'Bash',
  dropsReturns: true,
  quotings: (script, references) => scriptQuotings('bash', script, references),
  refused: (script, values) => refusedValue('bash', script, values),
  variable: (name, quoting) => (quoting === 'bare' ? `"\${${name}}"` : `\${${name}}`),
  // Without start-up files: what a script does must not depend on who runs it.
  call: script => ({ program: 'bash', args: ['--noprofile', '--norc', '-c', '--', script] }),
}

const powershell: Shell = {
  tool: 'PowerShell',
  quotings: (script, references) => scriptQuotings('powershell', script, references),
  refused: (script, values) => refusedValue('powershell', script, values),
  variable(name, quoting, next) {
    if (quoting === 'bare') return `"$env:${name}"`
    // In text the name would go on with what stands behind it, in any alphabet.
    return /[\w:?]|[^\0-\x7F]/.test(next) ? `\${env:${name}}` : `$env:${name}`
  },
  // Only Windows has Windows PowerShell; elsewhere it is the newer one or none.
  call: (script, { platform }) => ({
    program: platform === 'win32' ? 'powershell' : 'pwsh',
    args: ['-NoProfile', '-NonInteractive', '-Command', script],
  }),
}

/** The shells that need no plugin. */
export const ownShells: ReadonlyMap<string, Shell> = new Map([
  ['bash', bash],
  ['powershell', powershell],
])
