// #region usage
import { createSkills } from '@skills/core'
import { mcpSource } from '@skills/source-mcp'

function engine(token: string) {
  return createSkills({
    plugins: [
      mcpSource({
        servers: {
          docs: { command: 'npx', args: ['docs-server'], env: { DOCS_TOKEN: token } },
          tracker: { url: 'https://tracker.example/mcp', headers: { authorization: `Bearer ${token}` } },
        },
      }),
    ],
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
}
// #endregion usage

// #region files
import { skillFilesOf } from '@skills/source-mcp'
import type { Command } from '@skills/core'

async function fileOf(command: Command, path: string, signal: AbortSignal) {
  const file = await skillFilesOf(command)?.read(path, { signal })
  return file === undefined ? undefined : Buffer.from(file.bytes).toString()
}
// #endregion files

import { expect, it } from 'vitest'
import { engine as testEngine } from '../test/engine.js'
import { McpServer } from '../test/mcp-server.js'

it('is made as the README shows, and starts nothing by that', async () => {
  const skills = engine('token')
  await skills.close()
  await expect(skills.catalog()).rejects.toMatchObject({ code: 'E_CLOSED' })
})

it('reads a file of a skill as the README shows', async () => {
  const server = new McpServer()
  server.putSkill('refunds', { name: 'refunds', description: 'Handles refunds.' }, 'Ask.', {
    'RULES.md': 'No receipt, no refund.',
  })
  const skills = testEngine({ servers: { shop: { transport: () => server.transport() } } })
  try {
    const command = await skills.prompt('mcp__shop__refunds')
    expect(await fileOf(command, 'RULES.md', new AbortController().signal)).toBe('No receipt, no refund.')
  } finally {
    await skills.close()
  }
})
