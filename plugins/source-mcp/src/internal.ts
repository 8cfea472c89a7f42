/**
 * Parts of this package for our other packages. Semantic versioning does not cover them.
 * @internal
 */
export type { McpHttpServer, McpProcessServer, McpServerOrigin, McpTransportServer } from './options.js'
export type { McpSkillFile, McpSkillFiles } from './skill-files.js'
export type { McpMessage } from './transport.js'
