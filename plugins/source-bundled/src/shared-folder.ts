import { lstatSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { SkillsError } from '@skills/core'
import type { Owner } from '@skills/state/internal'

/**
 * Throws `E_STATE` if any user may replace a folder, because a folder above it is writable for all. A folder such as
 * `/tmp`, in which only the owner of an entry may rename the entry, is accepted.
 * @param folder absolute path of an existing folder
 */
export function refuseShared(folder: string, owner: Owner): void {
  if (owner === undefined) return
  const real = realpathSync(folder)
  for (let at = dirname(real), below = real; at !== below; below = at, at = dirname(at)) {
    const { mode, uid } = lstatSync(at)
    const isKept = (mode & 0o1000) !== 0 && (uid === 0 || uid === owner)
    if ((mode & 0o002) === 0 || isKept) continue
    throw new SkillsError(
      'E_STATE',
      `Files of skills are not extracted into ${folder}, because any user can replace a folder in ${at}.`,
      { hint: `Name another folder, or run "chmod o-w" on ${at}.` },
    )
  }
}
