import { SkillsError } from '@skills/core'

/** Windows keeps these for devices, with any extension. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/**
 * Refuses with `E_INVALID_OPTION` what could not be the name of a file on every platform. Without capitals, since two
 * names that differ in case alone are one file on some.
 */
export function checkName(name: string): void {
  if (/^[a-z0-9][a-z0-9-]{0,63}$/.test(name) && !devices.test(name)) return
  throw new SkillsError('E_INVALID_OPTION', `Nothing can be remembered under the name ${JSON.stringify(name)}.`, {
    hint: 'A name has up to 64 lower-case letters a to z, digits and hyphens, does not begin with a hyphen, and is no device of Windows.',
  })
}
