// A file of its own, so that what only paths of the state are asked of loads nothing of the store.
export { stateStore } from '@skills/state'
