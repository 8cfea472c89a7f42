// watch.mjs <project>: changes one file among many, and measures from the system's event to the catalog. Prints
// milliseconds without the debounce, and how often a skill file was opened for it.
import { createSkills } from '@skills/core'
import { fileSource, watchSkills } from '@skills/files/source'
import { readFileSync, watch, writeFileSync } from 'node:fs'

const root = `${process.argv[2]}/.claude/skills`
const debounceMs = 100
const changes = 15
let reads = 0
const adapt = () => {
  reads++
  return []
}
const skills = createSkills({
  plugins: [
    fileSource({
      id: 'files',
      source: 'user',
      layout: { walk: 'flat' },
      roots: () => ({ roots: [{ path: root, adapt }] }),
    }),
  ],
  onDiagnostic: ({ message }) => console.error(message),
})
const began = performance.now()
const { entries } = await skills.catalog()
const loaded = performance.now()
const watching = await watchSkills(skills, { debounceMs, onDiagnostic: ({ message }) => console.error(message) })
const ready = performance.now()

const times = []
let mostReads = 0
for (let at = 0; at < changes; at++) {
  const { command } = entries[Math.floor(((at + 0.5) * entries.length) / changes)]
  const text = readFileSync(command.filePath, 'utf8')
  // The file that was written before has to have settled, or it is read again to make sure.
  await new Promise(resolve => {
    setTimeout(resolve, 250)
  })
  reads = 0
  let told
  const changed = new Promise(resolve => {
    const stop = skills.hook('skills:changed', event => {
      times.push(performance.now() - told - debounceMs)
      stop()
      resolve(event.changed)
    })
  })
  const own = watch(command.filePath, () => {
    told = performance.now()
  })
  writeFileSync(command.filePath, text.replace(/^description: /m, `description: ${at} `))
  await changed
  own.close()
  mostReads = Math.max(mostReads, reads)
  writeFileSync(command.filePath, text)
  await new Promise(resolve => {
    const stop = skills.hook('skills:changed', () => {
      stop()
      resolve()
    })
  })
}
await watching.close()
await skills.close()
times.sort((a, b) => a - b)
console.log(
  JSON.stringify({
    ms: times[Math.floor(times.length / 2)],
    longest: times.at(-1),
    reads: mostReads,
    loadMs: loaded - began,
    watchMs: ready - loaded,
    peakKiB: process.resourceUsage().maxRSS,
  }),
)
