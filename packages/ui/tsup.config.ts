import { library } from '@skills/config/tsup'

// The worker is a file of its own, which a thread begins with.
export default library({
  entry: { index: 'src/index.ts', internal: 'src/internal.ts', 'reading-worker': 'src/reading/worker.ts' },
})
