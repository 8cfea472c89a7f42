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
 * Returns the settings with which every answer is streamed. Undefined settings are left out, because the library has
 * defaults only for missing settings.
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
    // Errors are in the stream as well. Without this, the library prints them.
    onError: () => {},
  }
}
