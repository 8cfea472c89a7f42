import { conditionalGate } from './conditional-gate.js'
import { nestedSource } from './nested-source.js'
import { activationOptions, type ActivationOptions } from './options.js'
import type { Provider } from '@skills/core'

export type { ActivationOptions } from './options.js'

/**
 * What depends on the files that an agent touches, of which the host tells with `skills.emit('file:touched', { paths
 * })`: the gate `conditional` for skills with `paths`, and the source `nested` for skills of folders below the working
 * folder. Each engine has its own state. See docs/reference/folders.md, "Conditional skills" and "Nested skills".
 */
export function activation(given?: ActivationOptions): readonly [Provider<'gate'>, Provider<'source'>] {
  const options = activationOptions.read(given)
  return [conditionalGate(options), nestedSource(options)]
}
