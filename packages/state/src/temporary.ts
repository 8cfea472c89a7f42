import { createHash } from 'node:crypto'
import { isRunning, thisHolder, thisMachine } from './lock-holder.js'
import type { Stats } from 'node:fs'

/** Milliseconds after which a temporary file counts as left behind, if it cannot be told whether its writer runs. */
const abandonedMs = 24 * 60 * 60 * 1000

// Literals, so that a bundle that uses none of this can leave them out.
const mark =
  /^(?:(?<pid>\d{1,10})-(?<start>\d{1,20})-(?<machine>[\da-f]{12})-)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const temporary = /^\.(?:.+\.)?(?:\d{1,10}-\d{1,20}-[\da-f]{12}-)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/

/** Returns a unique part of a file name that says which process writes the file. */
export function writerMark(): string {
  const { pid, start, token } = thisHolder()
  return `${pid}-${start ?? 0}-${machineMark()}-${token}`
}

/**
 * Returns the temporary name under which a file is written before it is renamed: `.SKILL.md.<mark>.tmp` for
 * `.SKILL.md.`.
 */
export function temporaryName(before: string): string {
  return `${before}${writerMark()}.tmp`
}

/** Returns true for the name of a file or folder that is being written, or whose writer was killed. */
export function isTemporaryName(name: string): boolean {
  return temporary.test(name)
}

/**
 * Returns true if a killed process left this file or folder behind. Such an entry is a regular file or folder of this
 * user whose name is `before`, a mark and `after`, and whose writer no longer runs. If it is unknown whether the writer
 * runs, as after a restart of the machine, the entry must be a day old.
 * @param look called only for a name with a mark
 */
export function isAbandoned(name: string, before: string, after: string, look: () => Stats): boolean {
  if (!name.startsWith(before) || !name.endsWith(after)) return false
  const writer = mark.exec(name.slice(before.length, name.length - after.length))?.groups
  if (writer === undefined) return false
  const stats = look()
  const isOwn = process.geteuid === undefined || stats.uid === process.geteuid()
  if (!isOwn || !(stats.isFile() || stats.isDirectory())) return false
  const runs =
    writer['machine'] === machineMark()
      ? isRunning({
          pid: Number(writer['pid']),
          start: writer['start'] === '0' ? undefined : writer['start'],
          machine: thisMachine(),
          token: '',
        })
      : undefined
  return runs === false || (runs === undefined && Date.now() - stats.mtimeMs > abandonedMs)
}

function machineMark(): string {
  return createHash('sha256').update(thisMachine()).digest('hex').slice(0, 12)
}
