import { defineProvider, type Kind, type Provider } from '@skills/core'

/**
 * A provider whose package is read from disk when its kind is first used: listing skills reads none.
 * @param what what the engine has to know of it before that, as the provider itself has it
 */
export function onUse<K extends Kind, const N extends Kind = never>(
  what: Pick<Provider<K, N>, 'kind' | 'id' | 'order' | 'needs' | 'wants'>,
  load: () => Promise<Provider<K, N>>,
): Provider<K, N> {
  return defineProvider<K, N>({ ...what, setup: async ctx => (await load()).setup(ctx) })
}
