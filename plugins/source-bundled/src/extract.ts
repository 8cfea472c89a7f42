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
  /** Folder that extracted folders lie in, absolute, forward slashes; made for the user alone when it is missing. */
  readonly root: string
  readonly owner: Owner
  readonly entries: readonly FileEntry[]
  readonly fingerprint: string
  /** Begins sentences, as `The skill "deploy"`. */
  readonly who: string
}

/** After this many lost races the cause is no chance. */
const mostTries = 10

/** Folders that this process has looked at or made, or does so at this moment; each is trusted from then on. */
const extracted = new Map<string, Promise<void>>()

/** Roots in which this process has looked for what is not used any more. */
const cleaned = new Set<string>()

/**
 * The folder that holds the files of a skill, absolute, forward slashes: made when there is none, looked at once a
 * process when there is one, however many ask at a time. Throws `E_STATE` when that is not possible.
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
    // What was new is not yet marked as used; what this process knows already may have been removed since.
    if (await markUsed(folder, now)) return folder
    forget(folder, work)
  }
  throw new SkillsError('E_STATE', `${folder} is removed again and again.`, { hint: 'Look at what uses that folder.' })
}

/** Unless another extraction has begun. */
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
    throw systemRefusal(`${who} brings files along that could not be extracted to ${folder}`, error)
  }
  if (cleaned.has(root)) return
  cleaned.add(root)
  await removeUnused(root, { inUse: new Set(extracted.keys()), now, report })
}

/** Marks a folder as used now; false when it is gone. */
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
