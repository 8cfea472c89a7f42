import { compareCodeUnits } from './name.js'
import { fail } from './error.js'
import { refuse } from './options.js'
import type { KindDefinition } from './kind.js'
import type { AnyProvider, Kind, Plugin } from './provider.js'

/** Provider with its kind's rules. Its own time limit replaces that of the kind. */
export interface Registered
  extends Pick<KindDefinition, 'onFailure'>, Required<Pick<KindDefinition, 'limitMs' | 'contracts'>> {
  readonly provider: AnyProvider
  /** Name of the provider in sentences. */
  readonly label: string
}

/**
 * Checks providers and kinds, and puts each kind's providers in order: by `order`, then by id.
 * @throws SkillsError `E_UNKNOWN_KIND`, `E_DUPLICATE_KIND`, `E_DUPLICATE_PROVIDER`, `E_TOO_MANY_PROVIDERS`,
 * `E_MISSING_PROVIDER` or `E_INVALID_OPTION`
 */
export function registerProviders(
  plugins: readonly Plugin[],
  kinds: readonly KindDefinition[],
): ReadonlyMap<Kind, readonly Registered[]> {
  const definitions = new Map<string, KindDefinition>()
  for (const definition of kinds) {
    const { kind } = definition
    if ((definitions.get(kind) ?? definition) !== definition) {
      fail(
        'E_DUPLICATE_KIND',
        `The kind "${kind}" is defined twice.`,
        'Import its definition from one place, or rename one of them.',
      )
    }
    definitions.set(kind, definition)
  }

  const registered = new Map<Kind, Registered[]>()
  for (const provider of plugins.flat() as readonly AnyProvider[]) {
    const { kind, id, setup }: Partial<AnyProvider> = provider
    const lacks = !id ? 'id' : typeof setup === 'function' ? undefined : 'setup'
    if (lacks) refuse(`A provider of the kind "${kind}" has no ${lacks}.`, 'Make it with defineProvider().')
    const definition = definitions.get(kind)
    if (definition === undefined) {
      const known = [...definitions.keys()].toSorted(compareCodeUnits).join(', ')
      const hint = `Known kinds: ${known}. Pass its definition in createSkills({ kinds }).`
      fail('E_UNKNOWN_KIND', `The provider "${id}" is of the kind "${kind}", which no one defined.`, hint)
    }
    const { onFailure, limitMs, contracts = [1] } = definition
    const one = {
      provider,
      onFailure,
      contracts,
      limitMs: provider.limitMs ?? limitMs,
      label: `${kind} provider "${id}"`,
    }
    registered.set(kind, [...(registered.get(kind) ?? []), one])
  }

  for (const [kind, providers] of registered) {
    providers.sort(
      ({ provider: a }, { provider: b }) => (a.order ?? 0) - (b.order ?? 0) || compareCodeUnits(a.id, b.id),
    )
    const ids = providers.map(({ provider }) => provider.id)
    const twice = ids.find((id, at) => ids.indexOf(id) !== at)
    if (twice !== undefined) {
      fail(
        'E_DUPLICATE_PROVIDER',
        `Two ${kind} providers have the id "${twice}".`,
        'Give one another id, or register it once.',
      )
    }
    if (definitions.get(kind)?.arity === 'one' && ids.length > 1) {
      fail(
        'E_TOO_MANY_PROVIDERS',
        `The kind "${kind}" takes one provider, not "${ids.join('", "')}".`,
        'Leave all but one out.',
      )
    }
    for (const { provider, label } of providers) {
      const missing = provider.needs?.find(need => !registered.has(need))
      if (missing === undefined) continue
      fail(
        'E_MISSING_PROVIDER',
        `The ${label} needs a provider of the kind "${missing}", and there is none.`,
        'Register one as a plugin.',
      )
    }
  }
  return registered
}
