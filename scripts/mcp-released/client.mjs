// @ts-check
// The client that the conformance suite starts, with the address of its server as the last argument. It uses the source
// of MCP commands: it lists skills, and where the scenario is about files it loads every skill, and the files of those
// that load.
import { createSkills } from '@skills/core'
import { mcpSource, skillFilesOf } from '@skills/source-mcp'

const url = String(process.argv.at(-1))
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? ''
const { signal } = new AbortController()
const skills = createSkills({
  plugins: [mcpSource({ servers: { theirs: { url } }, waitMs: 10_000, retries: 1, retryMs: 1 })],
  onDiagnostic: ({ message }) => console.error(message),
})
try {
  const { entries } = await skills.catalog()
  if (!scenario.includes('no-prefetch'))
    for (const { command } of entries)
      if (command.type === 'prompt') {
        await command.load('', { signal })
        const files = skillFilesOf(command)
        for (const path of files?.paths ?? []) await files?.read(path, { signal })
      }
} catch (error) {
  // Some scenarios serve tampered content: an error is expected, and the suite checks what was read.
  console.error(error instanceof Error ? error.message : error)
} finally {
  await skills.close()
}
