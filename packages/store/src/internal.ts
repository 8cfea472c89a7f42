/**
 * Parts of this package for other packages of ours. They are not covered by versions.
 * @internal
 */
export { packedFiles } from './archive/packed-files.js'
export { danglingLink } from './containment.js'
export type { MemoryContent, MemoryStoreOptions } from './memory-store.js'
export { after, withRead } from './store.js'
