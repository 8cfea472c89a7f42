/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export type { ClientSession } from './client-session.js'
export type { HttpOptions } from './http-options.js'
export type { SkillsServerOptions } from './options.js'
export type { HttpServer } from './serve-http.js'
export type { StdioOptions } from './serve-stdio.js'
