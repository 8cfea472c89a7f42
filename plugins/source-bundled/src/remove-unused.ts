import { readdir } from 'node:fs/promises'
import { messageOf } from '@skills/core'
import { systemCode } from '@skills/files/internal'
import { besideOf, movedInto, removeFolder } from './place-tree.js'
import { lstatOf } from './inspect-tree.js'
import type { Report } from './report.js'

/** Milliseconds without use after which a folder is removed. */
const unusedMs = 7 * 24 * 60 * 60 * 1000

/** Names that are made here: folders by fingerprint, and their unfinished, replaced and removed versions. */
const own = /^[\da-f]{64}(?:\.[\da-f-]{36,100}\.(?:partial|replaced|removed))?$/

export interface RemovalOptions {
  /** Absolute paths that are in use, of any age. */
  readonly inUse: ReadonlySet<string>
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly report: Report
}

/**
 * Removes extracted folders that were not used for seven days. Failures are reported. Other entries of the folder are
 * not touched.
 */
export async function removeUnused(root: string, { inUse, now, report }: RemovalOptions): Promise<void> {
  const isUnused = async (path: string): Promise<boolean> => {
    const stats = await lstatOf(path)
    return stats !== undefined && now - stats.mtimeMs > unusedMs
  }
  const tell = (path: string, error: unknown): void =>
    report({
      severity: 'warning',
      type: 'io',
      code: 'cleanup-failed',
      path,
      message: `Files of skills that are not used any more could not be removed: ${messageOf(error)}.`,
      hint: 'Remove the folder by hand.',
    })
  try {
    for (const name of await readdir(root)) {
      const path = `${root}/${name}`
      if (!own.test(name) || inUse.has(path)) continue
      try {
        if (await isUnused(path)) await removeOne(path, `${root}/${name.slice(0, 64)}`, isUnused)
      } catch (error) {
        // Another process removes it now.
        if (systemCode(error) !== 'ENOENT') tell(path, error)
      }
    }
  } catch (error) {
    tell(root, error)
  }
}

/**
 * Removes a folder after renaming it, so that no process finds half of it. Renames it back if a process began to use
 * it.
 */
async function removeOne(path: string, plain: string, isUnused: (path: string) => Promise<boolean>): Promise<void> {
  const doomed = besideOf(plain, 'removed')
  movedInto(path, doomed)
  if (await isUnused(doomed)) removeFolder(doomed)
  else movedInto(doomed, path)
}
