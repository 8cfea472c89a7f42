import { messageOf, type Diagnostic } from '@skills/core'

export interface Heard<Event> {
  readonly progress: (event: Event) => void
  readonly report: (diagnostic: Diagnostic) => void
  /** Name of the listener's subject in the diagnostic: `the conversation`. */
  readonly of: string
}

/**
 * Wraps a `progress` listener. If the listener throws, the failure is reported and the listener is not called again;
 * the run continues.
 */
export function heardProgress<Event>({ progress, report, of }: Heard<Event>): (event: Event) => void {
  let isHeard = true
  return event => {
    if (!isHeard) return
    try {
      progress(event)
    } catch (error) {
      isHeard = false
      report({
        severity: 'warning',
        type: 'source',
        code: 'progress-failed',
        message: `The listener for ${of} failed: ${messageOf(error)}`,
      })
    }
  }
}
