import type { Diagnostic } from '@skills/core'
import type { FinishReason } from 'ai'

/**
 * What is to be reported of an answer that ended before its model was done; undefined where it is whole.
 * @param whose as `the agent a1`
 */
export function incompleteAnswer(whose: string, reason: FinishReason): Diagnostic | undefined {
  if (reason !== 'length' && reason !== 'content-filter') return undefined
  const why = reason === 'length' ? 'it had no room left' : 'the provider held the rest back'
  return {
    severity: 'warning',
    type: 'source',
    code: 'answer-incomplete',
    message: `An answer of ${whose} ended early: ${why}.`,
  }
}
