import type { Visibility } from '@skills/invocation/internal'

/**
 * Lists skills whose author wrote a description or `when_to_use`. A description taken from the text of a skill is not
 * enough.
 */
export const authoredOnly: Visibility = {
  isDescribed: ({ hasUserSpecifiedDescription, whenToUse = '' }) => hasUserSpecifiedDescription || whenToUse !== '',
}
