import { library } from '@skills/config/tsup'

// One entry point for each room, so that a program loads only the one it uses. A dynamic import gets a file of its own.
export default library({
  entry: ['src/index.ts', 'src/internal.ts', 'src/skill-tool.ts', 'src/skill-tool/terminal-text.ts'],
  builtIn: ['zod'],
})
