// @ts-check
// Works on runs, or submits them: child.mjs work|submit FOLDER URL COUNT SKILL [PREFIX FROM]. With PREFIX, jobs have
// names of their own, and one whose submission was not confirmed is submitted again with the same key.
import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createSkills } from '@skills/core'
import { standard } from '@skills/distributions'
import { Invoker } from '@skills/invocation'
import { aiSdkRunner } from '@skills/runner-ai-sdk'
import { queuedRuns, startWorker } from '@skills/runs-queue'
import { jsonSchema, tool } from 'ai'

const [mode, folder = '', url = '', count = '1', name = 'work', prefix, from = '0'] = process.argv.slice(2)

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
/** A model that calls a tool twice, and is done. */
const model = {
  specificationVersion: 'v3',
  provider: 'attack',
  modelId: 'scripted',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('It only streams.')),
  /** @param {{ readonly prompt: readonly { readonly role: string }[] }} call */
  async doStream({ prompt }) {
    const text = JSON.stringify(prompt)
    const job = /job-[\da-f-]+/.exec(text)?.[0]
    const at = prompt.filter(({ role }) => role === 'assistant').length
    if (at === 0 && text.includes('Wait for ')) await pause(5_000)
    const toolName = text.includes('Push ') ? 'Push' : 'Write'
    const call = { type: 'tool-call', toolCallId: `call-${at}`, toolName, input: JSON.stringify({ job, at }) }
    const said = [
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: `${job} is done.` },
      { type: 'text-end', id: '1' },
    ]
    const reason = at < 2 ? { unified: 'tool-calls', raw: 'tool' } : { unified: 'stop', raw: 'stop' }
    const rest = [...(at < 2 ? [call] : said), { type: 'finish', finishReason: reason, usage }]
    return { stream: ReadableStream.from([{ type: 'stream-start', warnings: [] }, ...rest]) }
  },
}
const write = tool({
  description: 'Writes a line that can never be taken back.',
  inputSchema: jsonSchema({ type: 'object', properties: { job: { type: 'string' }, at: { type: 'number' } } }),
  async execute(/** @type {any} */ { job, at }) {
    appendFileSync(`${folder}/ledger`, `${job} ${at}\n`)
    await pause(20)
    return { written: at }
  },
})

const skills = createSkills(
  standard({
    host: { cwd: folder, home: `${folder}/home`, env: {} },
    rules: { allow: ['Write'] },
    onDiagnostic: () => {},
    plugins: [
      queuedRuns({ url, jobOf: ({ args }) => ({ attempts: 20, backoffMs: 100, tenant: tenantOf(args) }) }),
      aiSdkRunner({
        model: /** @type {any} */ (model),
        tools: { Write: write, Push: write },
        contentOf: (_tool, input) => JSON.stringify(input),
        maxRetries: 0,
      }),
    ],
  }),
)

/**
 * Three tenants have fewer runs at a time than there are places, so that runs wait in lines. The slow ones have none, so
 * that every worker has as many as it has places.
 *
 * @param {string} args
 */
function tenantOf(args) {
  return name === 'slow' ? undefined : `tenant ${args.charCodeAt(args.length - 1) % 3}`
}

if (mode === 'work') {
  const worker = await startWorker(skills, {
    lockMs: 1_000,
    concurrency: Number(count),
    tenants: { '*': 3 },
    drainMs: 5_000,
  })
  process.stdout.write('ready\n')
  process.once('SIGTERM', () => void worker.close())
} else {
  const invoker = new Invoker(skills)
  for (let at = Number(from); at < Number(count); at++) {
    const args = `job-${prefix === undefined ? crypto.randomUUID() : `${prefix}-${at}`}`
    process.stdout.write(`${await submitted(args)}\n`)
  }
  await skills.close()

  /** @param {string} args */
  async function submitted(args) {
    for (;;)
      try {
        const { data } = await invoker.invoke({ name, args, caller: 'user', ...(prefix && { idempotencyKey: args }) })
        return String(data['agentId'])
      } catch (error) {
        if (prefix === undefined) throw error
        await pause(200)
      }
  }
}
