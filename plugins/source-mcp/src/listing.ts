import { isDeepStrictEqual } from 'node:util'
import { oneLine } from '@skills/invocation/skill-tool'
import { promptOf, skillOf } from './commands.js'
import { assignNames } from './names.js'
import { problem, type Offer, type Offers } from './read-offers.js'
import type { Command, Diagnostic } from '@skills/core'
import type { McpSettings } from './options.js'
import type { Requests } from './requests.js'

/** List of a server, as commands by name. */
export interface Listed {
  readonly commands: ReadonlyMap<string, { readonly command: Command; readonly offer: Offer }>
  readonly problems: readonly Diagnostic[]
}

/** Empty list, for a server that has not answered yet or was given up. */
export const nothing: Listed = { commands: new Map(), problems: [] }

interface ListingParts {
  readonly server: string
  readonly part: string
  readonly offers: Offers
  /** Last list. Unchanged entries keep the same command object. */
  readonly previous: Listed
  readonly settings: McpSettings
  readonly requests: Requests
}

/** Makes the commands for the prompts and skills that a server offers. */
export function commandsOf({ server, part, offers, previous, settings, requests }: ListingParts): Listed {
  const problems = [...offers.problems]
  const wanted = offers.offers.filter(offer => {
    if (offer.kind === 'prompt' || offer.entry.resources !== 'dynamic' || settings.dynamicSkills) return true
    problems.push(
      problem(
        server,
        'mcp-skill-unverifiable',
        offer.given,
        `The skill "${oneLine(offer.given)}" of the MCP server "${server}" has no digests, so its content cannot be compared with what the server lists.`,
        'Set dynamicSkills to list it all the same.',
      ),
    )
    return false
  })
  const names = assignNames(
    part,
    wanted.map(offer => ({
      offer,
      given: offer.given,
      isFirst: offer.kind === 'prompt',
      identity: `${offer.kind} ${offer.kind === 'prompt' ? offer.given : offer.entry.uri}`,
      ...(offer.kind === 'skill' && { otherwise: pathOf(offer.entry.uri) }),
    })),
    settings.normalise,
  )
  const commands = new Map<string, { command: Command; offer: Offer }>()
  for (const [{ offer }, { name, isRenamed }] of names) {
    if (isRenamed)
      problems.push({
        ...problem(
          server,
          'mcp-name-collision',
          offer.given,
          `The ${offer.kind} "${oneLine(offer.given)}" of the MCP server "${server}" is listed as "${name}", because another one has its name.`,
        ),
        severity: 'warning',
      })
    const before = previous.commands.get(name)
    if (before !== undefined && isDeepStrictEqual(before.offer, offer)) {
      commands.set(name, before)
      continue
    }
    const command =
      offer.kind === 'prompt'
        ? promptOf(server, name, offer, requests)
        : skillOf(server, name, offer, settings, requests)
    if (typeof command !== 'string') commands.set(name, { command, offer })
    else
      problems.push(
        problem(
          server,
          'mcp-invalid-skill',
          offer.given,
          `The skill "${oneLine(offer.given)}" of the MCP server "${server}" is left out: ${oneLine(command)}`,
        ),
      )
  }
  return { commands, problems }
}

/** Returns the path of a skill on its server, such as `acme/billing/refunds`. */
function pathOf(uri: string): string {
  return uri.replace(/^[^:]*:\/*/, '').replace(/\/SKILL\.md$/, '')
}
