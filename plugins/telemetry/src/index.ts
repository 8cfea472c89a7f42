import * as s from '@skills/core/schema'
import { defineProvider, type Provider } from '@skills/core'
import { setUp } from './set-up.js'

const telemetryOptions = s.options('telemetry()', {
  /**
   * Record texts of people, models and tools with the spans: prompts, answers, arguments, results and error messages.
   */
  content: s.flag().default(false),
})

export interface TelemetryOptions extends s.OptionsOf<typeof telemetryOptions> {}

/**
 * Traces skills through the OpenTelemetry API: the provider `opentelemetry` of the kind `tracer`. Nothing is sent
 * unless the host has installed an SDK. If `@opentelemetry/api` is not installed, nothing is traced, and the warning
 * `telemetry-missing` is reported. See docs/reference/telemetry.md. Throws `E_INVALID_OPTION`.
 */
export function telemetry(given?: TelemetryOptions): Provider<'tracer'> {
  const { content } = telemetryOptions.read(given)
  return defineProvider({
    kind: 'tracer',
    id: 'opentelemetry',
    setup: ({ report }) => setUp(() => import('@opentelemetry/api'), content, report),
  })
}
