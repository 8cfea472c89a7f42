import { defineCommand } from '../../arguments/define-command.js'
import { rules } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'serve',
  place: 1,
  text: 'Serve these skills to MCP clients, over stdio or HTTP',
  options: {
    '--read-only': 'Run nothing: no embedded command, no hook, no fork; and remember nothing',
    '--http': 'Over streamable HTTP at the loopback, for any number of clients that have the token',
    '--port <number>': 'The port to listen at; a free one unless given',
    '--host <address>': 'The address to listen at, and the name that clients may call it by, in place of the loopback',
    '--origin <name>...': 'The host name of pages that may call it, besides those of this machine; may be repeated',
    '--no-token': 'Ask clients for no token: every program of this machine can then call it',
    ...rules,
  },
  details: [
    'A client starts it by itself: command "skills", arguments ["mcp", "--cwd", "/path/to/project"].',
    'What no rule decides is asked of the person there; a client that cannot ask gets the answer no, with the --allow that would change it.',
    'With --http the token is that of SKILLS_MCP_TOKEN, else a new one that is printed to standard error.',
  ],
})
