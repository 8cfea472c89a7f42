import type { EvaluateContext, Token } from '../template/expander.js'

export type EvaluateOne = (token: Token, context: EvaluateContext, signal: AbortSignal) => Promise<string>

/**
 * Starts every command of a body when the first one is needed. If one command fails, ends the others and waits until
 * they have ended, so that none outlives the invocation.
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
  // First failure in time. Failures of commands that were ended because of it are not reported.
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
