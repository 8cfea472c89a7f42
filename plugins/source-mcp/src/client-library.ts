import { messageOf, SkillsError } from '@skills/core'

export type ClientLibrary = typeof import('@modelcontextprotocol/client')
export type SkillsLibrary = typeof import('@modelcontextprotocol/client/ext/skills')

const packageName = '@modelcontextprotocol/client'

/**
 * The client library, which is read only once a server is to be spoken to: it takes longer than a whole listing.
 * @throws SkillsError `E_MISSING_PROVIDER` where it is not installed
 */
export async function clientLibrary(): Promise<ClientLibrary> {
  try {
    // A bundler that finds no such package goes on only where the import stands in such a block.
    return await import('@modelcontextprotocol/client')
  } catch (error) {
    return installed(() => Promise.reject(error))
  }
}

/** The part for the skills extension, read only for a server that has it. */
export async function skillsLibrary(): Promise<SkillsLibrary> {
  try {
    return await import('@modelcontextprotocol/client/ext/skills')
  } catch (error) {
    return installed(() => Promise.reject(error))
  }
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
    if (!isMissing || !error.message.includes(packageName)) throw error
    throw new SkillsError(
      'E_MISSING_PROVIDER',
      `MCP servers are configured, and the package ${packageName} cannot be loaded: ${messageOf(error)}.`,
      { hint: `Install it: npm install ${packageName}@2`, cause: error },
    )
  }
}
