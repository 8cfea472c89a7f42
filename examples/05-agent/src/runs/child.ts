import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createAnthropic } from '@ai-sdk/anthropic'
import { NodeTracerProvider, SimpleSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace-node'
import { createSkills } from '@skills/core'
import { standard } from '@skills/distributions'
import { Invoker } from '@skills/invocation'
import { aiSdkRunner, idempotent } from '@skills/runner-ai-sdk'
import { embeddedRuns, resumeRuns } from '@skills/runs'
import { queuedRuns, startWorker } from '@skills/runs-queue'
import { telemetry } from '@skills/telemetry'
import { tool } from 'ai'
import { z } from 'zod'

// Process that starts runs, continues those of a killed process, or works on those of a queue:
// `child.js start|resume|work FOLDER URL COUNT [QUEUE NAME]`.
const [mode = '', folder = '', url = '', count = '1', queue, name] = process.argv.slice(2)

// Each ended span is written as a line of a file at once, so that it remains if the process is killed.
const exporter = {
  export(spans: ReadableSpan[], done: (result: { code: number }) => void): void {
    for (const span of spans) {
      const { traceId, spanId } = span.spanContext()
      const parent = span.parentSpanContext?.spanId
      const line = { name: span.name, traceId, spanId, parent, process: mode }
      appendFileSync(`${folder}/spans`, `${JSON.stringify(line)}\n`)
    }
    done({ code: 0 })
  },
  shutdown: async () => {},
}
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register()

const write = tool({
  description: 'Writes a line.',
  inputSchema: z.object({ run: z.string(), at: z.number() }),
  async execute({ run, at }) {
    appendFileSync(`${folder}/ledger`, `${run} ${at}\n`)
    process.stdout.write('effect\n')
    // Long enough that the process can be killed meanwhile.
    await pause(500)
    return { written: `${run} ${at}` }
  },
})
const look = tool({
  description: 'Looks at something.',
  inputSchema: z.object({ run: z.string() }),
  execute: async ({ run }) => `looked at ${run}`,
})

const skills = createSkills(
  standard({
    host: { cwd: folder, home: `${folder}/home`, env: {} },
    rules: { allow: ['Write', 'Look'] },
    onDiagnostic: ({ message }) => void process.stderr.write(`${message}\n`),
    plugins: [
      queue === undefined ? embeddedRuns({ dir: `${folder}/runs` }) : queuedRuns({ url: queue, name }),
      telemetry(),
      aiSdkRunner({
        model: createAnthropic({ baseURL: url, apiKey: 'none' })('scripted'),
        tools: { Write: write, Look: idempotent(look) },
        contentOf: (_tool, input) => JSON.stringify(input),
        maxRetries: 0,
      }),
    ],
  }),
)
try {
  if (mode === 'start') {
    const invoker = new Invoker(skills)
    let left = Number(count)
    const all = new Promise<void>(resolve => {
      skills.hook('fork:ended', () => ((left -= 1) === 0 ? resolve() : undefined))
    })
    for (let at = 0; at < Number(count); at++) await invoker.invoke({ name: 'work', args: `job-${at}`, caller: 'user' })
    await all
  }
  if (mode === 'work') {
    const onError = ({ message }: Error): void => void process.stderr.write(`${message}\n`)
    const worker = await startWorker(skills, { lockMs: 1_000, drainMs: 0, concurrency: Number(count), onError })
    process.stdout.write('ready\n')
    await new Promise(resolve => process.once('SIGTERM', resolve))
    await worker.close()
  }
  if (mode === 'resume') {
    const ended = await resumeRuns(skills)
    for (const { args, state } of ended) process.stdout.write(`${args} ${state}\n`)
  }
} finally {
  await skills.close()
}
