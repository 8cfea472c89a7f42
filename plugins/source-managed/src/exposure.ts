import { statOf } from '@skills/files/internal'
import type { StoreStats } from '@skills/store'
import type { Host } from '@skills/core'

/** What tells an administrator's files from those that others may change. */
export interface Ownership {
  /** User id that such files may have besides root's. */
  readonly owner: number
  /** Windows keeps its rights elsewhere than in the mode, which says nothing there. */
  readonly isChecked: boolean
}

export function ownershipOn(platform: Host['platform'], owner = 0): Ownership {
  return { owner, isChecked: platform !== 'win32' }
}

/**
 * Who besides an administrator may change what a path leads to, as the end of a sentence; undefined when no one may, or
 * when nothing is there. A sticky bit is no help: it keeps others from removing a skill and not from adding one.
 */
export function exposureOf(path: string, ownership: Ownership): string | undefined {
  const stats = ownership.isChecked ? statOf(path) : undefined
  return stats === undefined ? undefined : exposureBy(stats, ownership)
}

/** The same of what the system said of a file. */
export function exposureBy(
  { uid = 0, gid = 0, mode = 0 }: Pick<StoreStats, 'uid' | 'gid' | 'mode'>,
  { owner, isChecked }: Ownership,
): string | undefined {
  if (!isChecked) return undefined
  if (uid !== 0 && uid !== owner) return `belongs to the user with the id ${uid}`
  if ((mode & 0o002) !== 0) return 'may be written to by everybody'
  return (mode & 0o020) !== 0 && gid !== 0 ? `may be written to by the group with the id ${gid}` : undefined
}
