import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createSkills, defineProvider, loadResult, processHost, promptCommand } from '@skills/core'
import { forkExecutor } from '@skills/executor-fork'
import { invocationKinds, Invoker } from '@skills/invocation'
import { expanderKind } from '@skills/invocation/template'
import { aiSdkRunner } from '@skills/runner-ai-sdk'
import { embeddedRuns, runsKind } from '@skills/runs'
import { memoryState, stateKind } from '@skills/state'

// What recording a fork costs, with a model that answers at once, and whether memory grows:
//   npx esbuild bench/runs.ts --bundle --splitting --format=esm --platform=node --outdir=/tmp/bench \
//     --out-extension:.js=.mjs --alias:ai=$PWD/plugins/runner-ai-sdk/node_modules/ai/dist/index.mjs \
//     --banner:js="import { createRequire as make } from 'node:module'; const require = make(import.meta.url);"
//   node --expose-gc /tmp/bench/runs.mjs 1500
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

async function timesOf(
  plugins: readonly object[],
): Promise<{ readonly times: readonly number[]; readonly heap: number }> {
  const command = promptCommand({
    name: 'work',
    source: 'user',
    context: 'fork',
    load: () => ({ template: 'Do it.' }),
    digest: () => 'd',
  })
  const skills = createSkills({
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

const median = (times: readonly number[]): number => times[times.length >> 1] ?? 0
try {
  const plain = await timesOf([])
  const recorded = await timesOf([embeddedRuns({ dir: `${folder}/runs` })])
  const runs = readdirSync(`${folder}/runs`).length
  const ms = (value: number): string => `${value.toFixed(2)} ms`
  console.log(`in-process fork  ${ms(median(plain.times))}, heap ${plain.heap.toFixed(1)} MiB more`)
  console.log(`recorded fork    ${ms(median(recorded.times))}, heap ${recorded.heap.toFixed(1)} MiB more, ${runs} runs`)
  console.log(`recording        ${ms(median(recorded.times) - median(plain.times))} (median of ${count})`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
