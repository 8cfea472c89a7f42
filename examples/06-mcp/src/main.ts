import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { createSkills } from '@skills/core'
import { inlineExecutor } from '@skills/executor-inline'
import { invocationKinds, Invoker } from '@skills/invocation'
import { allowAll } from '@skills/permission-rules'
import { mcpSource } from '@skills/source-mcp'
import { stateKind, memoryState } from '@skills/state'
import { expanderKind } from '@skills/expansion'
import { trust } from '@skills/trust'

const script = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js')
const problems: string[] = []

const skills = createSkills({
  kinds: [...invocationKinds, expanderKind, stateKind],
  plugins: [
    // A program that lists skills once waits for its servers. A program that keeps running lists what is there, and
    // lists again after an event.
    mcpSource({ servers: { everything: { command: process.execPath, args: [script] } }, waitMs: 9000 }),
    inlineExecutor(),
    trust(),
    memoryState(),
    // Every permission is given here, and still nothing of a server runs: no permission can allow it.
    allowAll(),
  ],
  onDiagnostic: ({ message }) => void problems.push(message),
})
try {
  const { entries, places } = await skills.catalog()
  for (const { path, state, found } of places) console.log(`${path}  ${state}, ${found} prompts`)
  for (const { name, command } of entries)
    console.log(
      `/${name}${command.argumentHint === undefined ? '' : ` ${command.argumentHint}`}  ${command.description}`,
    )
  assert.deepEqual(
    entries.map(({ name }) => name),
    [
      'mcp__everything__args-prompt',
      'mcp__everything__completable-prompt',
      'mcp__everything__resource-prompt',
      'mcp__everything__simple-prompt',
    ],
  )

  const line = '/mcp__everything__args-prompt "San Jose" California'
  const [outcome] = (await new Invoker(skills).run(line)) ?? []
  console.log(`\n> ${line}`)
  const said = outcome?.newMessages.map(({ content }) =>
    typeof content === 'string'
      ? content
      : content.map(block => (block.type === 'text' ? block.text : `[${block.mimeType}]`)).join('\n'),
  )
  for (const text of said ?? []) console.log(text)
  const text = said?.join('\n') ?? ''
  assert.match(text, /^From the MCP server "everything", its prompt "args-prompt"\./m)
  assert.match(text, /^What's weather in San Jose, California\?$/m)
  await assert.rejects(
    async () => new Invoker(skills).run('/mcp__everything__args-prompt'),
    /needs the argument "city"/,
  )
  assert.deepEqual(problems, [])
} finally {
  await skills.close()
}
console.log('\nAs expected.')
