import { defineCommand } from '../../arguments/define-command.js'
import { rules } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'serve',
  place: 1,
  text: 'Serve these skills to MCP clients, over stdio or HTTP',
  options: {
    '--read-only': 'Run no embedded command, hook or fork, and save nothing',
    '--http': 'Serve over streamable HTTP on the loopback, to any client that has the token',
    '--port <number>': 'Listen on this port (default: a free one); needs --http',
    '--host <address>':
      'Listen on this address instead of the loopback; clients have to use this name in the URL; needs --http',
    '--origin <name>...':
      "Accept this host as Origin, such as a proxy's, besides this machine's; repeatable; needs --http",
    '--no-token': 'Require no token: every program that reaches the address can call the server; needs --http',
    ...rules,
  },
  details: [
    'An MCP client starts the server with the command "skills" and the arguments ["mcp", "--cwd", "/path/to/project"].',
    'If no rule decides, the client asks its user. A client that cannot ask gets a denial that names the --allow rule to add.',
    'With --http, the token is read from SKILLS_MCP_TOKEN; otherwise a new one is printed to standard error.',
  ],
})
