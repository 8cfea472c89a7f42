import { toldListing } from '@skills/host/internal'
import { exitCodes, type Io } from '../../io.js'
import { listingJson } from '@skills/ui/internal'
import { printListing } from './text.js'
import { printCosts } from './costs-text.js'
import { proposal, UsageError } from '../../arguments/usage-error.js'
import { tokensOf } from '../../arguments/tokens.js'
import { asAgentsHave, withEngine } from '../../engine/engine.js'
import { writeJson } from '../../output/write-json.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'
import type { DistributionOptions } from '@skills/distributions'
import type { Strategies } from '@skills/invocation/skill-tool'

/** `skills listing`. See docs/reference/output.md, "Listing output". */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const contextWindow = tokensOf(invocation)
  const message = invocation.text('--message')
  const strategy = invocation.text('--strategy') ?? (message === undefined ? undefined : 'shortlist')
  if (message !== undefined && strategy !== 'shortlist')
    throw new UsageError(`A listing by the strategy "${strategy}" does not depend on a message: leave "--message" out.`)
  return withEngine(
    invocation,
    io,
    async engine => {
      if (strategy !== undefined)
        refuseStrategy(strategy, [...Object.keys(strategies), ...engine.skills.use('strategy').ids])
      const told = await toldListing(engine, {
        contextWindow,
        messages: message === undefined ? undefined : [message],
        signal: io.signal,
      })
      if (invocation.json) writeJson(listingJson(told), io.stdout)
      else if (invocation.has('--costs')) printCosts(told, invocation, io)
      else printListing(told, invocation, io)
      return exitCodes.ok
      // Lists the skills that the program brings along too, but no conditional skills.
    },
    async (host, configured) => ({
      ...(await asAgentsHave(host, configured)),
      ...(strategy !== undefined && {
        // Only the engine knows which names are strategies, and it is created from this option.
        listing: {
          ...((configured.listing?.strategy ?? 'fair') === strategy && configured.listing),
          strategy: strategy as StrategyName,
        },
      }),
    }),
  )
}

/** Names of strategies that need no plugin. */
type StrategyName = Exclude<NonNullable<NonNullable<DistributionOptions['listing']>['strategy']>, keyof Strategies>

/** All built-in strategies. A new one does not compile until it is added here. */
const strategies: Readonly<Record<StrategyName, true>> = {
  fair: true,
  filling: true,
  proportional: true,
  cutoff: true,
  fixed: true,
  xml: true,
  grouped: true,
  dealt: true,
  shortlist: true,
}

function refuseStrategy(given: string, names: readonly string[]): void {
  if (names.includes(given)) return
  throw new UsageError(`There is no strategy "${given}".${proposal(given, names)} There are ${names.join(', ')}.`)
}
