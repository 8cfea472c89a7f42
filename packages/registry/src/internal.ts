/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export type { RegistryOptions } from './open-registry.js'
export type { RegistrySourceOptions } from './registry-source.js'
export { registryErrorCodes } from './registry-error.js'
export type * from './registry-types.js'
export { exportSite } from './export-site.js'
export { ingest, type Ingested } from './ingest.js'
export { versionJson } from './version-json.js'
export type { RegistryServer, RegistryServerOptions } from './server/registry-server.js'

/** Loads the HTTP server of a registry, which a search does not need. */
export const loadRegistryServer = async () => (await import('./server/registry-server.js')).registryServer
