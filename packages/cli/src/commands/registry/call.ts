import type { Registry } from '@skills/registry/internal'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'
import type { command } from './command.js'

export type RegistryInvocation = InvocationOf<typeof command>

/** Everything that an action works with. */
export interface Call {
  readonly registry: Registry
  readonly args: readonly string[]
  readonly invocation: RegistryInvocation
  readonly io: Io
}
