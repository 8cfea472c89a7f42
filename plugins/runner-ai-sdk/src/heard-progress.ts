import { messageOf } from '@skills/core'
import type { ConversationOptions } from './conversation-options.js'

/** Whoever is told of what happens must not end it by failing: the conversation goes on, and they are told no more. */
export function heardProgress({ progress, onDiagnostic }: ConversationOptions): ConversationOptions['progress'] {
  let isHeard = true
  return event => {
    if (!isHeard) return
    try {
      progress(event)
    } catch (error) {
      isHeard = false
      onDiagnostic({ severity: 'warning', type: 'source', code: 'progress-failed', message: `Whoever is told of the conversation failed: ${messageOf(error)}` })
    }
  }
}
