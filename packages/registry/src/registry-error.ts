import { messageOf, SkillsError } from '@skills/core'

/** Error codes of a registry, in addition to those of the engine and of installing, each with its meaning. */
export const registryErrorCodes = {
  E_REGISTRY: 'the database of a registry cannot be reached, or refuses a request',
  E_REGISTRY_BUSY: 'another process writes to a registry for too long',
  E_REGISTRY_DAMAGED: 'a file is not a registry, or is damaged',
  E_REGISTRY_DENIED: 'the server of a registry does not accept the sender of a request',
  E_REGISTRY_EXISTS: 'a registry has this version of a skill already, or its label',
  E_REGISTRY_FULL: 'the disk of a registry is full',
  E_REGISTRY_LIMIT: 'a skill has more files or bytes than a registry takes',
  E_REGISTRY_NAME: 'a name is not allowed in a registry, or can be mistaken for one that it has',
  E_REGISTRY_NOT_FOUND: 'a registry, a skill of it or a version does not exist',
  E_REGISTRY_READ_ONLY: 'a registry, or the folder for files of its skills, cannot be written to',
  E_REGISTRY_RATE: 'a client sends more requests than the server of a registry takes, or reads too slowly',
  E_REGISTRY_REQUEST: 'a request to the server of a registry is not valid',
  E_REGISTRY_SKILL: 'a skill cannot be published as it is',
  E_REGISTRY_VERSION: 'a later version of the program made a registry',
} as const

type RegistryErrorCodes = { readonly [K in keyof typeof registryErrorCodes]: true }

declare module '@skills/core' {
  interface ErrorCodes extends RegistryErrorCodes {}
}

export type RegistryErrorCode = keyof typeof registryErrorCodes

/** Makes an error about a registry. */
export function registryError(code: RegistryErrorCode, message: string, hint: string, cause?: unknown): SkillsError {
  return new SkillsError(code, message, { hint, ...(cause !== undefined && { cause }) })
}

/** Makes an error from what a database threw. */
export function databaseError(code: RegistryErrorCode, what: string, hint: string, cause: unknown): SkillsError {
  return SkillsError.is(cause) ? cause : registryError(code, `${what}: ${messageOf(cause)}.`, hint, cause)
}

/** Returns the result of an import. If an optional package is not installed, the error says what to do. */
export async function installed<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (!isMissing || !error.message.includes(`'${name}'`)) throw error
    throw new SkillsError('E_MISSING_PROVIDER', `A registry needs the package ${name}, which is not installed.`, {
      hint: `Install it: npm install ${name}`,
      cause: error,
    })
  }
}
