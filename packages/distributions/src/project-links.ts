import { userRoots } from '@skills/source-user'
import type { Host } from '@skills/core'
import type { DistributionOptions } from './distribution.js'

/**
 * Where links of a project may lead besides: into the user's folders of skills, and into those that a host allows by
 * name.
 */
export function projectLinks(
  { linksTo = [] }: Pick<DistributionOptions, 'linksTo'>,
  ...folders: readonly Parameters<typeof userRoots>[0][]
): (host: Host) => readonly string[] {
  return host => [
    ...folders.flatMap(one => userRoots(one)(host)),
    ...linksTo.map(one => one.replace(/^~(?=\/|$)/, host.home)),
  ]
}
