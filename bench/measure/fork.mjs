// Runs forks with a runner that does nothing. Prints the median ms of one, and the KiB of heap for each that 1,000
// simultaneous forks leave behind once they have ended.
import { runInNewContext } from 'node:vm'
import { setFlagsFromString } from 'node:v8'
import { createSkills, defineProvider, loadResult, processHost, promptCommand } from '@skills/core'
import { expanderKind } from '@skills/expansion'
import { forkExecutor } from '@skills/executor-fork'
import { invocationKinds, Invoker } from '@skills/invocation'
import { stateKind } from '@skills/state'

setFlagsFromString('--expose_gc')
const collect = runInNewContext('gc')
const [times, together, rounds] = [1000, 1000, 5]

const skill = promptCommand({
  name: 'review',
  source: 'user',
  context: 'fork',
  allowedTools: ['Read', 'Bash(git:*)'],
  load: () => ({ template: 'Look at it.' }),
})
let atWork = 0
let most = 0
const skills = createSkills({
  host: processHost(),
  kinds: [...invocationKinds, expanderKind, stateKind],
  onDiagnostic({ message }) {
    throw new Error(message)
  },
  plugins: [
    defineProvider({
      kind: 'source',
      id: 'source',
      setup: () => ({ source: 'user', list: () => loadResult({ commands: [skill] }) }),
    }),
    defineProvider({
      kind: 'permission',
      id: 'all',
      setup: () => ({ check: () => ({ behavior: 'allow', message: '', decisionReason: { type: 'default' } }) }),
    }),
    defineProvider({
      kind: 'runner',
      id: 'nothing',
      setup: () => ({
        async run() {
          most = Math.max(most, (atWork += 1))
          // All forks of a round have begun before the first of them ends.
          await new Promise(resolve => setImmediate(resolve))
          atWork -= 1
          return { text: '' }
        },
      }),
    }),
    forkExecutor(),
  ],
})
const invoker = new Invoker(skills)
const fork = agentId => invoker.invoke({ name: 'review', caller: 'model', agentId })

for (let at = 0; at < 200; at++) await fork('one')
const taken = []
for (let at = 0; at < times; at++) {
  const start = performance.now()
  await fork('one')
  taken.push(performance.now() - start)
}
taken.sort((a, b) => a - b)

const round = () => Promise.all(Array.from({ length: together }, (_, at) => fork(`agent-${at}`)))
const heap = async () => {
  await new Promise(resolve => setImmediate(resolve))
  collect()
  return process.memoryUsage().heapUsed
}
await round()
await round()
const before = await heap()
for (let at = 0; at < rounds; at++) await round()
const after = await heap()
if (most < together) throw new Error(`Only ${most} forks were at work at once.`)
await skills.close()
console.log(
  JSON.stringify({
    ms: taken[times >> 1],
    ms99: taken[Math.floor(times * 0.99)],
    kibLeft: (after - before) / 1024 / (rounds * together),
    atOnce: most,
  }),
)
