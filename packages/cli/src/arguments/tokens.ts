import { UsageError } from './usage-error.js'
import type { Invocation } from './invocation.js'

/** Returns the value of `--context-window` in tokens, or undefined if it was not given. */
export function tokensOf({ text }: Pick<Invocation<'--context-window <tokens>'>, 'text'>): number | undefined {
  const given = text('--context-window')
  if (given === undefined) return undefined
  const tokens = /^\d+$/.test(given) ? Number(given) : 0
  if (tokens < 1 || !Number.isSafeInteger(tokens))
    throw new UsageError(
      `The option --context-window needs a whole number of tokens above 0, such as 200000, but was given "${given}".`,
    )
  return tokens
}
