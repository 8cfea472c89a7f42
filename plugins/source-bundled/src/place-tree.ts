import { basename, dirname } from 'node:path'
import { SkillsError } from '@skills/core'
import { inspectTree, lstatOf, type ExpectedTree, type Found } from './inspect-tree.js'
import { systemCode } from '@skills/files/internal'
import { writerMark, type Owner } from '@skills/state/internal'
import { Root } from '@skills/state/writer'
import { writeTree } from './write-tree.js'
import type { Report } from './report.js'

/** Lost races after which the cause is not chance. */
const mostTries = 10

export interface Placing {
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly report: Report
}

/**
 * Makes a folder unless it exists and is complete. The folder is written beside its place and then renamed. An
 * untrusted folder in its place is moved aside and reported. Any number of processes may do this at the same time.
 * Throws system errors.
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
        writeTree(written, expected.entries)
      }
      if (movedInto(written, folder)) {
        written = undefined
        return
      }
    }
  } finally {
    if (written !== undefined) removeFolder(written)
  }
  throw new SkillsError('E_STATE', `Another program keeps replacing ${folder}.`, {
    hint: 'Find out which program uses that folder.',
  })
}

/**
 * Removes the remains of killed extractions. Folders that were moved aside stay for seven days, because this program
 * did not make them.
 */
export function removePartial(folder: string): void {
  const root = new Root(dirname(folder), { kind: 'temporary' })
  for (const what of ['partial', 'removed']) root.removeAbandoned('', `${basename(folder)}.`, `.${what}`)
}

/** Returns a path on the same disk that no other process writes to. */
export function besideOf(folder: string, what: 'partial' | 'replaced' | 'removed'): string {
  return `${folder}.${what === 'replaced' ? crypto.randomUUID() : writerMark()}.${what}`
}

/** Renames a folder within its parent. Returns false if something is in its place already. */
export function movedInto(from: string, to: string): boolean {
  return new Root(dirname(from), { kind: 'temporary' }).move(basename(from), basename(to))
}

export function removeFolder(folder: string): void {
  new Root(dirname(folder), { kind: 'temporary' }).remove(basename(folder))
}

/** Sets the time of a folder's last use. @param time milliseconds since the epoch */
export function touchFolder(folder: string, time: number): void {
  new Root(dirname(folder), { kind: 'temporary' }).touch(basename(folder), time)
}

async function setAside(
  folder: string,
  { fault, ino, dev }: Exclude<Found, string>,
  owner: Owner,
  { now, report }: Placing,
): Promise<void> {
  const aside = besideOf(folder, 'replaced')
  try {
    movedInto(folder, aside)
  } catch (error) {
    // Another process has set it aside, and may have put a valid one there by now: the caller looks again.
    if (systemCode(error) === 'ENOENT') return
    throw error
  }
  const moved = await lstatOf(aside)
  if (moved !== undefined && (moved.ino !== ino || moved.dev !== dev)) {
    // Another process has put a valid one there meanwhile. It is moved back, unless there is another one by now.
    if (!movedInto(aside, folder)) removeFolder(aside)
    return
  }
  // It counts as used now, so that it can be inspected for seven days. Only its owner may set the time.
  if (moved?.uid === owner) touchFolder(aside, now)
  report({
    severity: 'warning',
    type: 'validation',
    code: 'replaced-files',
    path: aside,
    message: `The extracted files of a skill were changed: ${folder} ${fault}. The files are extracted again, and the changed ones were moved to ${aside}.`,
    hint: 'Find out what writes to that folder. The moved files are removed after seven days.',
  })
}
