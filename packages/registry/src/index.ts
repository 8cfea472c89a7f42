export { openRegistry } from './open-registry.js'
