import { library } from '@skills/config/tsup'

// Sessions have an entry of their own: an engine that is there already needs nothing of the distributions.
export default library({ entry: ['src/index.ts', 'src/internal.ts', 'src/session.ts'] })
