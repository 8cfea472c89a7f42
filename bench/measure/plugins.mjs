// Builds the catalog of every plugin in a folder from nothing: manifests, skills, names. Prints ms.
import { readdirSync } from 'node:fs'
import { createSkills, processHost } from '@skills/core'
import { pluginSource } from '@skills/source-plugin'

const [root] = process.argv.slice(2)
const plugins = readdirSync(root)
  .filter(name => name !== 'complete')
  .map(name => `${root}/${name}`)
const skills = createSkills({
  plugins: [pluginSource({ plugins })],
  host: processHost({ cwd: root, home: '/nonexistent', env: {} }),
  onDiagnostic: () => {},
})
const start = performance.now()
const catalog = await skills.catalog()
const ms = performance.now() - start
if (catalog.errors.length > 0) throw new Error(catalog.errors[0].message)
console.log(JSON.stringify({ ms, count: catalog.size }))
await skills.close()
