import { checkOptions, defineProvider, type Provider } from '@skills/core'
import { setUp } from './set-up.js'

export interface TelemetryOptions {
  /**
   * Whether what people, models and tools said is kept with the spans: prompts, answers, arguments, results and the
   * texts of errors. Default: false.
   */
  readonly content?: boolean | undefined
}

/**
 * Traces skills through the OpenTelemetry API: the provider `opentelemetry` of the kind `tracer`. Nothing is sent unless
 * the host has installed an SDK; where `@opentelemetry/api` is not installed nothing is traced, and a warning
 * (`telemetry-missing`) says so. See docs/reference/telemetry.md. Throws `E_INVALID_OPTION`.
 */
export function telemetry(options: TelemetryOptions = {}): Provider<'tracer'> {
  checkOptions<TelemetryOptions>('telemetry()', options, { content: 1 })
  const { content = false } = options
  return defineProvider({
    kind: 'tracer',
    id: 'opentelemetry',
    setup: ({ report }) => setUp(() => import('@opentelemetry/api'), content, report),
  })
}
