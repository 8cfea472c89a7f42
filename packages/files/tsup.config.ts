import { library } from '@skills/config/tsup'

// One entry for each room: a program that walks or reads files does not load the source.
export default library({ entry: ['src/index.ts', 'src/internal.ts', 'src/source.ts'], builtIn: ['jsonc-parser'] })
