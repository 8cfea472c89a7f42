import { autocompleteMultiselect, isCancel, select } from '@clack/prompts'
import type { Choice } from '../io.js'

// The build puts this into a file of its own, which is read with the first question.

/** Keys that move through a list of choices, with their direction. */
const moves: Readonly<Record<string, 1 | -1>> = { up: -1, left: -1, k: -1, h: -1, down: 1, right: 1, j: 1, l: 1 }

/**
 * Asks on standard error, because standard output may go into a file. Return selects the marked choice, at first the
 * first one. `y` and `n`, or the words, mark the first choice that begins with that letter. Returns undefined if the
 * person cancels with Ctrl-C or Escape, if the input ends, or if the signal aborts.
 */
export async function choose(
  title: string,
  choices: readonly Choice[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const { stdin } = process
  let marked = 0
  const onKey = (character: string | undefined, { name = '' }: { readonly name?: string | undefined } = {}): void => {
    marked = (marked + (moves[name] ?? 0) + choices.length) % choices.length
    const letter = character?.toLowerCase()
    const meant =
      letter === 'y' || letter === 'n' ? choices.findIndex(({ label }) => label.toLowerCase().startsWith(letter)) : -1
    // The library cannot be told which choice to mark, so the keys that lead to it are sent.
    for (let left = meant < 0 ? 0 : meant - marked; left !== 0; left -= Math.sign(left))
      stdin.emit('keypress', undefined, { name: left > 0 ? 'down' : 'up' })
  }
  stdin.on('keypress', onKey)
  try {
    const answer = await untilInputEnds(signal, async either =>
      select({
        message: choices.some(({ label }) => /^y/i.test(label)) ? `${title} (y/N)` : title,
        options: choices.map(choice => ({ ...choice })),
        input: stdin,
        output: process.stderr,
        signal: either,
      }),
    )
    return isCancel(answer) ? undefined : answer
  } finally {
    stdin.off('keypress', onKey)
  }
}

/**
 * Asks at the terminal for several choices: letters filter the list, Tab marks a choice, Return accepts all marked
 * ones. Returns undefined if the person cancels with Ctrl-C or Escape, if the input ends, or if the signal aborts.
 */
export async function chooseSome(
  title: string,
  choices: readonly Choice[],
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const answer = await untilInputEnds(signal, async either =>
    autocompleteMultiselect({
      message: title,
      options: choices.map(choice => ({ ...choice })),
      placeholder: 'Type to narrow the list',
      maxItems: 12,
      required: true,
      input: process.stdin,
      output: process.stderr,
      signal: either,
    }),
  )
  return isCancel(answer) ? undefined : answer
}

/**
 * Asks with a signal that also aborts when the input ends, as with Ctrl-D. The library would wait for an answer that can
 * no longer come.
 */
async function untilInputEnds<T>(signal: AbortSignal, ask: (either: AbortSignal) => Promise<T>): Promise<T> {
  const { stdin } = process
  const ended = new AbortController()
  const end = (): void => ended.abort()
  const onKey = (_character: unknown, key?: { readonly name?: string; readonly ctrl?: boolean }): void => {
    if (key?.ctrl === true && key.name === 'd') end()
  }
  stdin.on('keypress', onKey).on('end', end)
  try {
    return await ask(AbortSignal.any([signal, ended.signal]))
  } finally {
    stdin.off('keypress', onKey).off('end', end)
  }
}
