import { library } from '@skills/config/tsup'

// An entry a room: who only reads what is remembered, or masks a text, loads no writer with it.
export default library({ entry: ['src/index.ts', 'src/internal.ts', 'src/secrets.ts', 'src/writer.ts'] })
