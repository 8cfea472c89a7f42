// @ts-check
// The client that the conformance suite starts, with the address of its server as the last argument: our source of
// commands, which lists, and where the scenario is about files loads every skill, and its files where that succeeds.
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
  // What a scenario serves is tampered with: to be refused is what is expected, and the suite looks at what was read.
  console.error(error instanceof Error ? error.message : error)
} finally {
  await skills.close()
}
