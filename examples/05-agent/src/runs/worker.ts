// #region worker
import { createAnthropic } from '@ai-sdk/anthropic'
import { createSkills } from '@skills/core'
import { standard } from '@skills/distributions'
import { aiSdkRunner } from '@skills/runner-ai-sdk'
import { queuedRuns, startWorker } from '@skills/runs-queue'

const skills = createSkills(
  standard({
    rules: { allow: ['Skill'] },
    onDiagnostic: ({ message }) => console.error(message),
    plugins: [
      queuedRuns({ url: process.env['QUEUE_URL'] }),
      aiSdkRunner({ model: createAnthropic()('claude-sonnet-4-5') }),
    ],
  }),
)
const worker = await startWorker(skills, { onError: ({ message }) => console.error(message) })
process.once('SIGTERM', () => void worker.close())
// #endregion worker
