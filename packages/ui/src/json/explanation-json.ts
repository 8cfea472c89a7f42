import { skillJson } from './skill-json.js'
import type { Catalog, ExplainAnswer, Explanation } from '@skills/core'
import type { Distribution } from '@skills/distributions'
import type { ExplanationJson, LayerJson } from '../api.js'

/** Returns an explanation as JSON. See docs/reference/output.md, "Explain output". */
export function explanationJson(
  { query, answers, notes, suggestions, incomplete }: Explanation,
  { name, precedence = [] }: Pick<Distribution, 'name' | 'precedence'>,
  { places }: Catalog,
): ExplanationJson {
  return {
    query,
    answers: answers.map(answerJson),
    notes,
    suggestions,
    incomplete,
    distribution: name,
    precedence,
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
