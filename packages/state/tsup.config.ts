import { library } from '@skills/config/tsup'

// One entry for each room: a program that only reads state, or masks a text, does not load the writer.
export default library({ entry: ['src/index.ts', 'src/internal.ts', 'src/secrets.ts', 'src/writer.ts'] })
