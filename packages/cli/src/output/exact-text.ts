import { bodyText } from './body-text.js'
import type { Io } from '../io.js'

/**
 * Prints a text for a model. A pipe or file gets it unchanged. A terminal gets it without control characters and with a
 * line feed at its end; if that changed the text, a line on standard error says so.
 */
export function printExact(text: string, { stdout, stderr }: Io): void {
  if (!stdout.isTerminal) return stdout.write(text)
  const shown = bodyText({ template: text })
  stdout.write(shown.text)
  if (!shown.isVerbatim)
    stderr.write(
      'skills: The text has characters that would control the terminal; they are shown as numbers. A pipe and --json get the text unchanged.\n',
    )
}
