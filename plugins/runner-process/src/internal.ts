/**
 * Parts of this package for other packages of ours. They are not covered by versions.
 * @internal
 */
export type { Argument } from './fill-arguments.js'
export type { LineNews, ReadLine } from './read-lines.js'
