import { library } from '@skills/config/tsup'

// An entry a room: who only reads what is remembered loads no writer with it.
export default library({ entry: ['src/index.ts', 'src/writer.ts'] })
