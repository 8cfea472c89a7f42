import { library } from '@skills/config/tsup'

// An entry a room: who walks or reads files loads no source with it.
export default library({ entry: ['src/index.ts', 'src/internal.ts', 'src/source.ts'], builtIn: ['jsonc-parser'] })
