// Builds the catalog of files in one root (`one FOLDER`), or in all the places of the standard distribution (`spread
// CWD HOME MANAGED`).
import { createSkills } from '@skills/core'
import { standard } from '@skills/distributions'

const [mode, cwd, home = '/nonexistent', managed] = process.argv.slice(2)
const owner = process.getuid?.()
const skills = createSkills(
  standard({
    host: { cwd, home, env: {} },
    managed: { dirs: managed === undefined ? [] : [managed], owner },
    activation: false,
    bundled: false,
    onDiagnostic: () => {},
  }),
)
const start = performance.now()
const catalog = await skills.catalog()
const ms = performance.now() - start
if (catalog.errors.length > 0) throw new Error(`${mode}: ${catalog.errors[0].message}`)
console.log(JSON.stringify({ ms, count: catalog.size }))
await skills.close()
