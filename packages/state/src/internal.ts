/**
 * Parts of this package for other packages of ours. They are not covered by versions.
 * @internal
 */
export type { LockOptions } from './lock.js'
export { isRunning, parseHolder, thisHolder, type LockHolder } from './lock-holder.js'
export type { Owner } from './private-folder.js'
export type { OpenStateOptions, StateStoreOptions } from './state-store.js'
export { unsavedState } from './unsaved-state.js'
export { isTemporaryName, temporaryName, writerMark } from './temporary.js'
export { keepOwn } from './writer/keep-own.js'
export { withoutRoom, writeAll } from './writer/write-error.js'
export { removeTemporary } from './writer/named-root.js'
export type { Replaces, RootKind, RootOptions, WriteOptions } from './writer/root.js'
export { isFolderLink } from './writer/folder-link.js'
