import { defineProvider, SkillsError, type Host, type Kind, type Provider } from '@skills/core'

/**
 * Makes a provider whose package is loaded when its kind is first used, so that listing skills does not load it.
 * @param what fields that the engine needs before, the same as those of the provider itself
 * @returns provider whose set-up throws `E_CONTRACT_VERSION` if the installed package has another version
 */
export function onUse<K extends Kind, const N extends Kind = never>(
  what: Pick<Provider<K, N>, 'kind' | 'id' | 'order' | 'contract' | 'needs' | 'wants'>,
  load: (host: Host) => Promise<Provider<K, N>>,
): Provider<K, N> {
  const { kind, id, contract: expected = 1 } = what
  return defineProvider<K, N>({
    ...what,
    async setup(ctx) {
      const provider = await load(ctx.host)
      const { contract = 1 } = provider
      if (contract === expected) return provider.setup(ctx)
      throw new SkillsError(
        'E_CONTRACT_VERSION',
        `The ${kind} provider "${id}" was written for version ${contract} of the kind "${kind}", and this distribution for version ${expected}.`,
        { hint: contract > expected ? 'Update @skills/distributions.' : 'Update the plugin.' },
      )
    },
  })
}
