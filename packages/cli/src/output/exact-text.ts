import { bodyText } from './body-text.js'
import type { Io } from '../io.js'

/**
 * Prints a text for a model. Into a pipe or a file it goes to the letter; on a terminal nothing in it is obeyed, it
 * ends with a line feed, and a line beside it says when something was changed for that.
 */
export function printExact(text: string, { stdout, stderr }: Io): void {
  if (!stdout.isTerminal) return stdout.write(text)
  const shown = bodyText({ template: text })
  stdout.write(shown.text)
  if (!shown.isVerbatim)
    stderr.write(
      'skills: The text has characters that a terminal would obey; they are shown as their numbers. In a pipe, and with --json, it is as it is.\n',
    )
}
