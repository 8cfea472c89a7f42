import { messageOf, SkillsError } from '@skills/core'

export type ClientLibrary = typeof import('@modelcontextprotocol/client')
export type SkillsLibrary = typeof import('@modelcontextprotocol/client/ext/skills')

const packageName = '@modelcontextprotocol/client'

/**
 * Loads the client library. A caller does so only when it connects a server, because loading the library takes longer
 * than a whole listing.
 * @throws SkillsError `E_MISSING_PROVIDER` if it is not installed
 */
export async function clientLibrary(): Promise<ClientLibrary> {
  try {
    // A bundler without the package continues only if the import is inside a try block.
    return await import('@modelcontextprotocol/client')
  } catch (error) {
    return installed(() => Promise.reject(error))
  }
}

/** Loads the part of the library for the skills extension. It is needed only for a server that has the extension. */
export async function skillsLibrary(): Promise<SkillsLibrary> {
  try {
    return await import('@modelcontextprotocol/client/ext/skills')
  } catch (error) {
    return installed(() => Promise.reject(error))
  }
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
    if (!isMissing || !error.message.includes(packageName)) throw error
    throw new SkillsError(
      'E_MISSING_PROVIDER',
      `MCP servers are configured, but the package ${packageName} cannot be loaded: ${messageOf(error)}.`,
      { hint: `Install it: npm install ${packageName}@2`, cause: error },
    )
  }
}
