import type { ExplainAnswer, Explanation } from '@skills/core'
import { skillJson } from './skill-json.js'
import type { LookedAt } from './explain-text.js'

/** An explanation as scripts get it. See docs/reference/output.md, "Explain output". */
export function explanationJson(
  { query, answers, notes, suggestions, incomplete }: Explanation,
  { distribution, sources, catalog: { places } }: LookedAt,
): Record<string, unknown> {
  return {
    query,
    answers: answers.map(answerJson),
    notes,
    suggestions,
    incomplete,
    distribution: distribution.name,
    precedence: sources,
    places,
  }
}

function answerJson(answer: ExplainAnswer): Record<string, unknown> {
  const {
    status,
    name,
    source,
    provider,
    path,
    command,
    chosenBy,
    shadows,
    shadowedBy,
    isListed,
    notListedBecause,
    diagnostics,
  } = answer
  return {
    ...skillJson({ state: status, name, source, provider, path, command, shadowedBy }),
    reason: chosenBy,
    shadows,
    isListed,
    notListedBecause,
    diagnostics,
  }
}
