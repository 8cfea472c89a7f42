export { danglingLink, escapeProblem, isInside } from './containment.js'
export { foldedName, limitBrokenBy, longestTarget, quotedPath } from './entry-name.js'
export { MemoryStore, type MemoryContent, type MemoryStoreOptions } from './memory-store.js'
export { TreeStore, type TreeEntry, type TreeFile, type TreeStoreOptions } from './tree-store.js'
export {
  after,
  withRead,
  type Answer,
  type ReadCall,
  type Store,
  type StoreCall,
  type StoreContent,
  type StoreFile,
  type StoreFolder,
  type StoreStats,
} from './store.js'
