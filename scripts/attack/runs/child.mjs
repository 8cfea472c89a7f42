// @ts-check
// A process with recorded forks, with its model and tools inside: `child.mjs start|resume|many FOLDER COUNT`. Ledgers
// beside the runs record the questions to the model and the effects of tools.
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { createSkills } from '@skills/core'
import { standard } from '@skills/distributions'
import { Invoker } from '@skills/invocation'
import { aiSdkRunner, idempotent } from '@skills/runner-ai-sdk'
import { embeddedRuns, resumeRuns } from '@skills/runs'
import { jsonSchema } from 'ai'

const [mode, folder = '', count = '1'] = process.argv.slice(2)

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 3, text: 3, reasoning: 0 },
}
/** @param {string} name @param {object} input @param {string} id */
const call = (name, input, id) => ({
  type: /** @type {const} */ ('tool-call'),
  toolCallId: id,
  toolName: name,
  input: JSON.stringify(input),
})

/**
 * Answers as the model: calls Write, then Write and Look, then says that the job is done.
 * @param {readonly object[]} prompt
 */
function answerTo(prompt) {
  const run = /Do (job-\d+)\./.exec(JSON.stringify(prompt))?.[1] ?? 'none'
  const at = prompt.filter(message => 'role' in message && message.role === 'assistant').length
  appendFileSync(`${folder}/asked`, `${run} ${at}\n`)
  // From here on every system call that writes finds no room.
  if (at === 1 && existsSync(`${folder}/fill`)) fill(`${folder}/runs/filler`)
  const write = call('Write', { run, at }, `write_${at}`)
  const isLast = at === 2 || mode === 'many'
  const text = `${run} is done.`
  const parts = isLast
    ? [
        { type: /** @type {const} */ ('text-start'), id: 't' },
        { type: /** @type {const} */ ('text-delta'), id: 't', delta: text },
        { type: /** @type {const} */ ('text-end'), id: 't' },
      ]
    : at === 0
      ? [write]
      : [write, call('Look', { run }, 'look')]
  const unified = isLast ? /** @type {const} */ ('stop') : /** @type {const} */ ('tool-calls')
  return [
    { type: /** @type {const} */ ('stream-start'), warnings: [] },
    ...parts,
    { type: /** @type {const} */ ('finish'), finishReason: { unified, raw: unified }, usage },
  ]
}

/** @param {string} path */
function fill(path) {
  for (const size of [4096, 1]) {
    try {
      for (;;) writeFileSync(path, 'x'.repeat(size), { flag: 'a' })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    }
  }
}

const inputSchema = jsonSchema({ type: 'object' })
/** @type {any} */
const tools = {
  Write: {
    inputSchema,
    execute: async (/** @type {{ run: string, at: number }} */ { run, at }) => {
      appendFileSync(`${folder}/ledger`, `${run} ${at}\n`)
      return { written: at }
    },
  },
  Look: idempotent({ inputSchema, execute: async () => 'looked' }),
}

const skills = createSkills(
  standard({
    host: { cwd: folder, home: `${folder}/home`, env: {} },
    rules: { allow: ['Write', 'Look'] },
    onDiagnostic: ({ code, message }) => void process.stderr.write(`${code}: ${message}\n`),
    plugins: [
      embeddedRuns({ dir: `${folder}/runs` }),
      aiSdkRunner({
        model: {
          specificationVersion: 'v3',
          provider: 'attack',
          modelId: 'scripted',
          supportedUrls: {},
          doGenerate: () => Promise.reject(new Error('It only streams.')),
          doStream: async ({ prompt }) => ({ stream: ReadableStream.from(answerTo(prompt)) }),
        },
        tools,
        contentOf: (_tool, input) => JSON.stringify(input),
        maxRetries: 0,
      }),
    ],
  }),
)
try {
  const invoker = new Invoker(skills)
  if (mode === 'resume') await resumeRuns(skills)
  if (mode === 'start') {
    let left = Number(count)
    const all = new Promise(resolve => {
      skills.hook('fork:ended', ({ error }) => {
        if (error !== undefined) process.stdout.write(`${/** @type {{ code?: string }} */ (error).code ?? 'none'}\n`)
        left -= 1
        if (left === 0) resolve(undefined)
      })
    })
    for (let at = 0; at < Number(count); at++) await invoker.invoke({ name: 'work', args: `job-${at}`, caller: 'user' })
    await all
  }
  if (mode === 'many') {
    // The first fifth of the runs warms up.
    const warm = Math.floor(Number(count) / 5)
    for (let at = 0; at < Number(count); at++) {
      if (at === warm) process.stdout.write(`${heap()} `)
      await invoker.invoke({ name: 'once', args: `job-${at}`, caller: 'user' })
    }
    process.stdout.write(`${heap()}\n`)
  }
} finally {
  await skills.close()
}

/** Returns the heap in use, in KiB. */
function heap() {
  for (let times = 0; times < 3; times++) globalThis.gc?.()
  return Math.round(process.memoryUsage().heapUsed / 1024)
}
