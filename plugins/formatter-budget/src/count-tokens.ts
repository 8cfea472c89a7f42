import { SkillsError } from '@skills/core'
import type { Budget } from './budget.js'
import type { Draft } from '@skills/invocation/skill-tool'

/** Most attempts. Each makes the whole layout. */
const mostAttempts = 6

/**
 * Makes a listing within a budget of tokens as `count` counts them. Tries budgets in characters and corrects each by
 * the number of tokens in the resulting text. A text with many tokens for its length gets fewer characters, and a text
 * with few tokens gets more. Each attempt counts the whole text once, regardless of the number of skills. Throws
 * `E_INVALID_OPTION` if `count` returns no number, and the errors of `count`.
 */
export function layByTokens(
  lay: (chars: number) => Draft,
  { chars, tokens = chars }: Budget,
  count: (text: string) => number,
): { readonly draft: Draft; readonly chars: number } {
  let best: { readonly draft: Draft; readonly chars: number } | undefined
  let [least, most] = [0, Infinity]
  let wanted = chars
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const draft = lay(wanted)
    const taken = counted(draft.text, count)
    if (taken <= tokens) {
      least = wanted
      best = { draft, chars: wanted }
      if (draft.omitted.length + draft.truncated.length === 0) break
    } else {
      most = wanted
    }
    const guess = Math.floor((wanted * tokens) / Math.max(1, taken))
    // A guess outside of what was tried already gives nothing new.
    wanted = guess > least && guess < most ? guess : Math.floor((least + Math.min(most, 2 * Math.max(least, 1))) / 2)
    if (wanted <= least || wanted >= most) break
  }
  return best ?? { draft: lay(least), chars: least }
}

/** Counts tokens. A value that is not a number would fit into no budget and omit every skill silently, so it throws. */
function counted(text: string, count: (text: string) => number): number {
  const taken: unknown = count(text)
  if (typeof taken === 'number' && taken >= 0 && Number.isFinite(taken)) return taken
  throw new SkillsError(
    'E_INVALID_OPTION',
    `The option "tokens" of the listing returned ${said(taken)} for a text of ${text.length} characters.`,
    { hint: 'The function has to return the number of tokens at once, as a number that is not negative.' },
  )
}

function said(value: unknown): string {
  if (value instanceof Promise) return 'a promise'
  if (typeof value === 'string') return JSON.stringify(value)
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
