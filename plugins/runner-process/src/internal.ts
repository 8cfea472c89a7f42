/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export type { Argument } from './fill-arguments.js'
export type { LineNews, ReadLine } from './read-lines.js'
