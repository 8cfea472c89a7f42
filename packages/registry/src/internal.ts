/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export type { RegistryOptions } from './open-registry.js'
export { registryErrorCodes } from './registry-error.js'
export type {
  FoundVersion,
  NewFile,
  NewVersion,
  Provenance,
  Published,
  Registry,
  RegistryCall,
  Removed,
  SkillName,
  SkillVersion,
  VersionFile,
  VersionPage,
} from './registry-types.js'
