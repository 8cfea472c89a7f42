import { library } from '@skills/config/tsup'

// An entry a place: who reads no archive needs no library for archives, and who reads no commit starts no process.
export default library({
  entry: ['src/index.ts', 'src/internal.ts', 'src/archive.ts', 'src/git.ts', 'src/http.ts'],
  builtIn: ['@skills/process-group'],
})
