import { messageOf, SkillsError } from '@skills/core'

export type AiLibrary = typeof import('ai')

const packageName = 'ai'
/**
 * Node names the package, or its package.json where that does not export what is asked for; the name alone is part of
 * many words.
 */
const isAbout = new RegExp(String.raw`'${packageName}'|[\\/]${packageName}[\\/]package\.json\b`)

/**
 * The AI SDK, which is read only once a model is to be asked: it takes longer than a whole listing.
 * @throws SkillsError `E_MISSING_PROVIDER` where it is not installed
 */
export function aiLibrary(): Promise<AiLibrary> {
  return installed(() => import('ai'))
}

/** What an import gives; that the package is not there is said with what to do about it. */
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
      `A model is to be asked, and the package ${packageName} cannot be loaded: ${messageOf(error)}.`,
      { hint: `Install it: npm install ${packageName}@6`, cause: error },
    )
  }
}
