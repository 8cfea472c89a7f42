import { registryError } from './registry-error.js'
import { fullNameOf } from './new-version.js'
import type { Registry, SkillName, VersionFile } from './registry-types.js'

/**
 * Returns the bytes of a version's file.
 * @param fileOf returns the bytes of a file by its digest
 * @throws SkillsError `E_REGISTRY_DAMAGED` if the registry has lost them
 */
export async function bytesOfFile(
  fileOf: Registry['file'],
  { path, digest }: VersionFile,
  skill: SkillName,
): Promise<Uint8Array> {
  const bytes = await fileOf(digest)
  if (bytes !== undefined) return bytes
  throw registryError(
    'E_REGISTRY_DAMAGED',
    `The registry has no file ${JSON.stringify(path)} of ${fullNameOf(skill)}.`,
    'Publish the skill again.',
  )
}
