import { constants } from 'node:fs'
import { lstat, open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { readWholeFile, systemCode } from '@skills/files'
import { removeAbandoned, temporaryName } from '@skills/state'
import type { Diagnostic, FileIdentity } from '@skills/core'

/**
 * Replaces a file's content in one step: a reader sees the old bytes or the new ones, and a failure at any
 * moment leaves the old. Mode and owner stay. The same content, written by another process, is no failure. Gives what
 * kept it from being written.
 * @param file the file as it was read; changed since, it is left alone
 * @param what is written, as it stands in a sentence, and the code of the diagnostic
 */
export async function replaceFile(
  file: FileIdentity,
  bytes: Uint8Array,
  { what, code: refusal }: { readonly what: string; readonly code: string } = { what: 'repair', code: 'not-repaired' },
): Promise<Diagnostic | undefined> {
  const path = file.realPath
  const [folder, before] = besideOf(path)
  const refuse = (message: string, hint: string): Diagnostic => ({
    severity: 'error',
    type: 'io',
    code: refusal,
    path,
    message,
    hint,
  })
  const readOnly = `Change the permissions, or make the ${what} by hand.`
  // Beside it, since a rename is one step only within a file system.
  const temporary = `${folder}/${temporaryName(before)}`
  try {
    const stats = await stat(path)
    // Renaming asks for the folder's permission alone; a file marked read-only is meant to stay as it is, even for
    // root.
    if ((stats.mode & 0o222) === 0) return refuse(`${path} is read-only, so its ${what} was not written.`, readOnly)
    // Opened, because `access` answers for the real user, not for the effective one.
    await (await open(path, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0))).close()
    const handle = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
    try {
      await handle.writeFile(bytes)
      await handle.chmod(stats.mode & 0o7777)
      const mine = await handle.stat()
      const isAnothers = mine.uid !== stats.uid || mine.gid !== stats.gid
      if (isAnothers && !(await keepsOwner(handle, stats))) {
        return refuse(
          `${path} belongs to another user or group, which the ${what} would change, so it was not written.`,
          `Have its owner do it, or make the ${what} by hand.`,
        )
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    const now = await lstat(path)
    if (now.ino !== file.ino || now.size !== file.size || now.mtimeMs !== file.mtimeMs) {
      const written = await readWholeFile(path, { within: [folder], maxBytes: bytes.length })
      if (written !== undefined && 'bytes' in written && Buffer.compare(written.bytes, bytes) === 0) return undefined
      return refuse(`${path} was changed meanwhile, so its ${what} was not written.`, 'Run it again.')
    }
    await rename(temporary, path)
    return undefined
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
      return refuse(`The ${what} of ${path} may not be written: the file or its folder is read-only.`, readOnly)
    }
    return refuse(`The ${what} of ${path} could not be written (${code}).`, 'The file is as it was; look at the disk.')
  } finally {
    // It is gone after a success. When it cannot be removed, the file itself is still whole.
    await rm(temporary, { force: true }).catch(() => undefined)
  }
}

/** Removes what was begun in the place of a file by processes that were killed. */
export function removeBegun(path: string): void {
  removeAbandoned(...besideOf(path))
}

/** Where its new content is written first: a folder, and how the name begins. */
function besideOf(path: string): readonly [folder: string, before: string] {
  const at = path.lastIndexOf('/')
  return [path.slice(0, at) || '/', `.${path.slice(at + 1)}.`]
}

/** Gives a file the owner and the group of another; false where the system does not let this user. */
async function keepsOwner(
  handle: FileHandle,
  { uid, gid }: { readonly uid: number; readonly gid: number },
): Promise<boolean> {
  try {
    await handle.chown(uid, gid)
    return true
  } catch (error) {
    if (systemCode(error) === 'EPERM' || systemCode(error) === 'EACCES') return false
    throw error
  }
}
