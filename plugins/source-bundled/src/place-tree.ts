import { basename, dirname } from 'node:path'
import { SkillsError } from '@skills/core'
import { inspectTree, lstatOf, type ExpectedTree, type Found } from './inspect-tree.js'
import { writerMark, type Owner } from '@skills/state/internal'
import { Root } from '@skills/state/writer'
import { writeTree } from './write-tree.js'
import type { Report } from './report.js'

/** After this many lost races the cause is no chance. */
const mostTries = 10

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
  throw new SkillsError('E_STATE', `Something else is put at ${folder} again and again.`, {
    hint: 'Look at what uses that folder.',
  })
}

/** Removes what extractions that were killed had begun. What was set aside stays for seven days: it is not ours. */
export function removePartial(folder: string): void {
  const root = new Root(dirname(folder), { kind: 'temporary' })
  for (const what of ['partial', 'removed']) root.removeAbandoned('', `${basename(folder)}.`, `.${what}`)
}

/** A path that no other process writes to, on the same disk. */
export function besideOf(folder: string, what: 'partial' | 'replaced' | 'removed'): string {
  return `${folder}.${what === 'replaced' ? crypto.randomUUID() : writerMark()}.${what}`
}

/** False when there is something in its place already. Both lie in one folder. */
export function movedInto(from: string, to: string): boolean {
  return new Root(dirname(from), { kind: 'temporary' }).move(basename(from), basename(to))
}

export function removeFolder(folder: string): void {
  new Root(dirname(folder), { kind: 'temporary' }).remove(basename(folder))
}

/** Says when a folder was used last. @param time milliseconds since the epoch */
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
    // Another process has set it aside.
    if ((await lstatOf(folder)) === undefined) return
    throw error
  }
  const moved = await lstatOf(aside)
  if (moved !== undefined && (moved.ino !== ino || moved.dev !== dev)) {
    // Another process had put a sound one there in the meantime: it goes back, unless there is another one by now.
    if (!movedInto(aside, folder)) removeFolder(aside)
    return
  }
  // It counts as used now, so that there are seven days to look at it. Only its owner may say so.
  if (moved?.uid === owner) touchFolder(aside, now)
  report({
    severity: 'warning',
    type: 'validation',
    code: 'replaced-files',
    path: aside,
    message: `The extracted files of a skill were not as they were put there: ${folder} ${fault}. They are extracted anew, and what was there is ${aside} now.`,
    hint: 'See who writes there; what was set aside is removed after seven days.',
  })
}
