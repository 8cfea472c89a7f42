import { defineProvider, SkillsError, type Host, type Kind, type Provider } from '@skills/core'

/**
 * A provider whose package is read from disk when its kind is first used: listing skills reads none.
 * @param what what the engine has to know of it before that, as the provider itself has it
 * @returns a provider whose set-up throws `E_CONTRACT_VERSION` where the package that is installed has another version
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
