export { mcpSource } from './mcp-source.js'
export type { McpServer, McpSourceOptions } from './options.js'
export { skillFilesOf } from './skill-files.js'
export type { McpTransport } from './transport.js'
