export { gitStore, type GitStoreOptions } from './git/git-store.js'
export { gitErrorCodes } from './git/errors.js'
