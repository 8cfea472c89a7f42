import { library } from '@skills/config/tsup'

// An entry a sub-path: who does not import `./shell` gets nothing that starts a process.
export default library({
  entry: ['src/index.ts', 'src/internal.ts', 'src/files.ts', 'src/shell.ts', 'src/text.ts'],
  builtIn: ['@skills/process-group', 'unbash'],
})
