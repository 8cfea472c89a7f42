import { library } from '@skills/config/tsup'

export default library({
  entry: ['src/index.ts', 'src/cell-words.ts', 'src/compat.ts', 'src/internal.ts', 'src/report.ts'],
})
