import type { Budget } from './budget.js'
import type { Draft } from './strategy.js'

/** Each lays the listing out anew. */
const mostAttempts = 6

/**
 * A listing within a budget of tokens as somebody counts them, rather than of characters: the characters are corrected by what the
 * text came to. A script whose characters are tokens each gets fewer of them, and one that packs well gets more.
 */
export function layByTokens(lay: (chars: number) => Draft, { chars, tokens = chars }: Budget, count: (text: string) => number): { readonly draft: Draft; readonly chars: number } {
  let best: { readonly draft: Draft; readonly chars: number } | undefined
  let [least, most] = [0, Infinity]
  let wanted = chars
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const draft = lay(wanted)
    const taken = count(draft.text)
    if (taken <= tokens) {
      least = wanted
      best = { draft, chars: wanted }
      if (draft.omitted.length + draft.truncated.length === 0) break
    } else {
      most = wanted
    }
    const guess = Math.floor(wanted * tokens / Math.max(1, taken))
    // Beyond what was tried already a guess is no news.
    wanted = guess > least && guess < most ? guess : Math.floor((least + Math.min(most, 2 * Math.max(least, 1))) / 2)
    if (wanted <= least || wanted >= most) break
  }
  return best ?? { draft: lay(least), chars: least }
}
