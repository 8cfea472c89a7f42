import { library } from '@skills/config/tsup'

export default library({
  entry: [
    'src/index.ts',
    'src/internal.ts',
    'src/permissions.ts',
    'src/trust.ts',
    'src/configuration.ts',
    'src/find-configuration.ts',
    'src/agents.ts',
    'src/distribution-named.ts',
    'src/agents/*/index.ts',
  ],
  builtIn: ['json5', 'smol-toml'],
})
