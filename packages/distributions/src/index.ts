export { agentsNamed, type FollowedAgent } from './agents.js'
export { checkedAgainst, type Checked } from './checked.js'
export {
  distributionNamed,
  distributionNames,
  type DistributionName,
  type LoadedDistribution,
  type MakeDistribution,
} from './distribution-named.js'
export { defineDistribution, type Definition } from './define-distribution.js'
export type { Distribution, DistributionOptions } from './distribution.js'
export { SharedReads, type SharedReadsOptions } from '@skills/files'
export { standard, type StandardOptions } from './agents/standard/index.js'
