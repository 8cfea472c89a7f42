export { distributionNamed, distributionNames, type DistributionName, type MakeDistribution } from './distribution-named.js'
export type { Distribution, DistributionOptions } from './distribution.js'
export { standard, type StandardOptions } from './standard.js'
