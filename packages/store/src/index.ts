export { danglingLink, escapeProblem, isInside } from './containment.js'
export { MemoryStore, type MemoryContent, type MemoryStoreOptions } from './memory-store.js'
export { after, TreeStore, type TreeEntry, type TreeFile, type TreeStoreOptions } from './tree-store.js'
export type { Answer, ReadCall, Store, StoreCall, StoreContent, StoreFile, StoreFolder, StoreStats } from './store.js'
