// Asks the hooks about a tool call that none of them is for. Prints the median µs of a question, in batches; and that
// of the kernel alone, which is the cost of asking without the rest.
import { createSkills, defineProvider, loadResult, promptCommand } from '@skills/core'
import { decide, invocationKinds, registerHooks } from '@skills/invocation'
import { commandHooks } from '@skills/hooks-command'

const batches = 400
const batch = 500
const payload = { toolName: 'Read', toolInput: { file_path: '/a/b' } }
const never = new AbortController().signal

/** Returns the microseconds of one call of `ask`, the median of batches. */
async function micros(ask) {
  for (let at = 0; at < 20_000; at++) await ask()
  const taken = []
  for (let at = 0; at < batches; at++) {
    const start = performance.now()
    for (let one = 0; one < batch; one++) await ask()
    taken.push(((performance.now() - start) * 1000) / batch)
  }
  return taken.toSorted((a, b) => a - b)[batches >> 1]
}

async function engine(hooks) {
  const skills = createSkills({
    kinds: invocationKinds,
    onDiagnostic: ({ message }) => {
      throw new Error(message)
    },
    plugins: [
      defineProvider({ kind: 'source', id: 'none', setup: () => ({ source: 'user', list: () => loadResult({}) }) }),
      defineProvider({
        kind: 'trust',
        id: 'all',
        setup: () => ({ judge: () => ({ level: 'trusted', isApproved: true }) }),
      }),
      commandHooks(),
    ],
  })
  for (const [at, declared] of hooks.entries()) {
    const command = promptCommand({
      name: `skill-${at}`,
      source: 'user',
      hooks: declared,
      load: () => ({ template: '' }),
    })
    await registerHooks(skills.use('hooks'), { command, trust: 'trusted' }, { signal: never })
  }
  return skills
}

const hook = [{ type: 'command', command: 'true' }]
const none = await engine([])
const names = await engine(
  Array.from({ length: 100 }, () => ({ PostToolUse: [{ hooks: hook }], Stop: [{ hooks: hook }], PreToolUse: [] })),
)
const matchers = await engine(
  Array.from({ length: 100 }, (_, at) => ({
    PreToolUse: [{ matcher: at % 2 ? 'Bash|Write' : `^mcp__${at}_.*`, hooks: hook }],
  })),
)
const provider = await none.use('hooks').first(one => one)
const result = {
  'no hook at all': await micros(() => decide(none, 'PreToolUse', payload)),
  'a hundred for other events': await micros(() => decide(names, 'PreToolUse', payload)),
  'a hundred for other tools': await micros(() => decide(matchers, 'PreToolUse', payload)),
  'the provider alone': await micros(() => provider.decide('PreToolUse', payload, { signal: never })),
  'the kernel, asked each time': await micros(() =>
    none.use('hooks').first((one, call) => one.decide('PreToolUse', payload, call)),
  ),
}
for (const skills of [none, names, matchers]) await skills.close()
console.log(JSON.stringify({ micros: result }))
