export { openRegistry } from './open-registry.js'
export { registrySource } from './registry-source.js'
