export { escapeProblem, isInside } from './containment.js'
export { foldedName, limitBrokenBy } from './entry-name.js'
export { MemoryStore } from './memory-store.js'
export { TreeStore, type TreeEntry, type TreeStoreOptions } from './tree-store.js'
export type {
  StoreAnswer,
  ReadCall,
  Store,
  StoreCall,
  StoreContent,
  StoreFile,
  StoreFolder,
  StoreStats,
} from './store.js'
