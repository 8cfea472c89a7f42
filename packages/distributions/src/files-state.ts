// In a file of its own, so that code which only needs paths of the state does not load the store.
export { stateStore } from '@skills/state'
