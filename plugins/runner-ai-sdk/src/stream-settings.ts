import type { ProviderOptions } from './options.js'

export interface StreamSettings {
  readonly system: string | undefined
  readonly providerOptions: ProviderOptions | undefined
  readonly maxRetries?: number | undefined
  readonly maxOutputTokens?: number | undefined
}

interface GivenSettings {
  readonly system?: string
  readonly providerOptions?: ProviderOptions
  readonly maxRetries?: number
  readonly maxOutputTokens?: number
  readonly onError: () => void
}

/**
 * What every answer is streamed with: the library has defaults of its own for what is left out, and not for what is
 * undefined.
 */
export function streamSettings({
  system,
  providerOptions,
  maxRetries,
  maxOutputTokens,
}: StreamSettings): GivenSettings {
  return {
    ...(system !== undefined && { system }),
    ...(providerOptions && { providerOptions }),
    ...(maxRetries !== undefined && { maxRetries }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    // Errors come in the stream as well; without this they are printed.
    onError: () => {},
  }
}
