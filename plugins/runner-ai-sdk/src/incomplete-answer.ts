import type { Diagnostic } from '@skills/core'
import type { FinishReason } from 'ai'

/**
 * Returns the diagnostic for an answer that ended early. Undefined if the answer is complete.
 * @param whose subject of the message, such as `the agent a1`
 */
export function incompleteAnswer(whose: string, reason: FinishReason): Diagnostic | undefined {
  if (reason !== 'length' && reason !== 'content-filter') return undefined
  const why = reason === 'length' ? 'it reached the limit of its length' : 'the provider filtered the rest out'
  return {
    severity: 'warning',
    type: 'source',
    code: 'answer-incomplete',
    message: `An answer of ${whose} ended early: ${why}.`,
  }
}
