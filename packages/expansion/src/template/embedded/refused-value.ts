import { takeText } from './plain-commands.js'
import { refusedPowerShellValue } from './powershell-values.js'
import { isWholeNumber, type Refusal, type ShellValue } from './shell-value.js'

/**
 * Says which value must not be given to a script in a variable of the environment, since the shell or a program that it
 * starts might evaluate it: it follows each value to every place where it may come to stand. See
 * docs/reference/expansion.md, "Embedded commands". Nothing is run.
 * @param script with the variables in it
 * @param values by variable
 */
export async function refusedValue(
  shell: 'bash' | 'powershell',
  script: string,
  values: Readonly<Record<string, ShellValue>>,
): Promise<Refusal | undefined> {
  if (Object.values(values).every(({ text }) => isWholeNumber(text))) return undefined
  if (shell === 'bash' && takeText(script, values)) return undefined
  // A grammar is loaded only for a command that is not as plain as most are.
  return shell === 'bash'
    ? (await import('./bash-values.js')).refusedBashValue(script, values)
    : refusedPowerShellValue(script, values)
}
