import { tokenize } from './expand.js'
import type { KindAccess, PromptCommand } from '@skills/core'
import type { Expander, Token } from './expander.js'

/**
 * True if expanding a template runs a command. Its tokens are those that {@link expandWith} evaluates. Rejects with
 * errors of setting an expander up.
 */
export async function runsCommand(
  access: KindAccess<Expander>,
  template: string,
  command: PromptCommand,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const found = await access.each(expander => ({ expander }), { signal })
  const expanders = new Map(found.map(({ id, value }) => [id, value.expander]))
  const runs = (token: Token): boolean =>
    expanders.get(token.expander)?.runs?.(token) === true || token.children.some(runs)
  return tokenize(
    template,
    found.map(({ id, value }) => ({ id, value: value.expander })),
    command,
  ).some(runs)
}
