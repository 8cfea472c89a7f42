import type { Visibility } from '@skills/invocation/internal'

/** Listed is what an author described, or said when to use: a description that was taken from the text is none. */
export const authoredOnly: Visibility = {
  isDescribed: ({ hasUserSpecifiedDescription, whenToUse = '' }) => hasUserSpecifiedDescription || whenToUse !== '',
}
