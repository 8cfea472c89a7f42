import { holdsUnseen } from '@skills/core/internal'
import { foldedName } from '@skills/store'

/** Names that Windows gives to devices, with any ending. */
const device = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?:\..*)?$/i

/** Letters, digits, and single dots between them: of what is asked below, it may only be a device, or too long. */
const plain = /^[\w-]+(?:\.[\w-]+)*$/

/** Why a part of a path is no name that every system keeps as it is; undefined for one that is. */
export function problemOfName(name: string): string | undefined {
  if (plain.test(name) && name.length <= 255) return device.test(name) ? 'is the name of a device' : undefined
  if (name === '' || name === '.' || name === '..') return 'leads elsewhere'
  if (/\p{Cc}/u.test(name)) return 'has a control character'
  if (holdsUnseen(name)) return 'has a character that is not seen'
  if (/[<>:"|?*\\/]/.test(name)) return 'has a character that not every system takes'
  if (/[. ]$/.test(name)) return 'ends with a dot or a space'
  const folded = foldedName(name)
  if (device.test(name) || device.test(folded)) return 'is the name of a device'
  if (/^(?:\.git|git~\d+)$/.test(folded)) return 'is where git keeps a repository'
  if (Buffer.byteLength(name) > 255) return 'is too long'
  return undefined
}

/** Whether a skill may be called so: its folder is, and nothing else is meant by it. */
export function isSkillName(name: string): boolean {
  return problemOfName(name) === undefined && !name.startsWith('.') && !name.startsWith('-') && name !== '__proto__'
}

/** How a disk sees a path that tells neither letter case, composition nor forms of one character apart. */
export function foldedPath(path: string): string {
  return path.split('/').map(foldedName).join('/')
}
