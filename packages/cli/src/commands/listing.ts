import { enginePort, ListingRecord, skillReminder } from '@skills/skill-tool'
import { exitCodes, type Io } from '../io.js'
import { listingJson, printListing } from '../listing-text.js'
import { toldOf } from '../told.js'
import { UsageError } from '../usage-error.js'
import { withEngine } from '../engine.js'
import { writeJson } from '../write-json.js'
import type { Invocation } from '../parse-arguments.js'

/** `skills listing`. See docs/reference.md, "Listing output". */
export async function listing(invocation: Invocation, io: Io): Promise<number> {
  const contextWindow = tokensOf(invocation.text('--context-window'))
  const { signal } = io
  return withEngine(invocation, io, async ({ skills }) => {
    const made = await enginePort(skills).listing({ contextWindow }, { signal })
    const news = new ListingRecord().next(made)
    const text = news === undefined ? '' : skillReminder(news).content
    if (typeof text !== 'string') throw new TypeError('The reminder of the listing is no text.')
    const told = await toldOf({ skills, listing: made, text, contextWindow }, signal)
    if (invocation.json) writeJson(listingJson(told), io.stdout)
    else printListing(told, invocation, io)
    return exitCodes.ok
    // A model is not told of what waits for a file that is worked on.
  }, async () => ({ activation: {} }))
}

function tokensOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  const tokens = /^\d+$/.test(given) ? Number(given) : 0
  if (tokens < 1 || !Number.isSafeInteger(tokens)) throw new UsageError(`The option --context-window needs a whole number of tokens above 0, such as 200000, but was given "${given}".`)
  return tokens
}
