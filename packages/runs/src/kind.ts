// In a file of its own, so that composing an engine loads no more than this.
export { runsKind } from './runs.js'
