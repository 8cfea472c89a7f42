import { library } from '@skills/config/tsup'

// An entry a room, so that a program loads no other with it; what is imported on use gets a file of its own.
export default library({
  entry: ['src/index.ts', 'src/internal.ts', 'src/skill-tool.ts', 'src/skill-tool/terminal-text.ts'],
  builtIn: ['zod'],
})
