import { library } from '@skills/config/tsup'

export default library({ entry: ['src/index.ts', 'src/internal.ts'] })
