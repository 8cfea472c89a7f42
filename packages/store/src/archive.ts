export { archiveStore, type ArchiveStoreOptions } from './archive/archive-store.js'
export { archiveErrorCodes } from './archive/errors.js'
