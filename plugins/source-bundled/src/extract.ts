import { SkillsError } from '@skills/core'
import { systemCode } from '@skills/files/internal'
import { makePrivateFolder, systemRefusal } from '@skills/state'
import type { Owner } from '@skills/state/internal'
import { lstatOf } from './inspect-tree.js'
import { placeTree, touchFolder, type Placing } from './place-tree.js'
import { refuseShared } from './shared-folder.js'
import { removeUnused } from './remove-unused.js'
import type { FileEntry } from './file-entries.js'

export interface Extraction extends Placing {
  /**
   * Absolute path of the folder for extracted folders, with forward slashes. Made for the user alone if it is missing.
   */
  readonly root: string
  readonly owner: Owner
  readonly entries: readonly FileEntry[]
  readonly fingerprint: string
  /** Beginning of messages, such as `The skill "deploy"`. */
  readonly who: string
}

/** Lost races after which the cause is not chance. */
const mostTries = 10

/** Folders that this process has checked or made, or is checking now. Each is trusted afterwards. */
const extracted = new Map<string, Promise<void>>()

/** Roots in which this process has removed unused folders. */
const cleaned = new Set<string>()

/**
 * Returns the folder with the files of a skill, as an absolute path with forward slashes. A missing folder is made.
 * Each process checks an existing folder once, even if several callers ask at the same time. Throws `E_STATE` on
 * failure.
 */
export async function extract(extraction: Extraction): Promise<string> {
  const { root, fingerprint, now } = extraction
  const folder = `${root}/${fingerprint}`
  for (let tries = 0; tries < mostTries; tries++) {
    const before = extracted.get(folder)
    const work = before ?? placed(folder, extraction)
    if (before === undefined) extracted.set(folder, work)
    try {
      await work
    } catch (error) {
      forget(folder, work)
      throw error
    }
    // A new folder is not marked as used yet, and a known one may have been removed since.
    if (await markUsed(folder, now)) return folder
    forget(folder, work)
  }
  throw new SkillsError('E_STATE', `Another program keeps removing ${folder}.`, {
    hint: 'Find out which program uses that folder.',
  })
}

/** Forgets the result of an extraction, unless another one has begun. */
function forget(folder: string, work: Promise<void>): void {
  if (extracted.get(folder) === work) extracted.delete(folder)
}

async function placed(folder: string, extraction: Extraction): Promise<void> {
  const { root, owner, entries, fingerprint, who, now, report } = extraction
  try {
    makePrivateFolder(root, owner)
    refuseShared(root, owner)
    await placeTree(folder, { entries, fingerprint, owner }, extraction)
  } catch (error) {
    throw systemRefusal(`${who} has files that could not be extracted to ${folder}`, error)
  }
  if (cleaned.has(root)) return
  cleaned.add(root)
  await removeUnused(root, { inUse: new Set(extracted.keys()), now, report })
}

/** Marks a folder as used now. Returns false if it does not exist. */
async function markUsed(folder: string, now: number): Promise<boolean> {
  try {
    touchFolder(folder, now)
    return true
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false
    // On a read-only file system nothing is removed either.
    if (systemCode(error) === 'EROFS') return (await lstatOf(folder)) !== undefined
    throw systemRefusal(`The folder ${folder} could not be marked as used`, error)
  }
}
