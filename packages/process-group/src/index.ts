export { keepGroup, signalGroup } from './group.js'
export {
  runInGroup,
  type GroupCall,
  type GroupClock,
  type RunEnd,
  type RunLimits,
  type RunOptions,
  type RunResult,
} from './run-in-group.js'
