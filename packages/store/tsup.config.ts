import { library } from '@skills/config/tsup'

// One entry for each place: a program that reads no archive needs no library for archives, and one that reads no commit
// starts no process.
export default library({
  entry: ['src/index.ts', 'src/internal.ts', 'src/archive.ts', 'src/git.ts', 'src/http.ts'],
  builtIn: ['@skills/process-group'],
})
