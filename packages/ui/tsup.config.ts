import { library } from '@skills/config/tsup'

// The worker has a file of its own, because a thread starts from a file.
export default library({
  entry: { index: 'src/index.ts', internal: 'src/internal.ts', 'reading-worker': 'src/reading/worker.ts' },
})
