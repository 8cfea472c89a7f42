export { archiveStore, type ArchiveStoreOptions } from './archive/archive-store.js'
export { ArchiveError, archiveErrorCodes, type ArchiveErrorCode } from './archive/errors.js'
