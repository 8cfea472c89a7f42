import type { InvokeRequest, Invoker } from './invoker.js'
import type { Message } from './executor.js'

/**
 * Gives an agent skills that it is to begin with: each is invoked without arguments, one after another, in the order of
 * the names. Rejects with what the first that fails throws, as {@link Invoker.invoke} does. See
 * docs/reference/invocation.md, "Preloading".
 * @param names as the catalog has them
 */
export async function preloadSkills(
  invoker: Pick<Invoker, 'invoke'>,
  names: readonly string[],
  request: Pick<InvokeRequest, 'agentId' | 'signal'> = {},
): Promise<readonly Message[]> {
  const messages: Message[] = []
  for (const name of names)
    messages.push(...(await invoker.invoke({ ...request, name, args: '', caller: 'model' })).newMessages)
  return messages
}
