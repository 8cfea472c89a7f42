import { createHash } from 'node:crypto'
import { isRunning, thisHolder, thisMachine } from './lock-holder.js'
import type { Stats } from 'node:fs'

/** Milliseconds after which nothing is still being written, where it cannot be told whether its writer runs. */
const abandonedMs = 24 * 60 * 60 * 1000

// Literals, which a bundle that needs none of this leaves out.
const mark =
  /^(?:(?<pid>\d{1,10})-(?<start>\d{1,20})-(?<machine>[\da-f]{12})-)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const temporary = /^\.(?:.+\.)?(?:\d{1,10}-\d{1,20}-[\da-f]{12}-)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/

/** Part of a name that no other has, and that says which process writes there. */
export function writerMark(): string {
  const { pid, start, token } = thisHolder()
  return `${pid}-${start ?? 0}-${machineMark()}-${token}`
}

/** What is written before it takes its place, beside it: `.SKILL.md.<mark>.tmp` of `.SKILL.md.`. */
export function temporaryName(before: string): string {
  return `${before}${writerMark()}.tmp`
}

/** Whether a file or folder of this name is none that counts: it is being written, or its writer was killed. */
export function isTemporaryName(name: string): boolean {
  return temporary.test(name)
}

/**
 * Whether a file or folder was begun by a process that was killed: a regular file or folder of this user whose name is
 * `before`, a mark and `after`, and whose writer runs no more. Where that cannot be told, as after a start of the
 * machine, it must be a day old.
 * @param look asked for a name that has such a mark
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
