import { closestNames, type Plugin } from '@skills/core'
import { isJsonObject } from '@skills/files/internal'
import { knownKinds, replaces, type Single } from './parts.js'

/** Kinds of which every distribution has a provider, so that a plugin may need them. */
const present: readonly string[] = [
  'source',
  'gate',
  'state',
  'trust',
  'permission',
  'expander',
  'executor',
  'hooks',
  'formatter',
]

/**
 * Checks the providers of a configuration. Returns the providers as plugins, or the problem that would keep an engine
 * from being made with them.
 */
export function checkedProviders(
  given: unknown,
): { readonly plugins?: readonly Plugin[] } | { readonly problem: string; readonly field: string } {
  if (given === undefined) return {}
  if (!Array.isArray(given)) return { problem: '"providers" must be a list of plugins.', field: 'providers' }
  const providers: Single[] = []
  for (const [at, one] of given.flat().entries() as Iterable<[number, unknown]>) {
    const field = `providers[${at}]`
    if (!isProvider(one))
      return { problem: `"${field}" is not a provider: it must have a kind, an id and a function setup.`, field }
    if (!knownKinds.includes(one.kind)) {
      const [close] = closestNames(one.kind, knownKinds, 1)
      return {
        problem: `"${field}" has the unknown kind "${one.kind}". ${close === undefined ? `The kinds are ${knownKinds.join(', ')}.` : `The closest is "${close}".`}`,
        field,
      }
    }
    const rival = providers.find(other => replaces(one, other))
    if (rival !== undefined)
      return {
        problem: `"${field}", the ${one.kind} "${one.id}", would replace "${rival.id}" of the same list. Keep only one of the two.`,
        field,
      }
    providers.push(one)
  }
  for (const [at, { kind, id, needs = [] }] of providers.entries()) {
    const missing = needs.find(need => !present.includes(need) && !providers.some(one => one.kind === need))
    if (missing !== undefined)
      return {
        problem: `"providers[${at}]", the ${kind} "${id}", needs a provider of the kind "${missing}", but there is none.`,
        field: `providers[${at}]`,
      }
  }
  return { plugins: providers }
}

function isProvider(value: unknown): value is Single {
  return (
    isJsonObject(value) &&
    typeof value['kind'] === 'string' &&
    typeof value['id'] === 'string' &&
    value['id'] !== '' &&
    typeof value['setup'] === 'function' &&
    (value['needs'] === undefined || Array.isArray(value['needs']))
  )
}
