import { lutimes, rename, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { SkillsError } from '@skills/core'
import { systemCode } from '@skills/files'
import { inspectTree, lstatOf, type ExpectedTree, type Found } from './inspect-tree.js'
import { removeAbandoned, writerMark } from '@skills/state'
import { writeTree } from './write-tree.js'
import type { Owner } from '@skills/state'
import type { Report } from './report.js'

/** After this many lost races the cause is no chance. */
const mostTries = 10

/** What renaming a folder says when there is another one in its place, which may be gone again by now. */
const taken = new Set<unknown>(['ENOTEMPTY', 'EEXIST'])

/** What it may say then, or for other reasons; the last two are those of Windows. */
const perhapsTaken = new Set<unknown>(['ENOTDIR', 'EPERM', 'EACCES'])

export interface Placing {
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly report: Report
}

/**
 * Sees that a folder is there and whole: written beside, renamed into place. What stood there and is not to be trusted
 * is set aside and told of. Any number of processes may do the same at one time. Throws system errors.
 */
export async function placeTree(folder: string, expected: ExpectedTree, placing: Placing): Promise<void> {
  let written: string | undefined
  try {
    for (let tries = 0; tries < mostTries; tries++) {
      const found = await inspectTree(folder, expected)
      if (found === 'whole') return
      if (found !== 'nothing') await setAside(folder, found, expected.owner, placing)
      if (written === undefined) {
        removePartial(folder)
        written = besideOf(folder, 'partial')
        await writeTree(written, expected.entries)
      }
      if (await movedInto(written, folder)) {
        written = undefined
        return
      }
    }
  } finally {
    if (written !== undefined) await rm(written, { recursive: true, force: true })
  }
  throw new SkillsError('E_STATE', `Something else is put at ${folder} again and again.`, {
    hint: 'Look at what uses that folder.',
  })
}

/** Removes what extractions that were killed had begun. What was set aside stays for seven days: it is not ours. */
export function removePartial(folder: string): void {
  for (const what of ['partial', 'removed']) removeAbandoned(dirname(folder), `${basename(folder)}.`, `.${what}`)
}

/** A path that no other process writes to, on the same disk. */
export function besideOf(folder: string, what: 'partial' | 'replaced' | 'removed'): string {
  return `${folder}.${what === 'replaced' ? crypto.randomUUID() : writerMark()}.${what}`
}

/** False when there is something in its place already. */
export async function movedInto(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    const code = systemCode(error)
    if (taken.has(code) || (perhapsTaken.has(code) && (await lstatOf(to)) !== undefined)) return false
    throw error
  }
}

async function setAside(
  folder: string,
  { fault, ino, dev }: Exclude<Found, string>,
  owner: Owner,
  { now, report }: Placing,
): Promise<void> {
  const aside = besideOf(folder, 'replaced')
  try {
    await rename(folder, aside)
  } catch (error) {
    // Another process has set it aside.
    if ((await lstatOf(folder)) === undefined) return
    throw error
  }
  const moved = await lstatOf(aside)
  if (moved !== undefined && (moved.ino !== ino || moved.dev !== dev)) {
    // Another process had put a sound one there in the meantime: it goes back, unless there is another one by now.
    if (!(await movedInto(aside, folder))) await rm(aside, { recursive: true, force: true })
    return
  }
  // It counts as used now, so that there are seven days to look at it. Only its owner may say so.
  if (moved?.uid === owner) await lutimes(aside, now / 1000, now / 1000)
  report({
    severity: 'warning',
    type: 'validation',
    code: 'replaced-files',
    path: aside,
    message: `The extracted files of a skill were not as they were put there: ${folder} ${fault}. They are extracted anew, and what was there is ${aside} now.`,
    hint: 'See who writes there; what was set aside is removed after seven days.',
  })
}
