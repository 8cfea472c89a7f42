import { library } from '@skills/config/tsup'

export default library({
  entry: [
    'src/index.ts',
    'src/standard.ts',
    'src/permissions.ts',
    'src/trust.ts',
    'src/stores.ts',
    'src/configuration.ts',
    'src/find-configuration.ts',
    'src/claude-code.ts',
    'src/claude-code-2026q1.ts',
    'src/claude-code-classic.ts',
    'src/opencode.ts',
    'src/opencode-classic.ts',
    'src/codex.ts',
    'src/gemini-cli.ts',
    'src/pi.ts',
    'src/openskills.ts',
    'src/vercel-skills.ts',
    'src/mini.ts',
    'src/cocode.ts',
    'src/agents.ts',
    'src/distribution-named.ts',
  ],
  builtIn: ['zod'],
})
