// An entry of its own, so that what composes an engine loads no more than this.
export { runsKind } from './runs.js'
