import type { HookOwner } from '@skills/invocation/internal'
import type { HooksContext } from './options.js'

/**
 * Returns a clause with the reason why the hooks of a skill must not be registered, and a hint; undefined if they may
 * be registered.
 */
export async function whyRefused(
  { command, trust }: HookOwner,
  { use }: Pick<HooksContext, 'use'>,
  signal: AbortSignal,
): Promise<{ readonly reason: string; readonly hint: string } | undefined> {
  if (trust === 'remote')
    return {
      reason: 'a skill from a server never runs anything',
      hint: 'To run the hooks, copy the skill to your own skills.',
    }
  if (trust !== 'trusted')
    return { reason: 'it is not trusted', hint: 'First trust the folder or the plugin that the skill comes from.' }
  // A hook is a shell command, like one that a skill embeds.
  const answers = await use('gate').each(
    async (gate, call) => ({ reason: await gate.forbids?.('shell', command, call) }),
    { signal },
  )
  for (const { id, value } of answers) {
    // A failing gate is answered for by an object without `reason`.
    const reason = 'reason' in value ? value.reason : `the gate "${id}" failed`
    if (reason !== undefined)
      return { reason: reason.replace(/\.$/, ''), hint: 'Ask the administrator of this machine.' }
  }
  return undefined
}
