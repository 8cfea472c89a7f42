import { stateStore } from '@skills/state'
import { unsavedState } from '@skills/state/internal'
import type { DistributionOptions } from '@skills/distributions'

// A file of its own: imported as a whole, these packages would be part of the file that every run reads.

/** Returns the state that reads what is stored, such as trusted folders, and saves nothing. */
export function unsaved(given: DistributionOptions['state']): DistributionOptions['state'] {
  return unsavedState(given !== undefined && 'setup' in given ? given : stateStore(given))
}
