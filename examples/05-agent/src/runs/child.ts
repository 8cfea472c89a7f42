import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createSkills } from '@skills/core'
import { standard } from '@skills/distributions'
import { Invoker } from '@skills/invocation'
import { aiSdkRunner, idempotent } from '@skills/runner-ai-sdk'
import { embeddedRuns, resumeRuns } from '@skills/runs'
import { tool } from 'ai'
import { z } from 'zod'

// A process that starts runs, or goes on with those of one that was killed: `child.js start|resume FOLDER URL COUNT`.
const [mode = '', folder = '', url = '', count = '1'] = process.argv.slice(2)

const write = tool({
  description: 'Writes a line.',
  inputSchema: z.object({ run: z.string(), at: z.number() }),
  async execute({ run, at }) {
    appendFileSync(`${folder}/ledger`, `${run} ${at}\n`)
    process.stdout.write('effect\n')
    // Long enough to be killed in.
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
      embeddedRuns({ dir: `${folder}/runs` }),
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
  if (mode === 'resume') {
    const ended = await resumeRuns(skills)
    for (const { args, state } of ended) process.stdout.write(`${args} ${state}\n`)
  }
} finally {
  await skills.close()
}
