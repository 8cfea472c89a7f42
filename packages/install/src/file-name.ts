import { holdsUnseen } from '@skills/core/internal'
import { foldedName } from '@skills/store'

/** Names that Windows reserves for devices, with any ending. */
const device = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?:\..*)?$/i

/** Letters, digits, and single dots between them. Such a name can only be a device or too long. */
const plain = /^[\w-]+(?:\.[\w-]+)*$/

/** Returns the reason why some system would not keep a file name unchanged; undefined if every system keeps it. */
export function problemOfName(name: string): string | undefined {
  if (plain.test(name) && name.length <= 255) return device.test(name) ? 'is the name of a device' : undefined
  if (name === '' || name === '.' || name === '..') return 'leads elsewhere'
  if (/\p{Cc}/u.test(name)) return 'has a control character'
  if (holdsUnseen(name)) return 'has an invisible character'
  if (/[<>:"|?*\\/]/.test(name)) return 'has a character that some systems do not allow in names'
  if (/[. ]$/.test(name)) return 'ends with a dot or a space'
  const folded = foldedName(name)
  if (device.test(name) || device.test(folded)) return 'is the name of a device'
  if (/^(?:\.git|git~\d+)$/.test(folded)) return 'is a name that git uses for its own folder'
  if (Buffer.byteLength(name) > 255) return 'is too long'
  return undefined
}

/**
 * Returns true if a skill may have this name: a folder can have it on every system, and it is not hidden, an option or
 * `__proto__`.
 */
export function isSkillName(name: string): boolean {
  return problemOfName(name) === undefined && !name.startsWith('.') && !name.startsWith('-') && name !== '__proto__'
}

/**
 * Returns the form in which paths are compared: without letter case, composition and compatibility forms. Two paths
 * with an equal form are the same path on some disks.
 */
export function foldedPath(path: string): string {
  return path.split('/').map(foldedName).join('/')
}
