// Prints the median microseconds of one invocation in a catalog of 10 and of 10,000 skills, measured in turn.
import { createSkills, defineProvider, loadResult, promptCommand } from '@skills/core'
import { standard } from '@skills/distributions'
import { allowAll } from '@skills/permission-rules'
import { Invoker } from '@skills/invocation'
import { memoryState } from '@skills/state'

function engine(count) {
  const commands = Array.from({ length: count }, (_, at) =>
    promptCommand({
      name: `skill-${at}`,
      source: 'user',
      description: 'Does it.',
      load: () => ({ template: 'Do $ARGUMENTS.' }),
    }),
  )
  const source = defineProvider({
    kind: 'source',
    id: 'memory',
    setup: () => ({ source: 'user', list: () => loadResult({ commands }), refresh: () => undefined }),
  })
  return new Invoker(
    createSkills(
      standard({
        host: { cwd: '/', home: '/nonexistent', env: {} },
        managed: { dirs: [] },
        bundled: false,
        builtin: false,
        permission: allowAll(),
        state: memoryState(),
        plugins: [source],
        onDiagnostic: () => {},
      }),
    ),
  )
}

async function timed(invoker) {
  const start = performance.now()
  await invoker.invoke({ name: 'skill-7', args: 'it', caller: 'user' })
  return (performance.now() - start) * 1000
}

const engines = [10, 10_000].map(engine)
const times = engines.map(() => [])
for (let round = 0; round < 1200; round++) {
  for (const [at, invoker] of engines.entries()) times[at].push(await timed(invoker))
}
// The first third warms up the code.
const [few, many] = times.map(list => list.slice(400).sort((a, b) => a - b)[400])
console.log(JSON.stringify({ few, many }))
process.exit(0)
