export {
  distributionNamed,
  distributionNames,
  type DistributionName,
  type LoadedDistribution,
  type MakeDistribution,
} from './distribution-named.js'
export type { Distribution, DistributionOptions } from './distribution.js'
export { SharedReads, type SharedReadsOptions } from '@skills/fs'
export { standard, type StandardOptions } from './standard.js'
