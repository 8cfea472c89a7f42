import { createSkills, type Host } from '@skills/core'
import { standard } from '@skills/distributions'
import { consentItems, type JudgedItem } from '@skills/distributions/configuration'
import { isTrustedFolder, trustFolder, type openState } from '@skills/distributions/trust'
import type { Terminal } from './terminal.js'

type State = ReturnType<typeof openState>

/** Returns everything that trusting the project switches on. Runs nothing of it. */
export async function itemsOf(host: Host, state: State): Promise<readonly JudgedItem[]> {
  const distribution = standard({ host, builtin: false, onDiagnostic: () => {} })
  const skills = createSkills(distribution)
  try {
    return (await consentItems(host, { state, catalog: await skills.catalog(), shell: distribution.shell })).items
  } finally {
    await skills.close()
  }
}

/**
 * Shows each new or changed item of the project whole, and agrees to exactly these after a yes. Does not ask if there is
 * nothing new. Returns true if the folder is trusted in the end.
 */
export async function askForTrust(
  host: Host,
  state: State,
  { confirm, write }: Pick<Terminal, 'confirm' | 'write'>,
): Promise<boolean> {
  const items = (await itemsOf(host, state)).filter(item => item.state !== 'agreed')
  if (items.length === 0 && (await isTrustedFolder(state, host.cwd, host))) return true
  for (const { kind, label, path, text, state: word } of items)
    write(
      `${shown(`${kind} ${label} (${word}, ${path})`)}\n${text
        .split('\n')
        .map(line => `  | ${shown(line)}\n`)
        .join('')}`,
    )
  if (!(await confirm(`Trust ${shown(host.cwd)}, with what is shown?`))) return false
  await trustFolder(state, host.cwd, host, { items })
  return true
}

/** Returns a text in which characters that control a terminal are numbers. */
function shown(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    found => `<U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
  )
}
