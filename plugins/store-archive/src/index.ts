export { archiveStore, type ArchiveStoreOptions } from './archive-store.js'
export { ArchiveError, archiveErrorCodes, type ArchiveErrorCode } from './errors.js'
