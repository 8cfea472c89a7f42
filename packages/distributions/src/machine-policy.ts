import { managedSource, type ManagedSourceOptions } from '@skills/source-managed'
import type { Plugin } from '@skills/core'

/**
 * The machine administrator's policy, for a distribution without managed skills: a host that names its folder wants it
 * to hold in every distribution. See docs/reference/managed.md, "Managed policy".
 */
export function machinePolicy(managed: ManagedSourceOptions | undefined): readonly Plugin[] {
  if (managed === undefined) return []
  const [, policy] = managedSource(managed)
  return [policy]
}
