/**
 * Parts of this package for our other packages. Semantic versioning does not cover them.
 * @internal
 */
export type { ClientSession } from './client-session.js'
export type { HttpOptions } from './http-options.js'
export type { SkillsServerOptions } from './options.js'
export type { HttpServer } from './serve-http.js'
export type { StdioOptions } from './serve-stdio.js'
