import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemCode } from '@skills/fs'
import { abortError, messageOf, SkillsError, type Clock } from '@skills/core'
import { changedSettings } from './settings-text.js'
import { withLock } from './settings-lock.js'
import type { Change } from './rule-book.js'

export interface SaveOptions {
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  /** For tests: called when the new text is written and not yet in place. */
  readonly beforeReplacing?: (() => void) | undefined
}

/** How often a file that others write at the same time is looked at again. */
const mostAttempts = 20

/** Makes changes to a settings file in place of the file as it is then. Throws `E_STATE`, and then the file is as it was. */
export async function saveRules(path: string, changes: readonly Change[], { clock, signal, beforeReplacing }: SaveOptions): Promise<void> {
  const target = realTarget(path)
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  } catch (error) {
    throw unwritable(path, error)
  }
  await withLock(target, { clock, signal }, () => {
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      if (signal?.aborted === true) throw abortError(signal)
      const before = bytesOf(target, path)
      const text = changedSettings(before, changes, path)
      if (text === undefined || replace(target, { path, before, text, beforeReplacing })) return
    }
    throw new SkillsError('E_STATE', `The settings file ${path} changed each time it was to be written.`, { hint: 'Save again when no other program writes it.' })
  })
}

interface Replacement extends Pick<SaveOptions, 'beforeReplacing'> {
  readonly path: string
  readonly before: Buffer | undefined
  readonly text: string
}

/** Writes beside the file and renames into its place; false when somebody else changed it meanwhile. */
function replace(target: string, { path, before, text, beforeReplacing }: Replacement): boolean {
  const beside = `${target}.${crypto.randomUUID()}.new`
  try {
    // A rename would get past the rights of a file that is not to be written. Opening it asks what this process may really do.
    if (before !== undefined) closeSync(openSync(target, 'r+'))
    const mode = before === undefined ? 0o600 : statSync(target).mode & 0o777
    const file = openSync(beside, 'wx', mode)
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    beforeReplacing?.()
    if (!isSame(before, bytesOf(target, path))) return false
    renameSync(beside, target)
    return true
  } catch (error) {
    throw SkillsError.is(error) ? error : unwritable(path, error)
  } finally {
    // After the rename there is nothing any more under that name.
    rmSync(beside, { force: true })
  }
}

/** The file that a link leads to, so that the link stays one. */
function realTarget(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return path
    throw unwritable(path, error)
  }
}

function bytesOf(target: string, path: string): Buffer | undefined {
  try {
    if (!statSync(target).isFile()) throw new SkillsError('E_STATE', `The settings file ${path} is no regular file.`, { hint: 'Put a file in its place.' })
    return readFileSync(target)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw SkillsError.is(error) ? error : new SkillsError('E_STATE', `The settings file ${path} cannot be read: ${messageOf(error)}.`, { hint: 'Change its permissions, or those of a folder above it.', cause: error })
  }
}

function isSame(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one === undefined || other === undefined ? one === other : one.equals(other)
}

function unwritable(path: string, error: unknown): SkillsError {
  const isDenied = ['EACCES', 'EPERM', 'EROFS'].includes(systemCode(error) ?? '')
  return new SkillsError('E_STATE', `The settings file ${path} cannot be written${isDenied ? ': it, or its folder, is read-only' : `: ${messageOf(error)}`}.`, {
    hint: isDenied ? 'Change its permissions, and save again; until then the rules hold for this session.' : 'Look at the path from a terminal, and save again.', cause: error,
  })
}
