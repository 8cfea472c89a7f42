import { checkOptions } from '@skills/core'
import { conditionalGate } from './conditional-gate.js'
import { nestedSource } from './nested-source.js'
import type { ActivationOptions } from './options.js'
import type { Provider } from '@skills/core'

export type { ActivationOptions } from './options.js'

/**
 * What depends on the files that an agent touches, of which the host tells with `skills.emit('file:touched', { paths
 * })`: the gate `conditional` for skills with `paths`, and the source `nested` for skills of folders below the working
 * folder. Each engine has its own state. See docs/reference/folders.md, "Conditional skills" and "Nested skills".
 */
export function activation(options: ActivationOptions = {}): readonly [Provider<'gate'>, Provider<'source'>] {
  checkOptions<ActivationOptions>('activation()', options, {
    folders: 1,
    layout: 1,
    clash: 1,
    waiting: 1,
    touched: 1,
    sharedReads: 1,
  })
  return [conditionalGate(options), nestedSource(options)]
}
