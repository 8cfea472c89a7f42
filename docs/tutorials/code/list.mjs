// @ts-check
import { createSkills } from '@skills/core'
import { jsonSource } from './json-source.mjs'

const skills = createSkills({
  plugins: [jsonSource('skills.json')],
  onDiagnostic: ({ severity, message }) => console.log(`${severity}: ${message}`),
})
const catalog = await skills.catalog()
for (const { name, command } of catalog.entries) console.log(`/${name}: ${command.description}`)
await skills.close()
