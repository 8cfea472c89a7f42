import type { ProviderOptions } from './options.js'

/**
 * Converts an effort to options for all providers; each provider reads its own. For Anthropic the option is `effort`,
 * or for a number a thinking budget in tokens. For OpenAI and compatible providers it is `reasoningEffort`, at most
 * `xhigh`; a number gives no option.
 * @param effort effort as skills set it, and as a context modifier returns it
 */
export function effortOptions(effort: string | number): ProviderOptions {
  if (typeof effort === 'number') return { anthropic: { thinking: { type: 'enabled', budgetTokens: effort } } }
  const reasoningEffort = effort === 'max' ? 'xhigh' : effort
  return { anthropic: { effort }, openai: { reasoningEffort }, openaiCompatible: { reasoningEffort } }
}
