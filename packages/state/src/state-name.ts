import { SkillsError } from '@skills/core'

/** Names that Windows reserves for devices, with any extension. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/**
 * Throws `E_INVALID_OPTION` for a name that cannot be a file name on every platform. Capitals are refused, because some
 * file systems treat names that differ only in case as one.
 */
export function checkName(name: string): void {
  if (/^[a-z0-9][a-z0-9-]{0,63}$/.test(name) && !devices.test(name)) return
  throw new SkillsError('E_INVALID_OPTION', `${JSON.stringify(name)} is not a valid name for stored values.`, {
    hint: 'A name has up to 64 lower-case letters a to z, digits and hyphens, does not begin with a hyphen, and is not the name of a Windows device.',
  })
}
