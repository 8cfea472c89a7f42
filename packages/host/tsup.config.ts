import { library } from '@skills/config/tsup'

// Sessions have their own entry, so that a host with an engine loads nothing of the distributions.
export default library({ entry: ['src/index.ts', 'src/internal.ts', 'src/session.ts'] })
