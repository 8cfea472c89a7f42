// Builds the catalogs of one project in all six distributions, one after the other in one process, each reading for
// itself or (`shared`) with shared reads. Prints ms, the opened files where that is known, and the MiB that are
// retained.
import { createSkills } from '@skills/core'
import { SharedReads } from '@skills/distributions'
import { distributionNamed, distributionNames } from '@skills/distributions/distribution-named'

const [mode, cwd] = process.argv.slice(2)
const sharedReads = mode === 'shared' ? new SharedReads() : undefined
const engines = []
for (const name of distributionNames) {
  const make = await distributionNamed(name)
  engines.push(
    createSkills(
      make({
        host: { cwd, home: '/nonexistent', env: {} },
        managed: { dirs: [] },
        builtin: false,
        activation: false,
        bundled: false,
        sharedReads,
        onDiagnostic: () => {},
      }),
    ),
  )
}
const start = performance.now()
let count = 0
for (const skills of engines) {
  const catalog = await skills.catalog()
  count += catalog.size + catalog.collisions.length + catalog.errors.length
}
const ms = performance.now() - start
console.log(
  JSON.stringify({
    ms,
    count,
    filesRead: sharedReads?.filesRead,
    filesShared: sharedReads?.filesShared,
    keptMiB: (sharedReads?.bytesKept ?? 0) / 2 ** 20,
    peakKiB: process.resourceUsage().maxRSS,
  }),
)
for (const skills of engines) await skills.close()
