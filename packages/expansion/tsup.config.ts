import { library } from '@skills/config/tsup'

// One entry point for each sub-path: a program that does not import `./shell` loads nothing that starts processes.
export default library({
  entry: ['src/index.ts', 'src/internal.ts', 'src/files.ts', 'src/shell.ts', 'src/text.ts'],
  builtIn: ['@skills/process-group', 'unbash'],
})
