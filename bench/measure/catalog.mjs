// Builds the engine's catalog of one project from nothing: walk, read, parse, validate, precedence. Prints ms, the peak
// memory and, with `--turns`, the longest time without a turn for the rest of the process. With `--revalidate` it
// prints the ms of another look when nothing changed. With `--once` it leaves out what only another look needs.
import { createSkills } from '@skills/core'
import { standard } from '@skills/distributions'

const [cwd, mode] = process.argv.slice(2)
let longest = 0
let last = performance.now()
let ticking = true
const tick = () => {
  const now = performance.now()
  longest = Math.max(longest, now - last)
  last = now
  if (ticking) setImmediate(tick)
}
const skills = createSkills(
  standard({
    host: { cwd, home: '/nonexistent', env: {} },
    managed: { dirs: [] },
    builtin: false,
    activation: false,
    bundled: false,
    sharedReads: mode === '--once' ? { over: store => store, looksOnce: true } : undefined,
    onDiagnostic: () => {},
  }),
)
if (mode === '--turns') tick()
const start = performance.now()
const catalog = await skills.catalog()
const coldMs = performance.now() - start
if (mode === '--turns') tick()
ticking = false

let ms = coldMs
if (mode === '--revalidate') {
  const again = performance.now()
  const same = await skills.refresh()
  ms = performance.now() - again
  if (same !== catalog) throw new Error('An unchanged tree gave another catalog.')
}
console.log(
  JSON.stringify({
    ms,
    count: catalog.size + catalog.collisions.length + catalog.errors.length,
    longest,
    peakKiB: process.resourceUsage().maxRSS,
  }),
)
await skills.close()
