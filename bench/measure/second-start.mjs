// The catalog of one project as a process that is not the first has it: with an index in a folder, or without. Prints ms of the
// catalog, of its source alone and of closing, which is when an index that is out of date is written.
import { createSkills, processHost } from '@skills/core'
import { fileSource } from '@skills/skill-files'

const [cwd, folder] = process.argv.slice(2)
let listMs = 0
const files = fileSource({ id: 'project', source: 'project', index: folder === undefined ? false : { folder }, roots: () => ({ roots: [{ path: `${cwd}/.claude/skills` }] }) })
const timed = {
  ...files,
  async setup(ctx) {
    const source = await files.setup(ctx)
    return {
      source: source.source,
      async list(call) {
        const start = performance.now()
        const result = await source.list(call)
        listMs = performance.now() - start
        return result
      },
    }
  },
}
const skills = createSkills({ plugins: [timed], host: processHost({ cwd }), onDiagnostic: () => {} })
const start = performance.now()
const catalog = await skills.catalog()
const ms = performance.now() - start
const closing = performance.now()
await skills.close()
console.log(JSON.stringify({ ms, listMs, closeMs: performance.now() - closing, count: catalog.size + catalog.collisions.length + catalog.errors.length }))
