export { keepOwn } from './writer/keep-own.js'
export { namedRoot, removeTemporary, temporaryRoot, writeNamed } from './writer/named-root.js'
export { isProgramsFolder } from './writer/names.js'
export { Root, type Replaces, type RootKind, type RootOptions, type WriteOptions } from './writer/root.js'
