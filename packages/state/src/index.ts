export { memoryState } from './memory-state.js'
export { openState, stateStore, type OpenStateOptions, type StateStoreOptions } from './state-store.js'
export { stateFolderOf } from './state-folder.js'
export { stateKind, type State } from './state.js'
