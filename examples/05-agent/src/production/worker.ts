/** Worker of the example: works on the runs of the queue at QUEUE_URL with the skills of its folder, until SIGTERM. */
import { createSkills } from '@skills/core'
import { standard } from '@skills/distributions'
import { queuedRuns, startWorker } from '@skills/runs-queue'
import { runner } from './echo-runner.js'

const log = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

const skills = createSkills(
  standard({
    rules: { allow: ['Skill'] },
    onDiagnostic: ({ message }) => log({ event: 'problem', message }),
    plugins: [queuedRuns({ url: process.env['QUEUE_URL'] }), runner],
  }),
)
const worker = await startWorker(skills, {
  concurrency: 2,
  health: { port: 0 },
  onEvent: ({ type, ...event }) => log({ event: type, ...event }),
  onError: ({ message }) => log({ event: 'error', message }),
})
log({ event: 'started', health: worker.healthUrl })
process.once('SIGTERM', () => void worker.close())
