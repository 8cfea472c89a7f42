import type { InvokeRequest, Invoker } from './invoker.js'
import type { Message } from './executor.js'

/**
 * Invokes the skills with which an agent begins, without arguments, in the order of the names. Rejects with the error
 * of the first skill that fails, as {@link Invoker.invoke} does. See docs/reference/invocation.md, "Preloading".
 * @param names names as the catalog has them
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
