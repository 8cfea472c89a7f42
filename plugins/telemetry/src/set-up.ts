import { OpenTelemetry, type Api } from './open-telemetry.js'
import type { Diagnostic } from '@skills/core'
import type { Tracer } from '@skills/invocation'

/** Makes the tracer. If `@opentelemetry/api` is not installed, the tracer does nothing, and a warning is reported. */
export async function setUp(
  load: () => Promise<Api>,
  content: boolean,
  report: (diagnostic: Diagnostic) => void,
): Promise<Tracer> {
  try {
    return new OpenTelemetry(await load(), content)
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    report({
      severity: 'warning',
      type: 'source',
      code: 'telemetry-missing',
      message: 'Nothing is traced: the package @opentelemetry/api is not installed.',
      hint: 'Install it in the version that your SDK uses: npm install @opentelemetry/api@1.9',
    })
    return {
      trace: (_operation, _name, _facts, work) => work(() => {}),
      within: (_of, work) => work(),
      carrier: () => undefined,
    }
  }
}
