import { messageOf, SkillsError } from '@skills/core'

export type AiLibrary = typeof import('ai')

const packageName = 'ai'
/**
 * Matches errors about the missing package. Node names the package, or its package.json if that lacks the requested
 * export. The name alone is part of many words.
 */
const isAbout = new RegExp(String.raw`'${packageName}'|[\\/]${packageName}[\\/]package\.json\b`)

/**
 * Loads the AI SDK. A caller does so only when it asks a model, because loading the library takes longer than a whole
 * listing.
 * @throws SkillsError `E_MISSING_PROVIDER` if it is not installed
 */
export function aiLibrary(): Promise<AiLibrary> {
  return installed(() => import('ai'))
}

/** Returns the result of an import. If the package is not installed, the error says what to do. */
export async function installed<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const isMissing =
      error instanceof Error &&
      'code' in error &&
      (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'ERR_PACKAGE_PATH_NOT_EXPORTED')
    if (!isMissing || !isAbout.test(error.message)) throw error
    throw new SkillsError(
      'E_MISSING_PROVIDER',
      `A model cannot be asked, because the package ${packageName} cannot be loaded: ${messageOf(error)}.`,
      { hint: `Install it: npm install ${packageName}@6`, cause: error },
    )
  }
}
