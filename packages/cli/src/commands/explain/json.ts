import type { ExplainAnswer, Explanation } from '@skills/core'
import { skillJson } from '../../engine/skill-json.js'
import type { ExplanationJson, LayerJson } from '@skills/ui/internal'
import type { LookedAt } from './text.js'

/** Returns an explanation as JSON. See docs/reference/output.md, "Explain output". */
export function explanationJson(
  { query, answers, notes, suggestions, incomplete }: Explanation,
  { distribution, sources, catalog: { places } }: LookedAt,
): ExplanationJson {
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

function answerJson(answer: ExplainAnswer): LayerJson {
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
