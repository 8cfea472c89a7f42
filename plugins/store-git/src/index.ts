export { GitStore, gitStore, type GitStoreOptions } from './git-store.js'
export { GitError, gitErrorCodes, type GitErrorCode } from './errors.js'
