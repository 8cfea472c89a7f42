import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isRunning, thisHolder, thisMachine } from './lock-holder.js'
import { systemCode } from './state-error.js'

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
 * Removes what processes that were killed had begun in a folder: regular files and folders of this user whose name is
 * `before`, a mark and `after`, and whose writer runs no more. Where that cannot be told, as after a start of the
 * machine, they must be a day old. What cannot be removed stays and does no harm.
 */
export function removeAbandoned(folder: string, before: string, after = '.tmp'): void {
  for (const name of namesIn(folder)) {
    if (!name.startsWith(before) || !name.endsWith(after)) continue
    const writer = mark.exec(name.slice(before.length, name.length - after.length))?.groups
    if (writer === undefined) continue
    try {
      const path = `${folder}/${name}`
      const stats = lstatSync(path)
      const isOwn = process.geteuid === undefined || stats.uid === process.geteuid()
      if (!isOwn || !(stats.isFile() || stats.isDirectory())) continue
      const runs =
        writer['machine'] === machineMark()
          ? isRunning({
              pid: Number(writer['pid']),
              start: writer['start'] === '0' ? undefined : writer['start'],
              machine: thisMachine(),
              token: '',
            })
          : undefined
      if (runs === false || (runs === undefined && Date.now() - stats.mtimeMs > abandonedMs))
        rmSync(path, { recursive: true, force: true })
    } catch (error) {
      if (systemCode(error) === undefined) throw error
    }
  }
}

/**
 * Makes a folder of one's own in the temporary folder, and removes those that killed processes left there. Throws
 * system errors.
 */
export function makeTemporaryFolder(before: string): string {
  const top = tmpdir()
  removeAbandoned(top, before)
  const folder = `${top}/${temporaryName(before)}`
  mkdirSync(folder, { mode: 0o700 })
  return folder
}

function machineMark(): string {
  return createHash('sha256').update(thisMachine()).digest('hex').slice(0, 12)
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return []
  }
}
