import { library } from '@skills/config/tsup'

export default library({ entry: ['src/index.ts', 'src/standard.ts', 'src/permissions.ts', 'src/trust.ts', 'src/configuration.ts'] })
