import type { EvaluateContext, Token } from '../template/expander.js'

export type EvaluateOne = (token: Token, context: EvaluateContext, signal: AbortSignal) => Promise<string>

/**
 * Begins every command of a body when the first of them is asked for. When one fails the others are ended, and waited
 * for: none goes on for an invocation that is over.
 */
export function sideBySide(one: EvaluateOne): (token: Token, context: EvaluateContext) => Promise<string> {
  const bodies = new WeakMap<EvaluateContext, Promise<ReadonlyMap<Token, string>>>()
  return async (token, context) => {
    if (context.tokens === undefined) return one(token, context, context.signal)
    const results =
      bodies.get(context) ??
      allOf(
        context.tokens.filter(({ expander }) => expander === token.expander),
        context,
        one,
      )
    bodies.set(context, results)
    return (await results).get(token) ?? one(token, context, context.signal)
  }
}

async function allOf(
  tokens: readonly Token[],
  context: EvaluateContext,
  one: EvaluateOne,
): Promise<ReadonlyMap<Token, string>> {
  const { signal } = context
  const over = new AbortController()
  const end = (): void => over.abort(signal.reason)
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  // The first in time; those that are ended because of it say nothing of their own.
  let failure: { readonly error: unknown } | undefined
  const results = await Promise.all(
    tokens.map(async (token): Promise<readonly [Token, string]> => {
      try {
        return [token, await one(token, context, over.signal)]
      } catch (error) {
        failure ??= { error }
        end()
        return [token, '']
      }
    }),
  )
  signal.removeEventListener('abort', end)
  if (failure !== undefined) throw failure.error
  return new Map(results)
}
