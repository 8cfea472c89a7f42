import type { ProviderOptions } from './options.js'

/**
 * An effort in the words of the providers, of which each reads its own: Anthropic's `effort` or, for a number, a
 * thinking budget in tokens; `reasoningEffort` of OpenAI, which has nothing beyond `xhigh` and no numbers, and of what
 * is compatible with it.
 * @param effort as skills ask for it, and as a context modifier gives it
 */
export function effortOptions(effort: string | number): ProviderOptions {
  if (typeof effort === 'number') return { anthropic: { thinking: { type: 'enabled', budgetTokens: effort } } }
  const reasoningEffort = effort === 'max' ? 'xhigh' : effort
  return { anthropic: { effort }, openai: { reasoningEffort }, openaiCompatible: { reasoningEffort } }
}
