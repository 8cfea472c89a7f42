import { isCancel, select } from '@clack/prompts'
import type { Choice } from './io.js'

// A file of its own in what is published, read with the first question.

/**
 * Asks on the terminal, beside the output: what was asked for may go into a file meanwhile. Undefined when the person gives
 * up, with Ctrl-C or Escape, or the signal aborts.
 */
export async function choose(title: string, choices: readonly Choice[], signal: AbortSignal): Promise<string | undefined> {
  const answer = await select({ message: title, options: choices.map(choice => ({ ...choice })), input: process.stdin, output: process.stderr, signal })
  return isCancel(answer) ? undefined : answer
}
