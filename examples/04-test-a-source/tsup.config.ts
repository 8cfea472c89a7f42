import { library } from '@skills/config/tsup'

export default library({ entry: ['src/main.ts'] })
