import { skillJson } from './skill-json.js'
import { toldJson } from './told-json.js'
import type { Catalog } from '@skills/core'
import type { ToldAnswer, ToldExplanation } from '@skills/host/internal'
import type { Distribution } from '@skills/distributions'
import type { ExplanationJson, LayerJson } from '../api.js'

/** Returns an explanation as JSON. See docs/reference/output.md, "Explain output". */
export function explanationJson(
  { query, answers, notes, suggestions, incomplete }: ToldExplanation,
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

function answerJson(answer: ToldAnswer): LayerJson {
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
    told,
  } = answer
  return {
    ...skillJson({ state: status, name, source, provider, path, command, shadowedBy }),
    reason: chosenBy,
    shadows,
    isListed,
    notListedBecause,
    told: toldJson(told),
    diagnostics,
  }
}
