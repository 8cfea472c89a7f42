/**
 * Parts of this package for our other packages. Semantic versioning does not cover them.
 * @internal
 */
export type { Argument } from './fill-arguments.js'
export type { LineNews, ReadLine } from './read-lines.js'
