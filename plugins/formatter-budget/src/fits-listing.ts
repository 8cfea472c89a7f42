import { budgetFor, budgetOf } from './budget.js'
import { formatterSettings, type AnyListing, type StrategyName } from './strategy-options.js'
import type { CatalogEntry, Host } from '@skills/core'

/** Strategies that list every description whole if all of them have room. */
const dividing: readonly StrategyName[] = ['fair', 'filling', 'proportional']
/** Characters of a line besides its texts: hyphen, colon, parentheses, dash and line feed. */
const aroundLine = 16
/** Text that a listing shows as it is. */
const plain = /^[ -;=?-~]*$/
/** Largest number of characters that escaping makes of one. */
const widest = 8

export interface FitsCall {
  readonly host: Pick<Host, 'env'>
  readonly contextWindow: number | undefined
  /** Characters of entries that are not among the given ones. */
  readonly besides: number
}

/**
 * True if a listing surely tells a model of all these entries whole, also of those that it may not list. False if only
 * the listing itself can say. It is decided from lengths, without the code of the formatter.
 */
export function fitsListing(
  entries: readonly CatalogEntry[],
  listing: AnyListing,
  { host, contextWindow, besides }: FitsCall,
): boolean {
  const settings = formatterSettings(listing)
  if (!('maxDescription' in settings) || !('fraction' in settings) || !dividing.includes(settings.strategy))
    return false
  const configured = budgetOf(host)
  const { fraction, maxDescription = settings.maxDescription } = ('settings' in settings && settings.settings?.()) || {}
  const { chars, tokens } = budgetFor(
    contextWindow,
    settings,
    configured === 'invalid' ? undefined : configured,
    fraction,
  )
  if (tokens !== undefined && settings.tokens !== undefined) return false
  let room = chars - besides
  for (const { name, command } of entries) {
    const whenToUse = command.type === 'prompt' ? (command.whenToUse ?? '') : ''
    const plugin = command.type === 'prompt' ? (command.pluginName ?? '') : ''
    const said = sizeOf(command.description) + sizeOf(whenToUse)
    room -= said + sizeOf(name) + sizeOf(command.displayName) + sizeOf(plugin) + aroundLine
    if (room < 0 || said + aroundLine > maxDescription) return false
  }
  return true
}

function sizeOf(text: string): number {
  return plain.test(text) ? text.length : widest * text.length
}
