export { GitStore, gitStore, type GitStoreOptions } from './git/git-store.js'
export { GitError, gitErrorCodes, type GitErrorCode } from './git/errors.js'
