import { managedSource, type ManagedSourceOptions } from '@skills/source-managed'
import type { Plugin } from '@skills/core'

/**
 * The policy of whoever runs the machine, for a distribution that knows no managed skills: a host that says where it is wants it to
 * hold, whoever's rules are chosen. See docs/reference.md, "Managed policy".
 */
export function machinePolicy(managed: ManagedSourceOptions | undefined): readonly Plugin[] {
  if (managed === undefined) return []
  const [, policy] = managedSource(managed)
  return [policy]
}
