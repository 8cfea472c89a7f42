import { readJsonFile } from '@skills/files'
import { plainFolder } from '@skills/files/internal'
import { managedDirs, policyName } from '@skills/source-managed'
import { userSettings } from './find-settings.js'
import { projectSettings } from './project-settings.js'
import type { Host } from '@skills/core'

/** Values of a listing that settings of Claude Code set. */
interface ListingValues {
  readonly fraction?: number
  readonly maxDescription?: number
}

/** Keys of Claude Code's settings files about the listing, with the words for what each can be. */
export const listingKeys = {
  skillListingBudgetFraction: {
    option: 'fraction',
    says: 'a number above 0 and at most 1',
    accepts: (value: number) => value > 0 && value <= 1,
  },
  skillListingMaxDescChars: {
    option: 'maxDescription',
    says: 'a whole number above 0',
    accepts: (value: number) => Number.isSafeInteger(value) && value > 0,
  },
} as const

/**
 * Returns the keys of a settings file about the listing that have no valid value. If there is one, neither key of the
 * file counts.
 */
export function wrongListingKeys(data: Readonly<Record<string, unknown>>): readonly (keyof typeof listingKeys)[] {
  return (Object.keys(listingKeys) as (keyof typeof listingKeys)[]).filter(key => {
    const value = data[key]
    return value !== undefined && !(typeof value === 'number' && listingKeys[key].accepts(value))
  })
}

/**
 * Makes a function that reads what Claude Code's settings files say of the listing. The first file that sets a key
 * counts: the administrator's, the project's, the user's. Options of the host come before all files. See
 * docs/reference/distributions.md, "Settings of Claude Code".
 * @param dirs folders of the machine's administrator; default: the platform's own
 * @param given options of the listing that the host gave
 */
export function listingSettings(
  host: Host,
  dirs: readonly string[] | undefined,
  given: object = {},
): () => ListingValues {
  const project = projectSettings(host).filter(({ onlyRestricts }) => !onlyRestricts)
  const pathsNow = (): readonly (string | undefined)[] => [
    userSettings(host),
    ...project.map(({ path }) => path).toReversed(),
    ...(dirs ?? managedDirs(host.platform)).map(dir => `${plainFolder(dir)}/${policyName}`).toReversed(),
  ]
  return () => {
    const values: { fraction?: number; maxDescription?: number } = {}
    for (const path of pathsNow()) {
      const file = path && readJsonFile(path, { code: 'invalid-settings', what: `The settings file ${path}` })
      if (!file || 'code' in file || wrongListingKeys(file.data).length > 0) continue
      for (const [key, { option }] of Object.entries(listingKeys)) {
        const value = file.data[key]
        if (typeof value === 'number' && !(option in given)) values[option] = value
      }
    }
    return values
  }
}
