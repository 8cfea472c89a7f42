import { fitsListing } from '@skills/distributions/internal'
import { ownChars, type ToldCall, type ToldEngine } from '@skills/invocation/internal'
import type { Distribution } from '@skills/distributions'

/** Engine, and the options of its listing. */
type ListingEngine = ToldEngine & { readonly distribution: Pick<Distribution, 'listing'> }

/** Characters in a listing for the skills that the program brings along, and some more. */
const roomForBundled = 1200

/**
 * True if the lengths of the texts show that the model is told of every skill whole, also if the program brings some
 * along. Makes no listing.
 */
export async function areSurelyTold(
  { skills, distribution }: ListingEngine,
  { signal, contextWindow }: ToldCall = {},
): Promise<boolean> {
  const { entries } = await skills.catalog({ signal })
  const isOwn = skills.use('formatter').ids[0] === 'budget'
  return (
    isOwn &&
    fitsListing(entries, distribution.listing, {
      host: skills.host,
      contextWindow,
      besides: roomForBundled + ownChars(distribution.ofProgram?.own ?? [], Infinity),
    })
  )
}
