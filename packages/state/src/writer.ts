export { namedRoot, temporaryRoot, writeNamed } from './writer/named-root.js'
export { Root } from './writer/root.js'
