import { library } from '@skills/config/tsup'

// The engine alone needs no schema, and a list needs none in JSON.
export default library({
  entry: ['src/index.ts', 'src/internal.ts', 'src/fields.ts', 'src/schema.ts', 'src/json-schema.ts'],
})
