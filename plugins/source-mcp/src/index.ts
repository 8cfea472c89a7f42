export { mcpSource } from './mcp-source.js'
export type {
  McpHttpServer,
  McpProcessServer,
  McpServer,
  McpServerOrigin,
  McpSourceOptions,
  McpTransportServer,
} from './options.js'
export { skillFilesOf, type McpSkillFile, type McpSkillFiles } from './skill-files.js'
export type { McpMessage, McpTransport } from './transport.js'
