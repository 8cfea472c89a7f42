import { posix } from 'node:path'
import { readWholeFileSync } from '@skills/files'
import { statOf } from '@skills/files/internal'

/** Most bytes of a file that may be a link which git checked out as text. */
const mostBytes = 1024

/** Returns the folder that a file names by a relative path, as a link does that git checked out as text. */
export function folderInText(path: string): string | undefined {
  const file = readWholeFileSync(path, { maxBytes: mostBytes })
  const text = file === undefined || 'problem' in file ? '' : file.bytes.toString('utf8')
  if (!/^(?!\/)[^\\:\p{Cc}]+$/u.test(text)) return undefined
  const target = posix.join(posix.dirname(path), text)
  return statOf(target)?.isDirectory() === true ? target : undefined
}
