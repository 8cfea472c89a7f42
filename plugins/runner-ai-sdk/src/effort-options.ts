import type { ProviderOptions } from './options.js'

/**
 * Converts an effort to options of the providers, of which each reads its own: Anthropic's `effort`, or for a number a
 * thinking budget in tokens; and `reasoningEffort` of OpenAI and compatible providers, without numbers and at most
 * `xhigh`.
 * @param effort effort as skills set it, and as a context modifier returns it
 */
export function effortOptions(effort: string | number): ProviderOptions {
  if (typeof effort === 'number') return { anthropic: { thinking: { type: 'enabled', budgetTokens: effort } } }
  const reasoningEffort = effort === 'max' ? 'xhigh' : effort
  return { anthropic: { effort }, openai: { reasoningEffort }, openaiCompatible: { reasoningEffort } }
}
