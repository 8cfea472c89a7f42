import { statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { SkillsError, type Diagnostic, type FileIdentity } from '@skills/core'
import { readWholeFileSync } from '@skills/files'
import { realPathOf, systemCode } from '@skills/files/internal'
import { namedRoot } from '@skills/state/writer'

/**
 * Replaces a file's content in one step: a reader sees either the old bytes or the new bytes, and a failure leaves the
 * old bytes. Keeps mode and owner. Does not fail if another process has written the same content. Returns a diagnostic
 * if nothing was written.
 * @param file identity of the file when it was read; a file that has changed since is left alone
 * @param what noun for the content, and the code of the diagnostic
 */
export function replaceFile(
  file: FileIdentity,
  bytes: Uint8Array,
  { what, code: refusal }: { readonly what: string; readonly code: string } = { what: 'repair', code: 'not-repaired' },
): Diagnostic | undefined {
  // A folder on the way may be a link, as agents' folders are linked: the file itself is written.
  const path = realPathOf(file.realPath) ?? file.realPath
  const refuse = (message: string, hint: string): Diagnostic => ({
    severity: 'error',
    type: 'io',
    code: refusal,
    path,
    message,
    hint,
  })
  const readOnly = `Change the permissions of the file, or make the ${what} by hand.`
  const folder = dirname(path)
  try {
    // A file marked read-only should stay as it is, even for root.
    if ((statSync(path).mode & 0o222) === 0)
      return refuse(`${path} is read-only, so its ${what} was not written.`, readOnly)
    namedRoot(folder, folder).write(basename(path), bytes, { replaces: file })
    return undefined
  } catch (error) {
    if (SkillsError.is(error)) {
      const written = readWholeFileSync(path, { within: [folder], maxBytes: bytes.length })
      if (written !== undefined && 'bytes' in written && Buffer.compare(written.bytes, bytes) === 0) return undefined
      const { hint = '' } = error
      return refuse(error.message.slice(0, -hint.length - 1), hint)
    }
    const code = systemCode(error)
    if (code === undefined) throw error
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
      return refuse(`The ${what} of ${path} could not be written: the file or its folder is read-only.`, readOnly)
    }
    return refuse(`The ${what} of ${path} could not be written (${code}).`, 'The file is unchanged. Check the disk.')
  }
}

/** Removes the temporary files that killed processes left beside a file. */
export function removeBegun(path: string): void {
  const folder = dirname(realPathOf(path) ?? path)
  namedRoot(folder, folder).removeAbandoned('')
}
