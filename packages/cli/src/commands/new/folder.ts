import { dirname } from 'node:path'
import { findProjectFolders } from '@skills/files'
import { isInside, missingFolders, realPathOf } from '@skills/files/internal'
import type { Catalog, Host } from '@skills/core'

/**
 * Returns the folder for a new skill: the first place of the source, or of a source whose id starts with its name and a
 * hyphen. So every distribution finds its new skills.
 * @throws Error with what to do if there is no such folder, or none that may be read
 */
export function newSkillFolder({ places, errors }: Catalog, provider: 'user' | 'project', host: Host): string {
  const usable = places.filter(({ state }) => state !== 'skipped')
  const place =
    usable.find(one => one.provider === provider) ?? usable.find(one => one.provider.startsWith(`${provider}-`))
  const whose = provider === 'user' ? 'the user' : 'the project'
  const isHomeless = provider === 'user' && host.home === ''
  const none = isHomeless
    ? 'There is no home folder: HOME must be set to an absolute path.'
    : `No folder is searched for skills of ${whose}.`
  if (place === undefined) throw new Error(`${none} Name the folder for the new skill with --dir.`)
  if (place.state !== 'unreadable') return contained(place.path, host)
  const why = errors.find(({ path }) => path === place.path)?.message ?? `${place.path} cannot be read.`
  throw new Error(`A skill of ${whose} would not be found. ${why} Name the folder for the new skill with --dir.`)
}

/**
 * Returns the path, or throws if a link of the project leads it out of the project: loading would not follow that link.
 */
function contained(path: string, host: Host): string {
  const { top } = findProjectFolders(host)
  const [missing] = missingFolders(path)
  const there = missing === undefined ? path : dirname(missing)
  const [real, realTop] = [realPathOf(there), realPathOf(top)]
  if (!isInside(path, top) || real === undefined || realTop === undefined || isInside(real, realTop)) return path
  throw new Error(
    `A skill of the project would not be found: ${there} leads to ${real}, outside the project. Name the folder for the new skill with --dir.`,
  )
}
