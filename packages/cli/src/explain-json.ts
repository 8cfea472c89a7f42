import type { ExplainAnswer, Explanation } from '@skills/core'
import { skillJson } from './skill-json.js'

/** An explanation as scripts get it. See docs/reference.md, "Explain output". */
export function explanationJson({ query, answers, notes, suggestions }: Explanation): Record<string, unknown> {
  return { query, answers: answers.map(answerJson), notes, suggestions }
}

function answerJson(answer: ExplainAnswer): Record<string, unknown> {
  const { status, name, source, provider, path, command, chosenBy, shadows, shadowedBy, isListed, notListedBecause, diagnostics } = answer
  return {
    ...skillJson({ state: status, name, source, provider, path, command, shadowedBy }),
    reason: chosenBy, shadows, isListed, notListedBecause, diagnostics,
  }
}
