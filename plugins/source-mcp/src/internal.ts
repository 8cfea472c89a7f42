/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export type { McpHttpServer, McpProcessServer, McpServerOrigin, McpTransportServer } from './options.js'
export type { McpSkillFile, McpSkillFiles } from './skill-files.js'
export type { McpMessage } from './transport.js'
