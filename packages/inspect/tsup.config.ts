import { library } from '@skills/config/tsup'

export default library({ entry: ['src/index.ts', 'src/compat.ts', 'src/internal.ts', 'src/report.ts'] })
