// touches.mjs <empty folder> <count>: touches nested folders one by one, and measures each from the touch to the
// catalog. Prints milliseconds of the last, and of the tenth.
import { activation } from '@skills/activation'
import { createSkills, processHost } from '@skills/core'
import { mkdirSync, writeFileSync } from 'node:fs'

const [cwd, given] = process.argv.slice(2)
const count = Number(given)
mkdirSync(`${cwd}/.git`)
for (let at = 0; at < count; at++) {
  const folder = `${cwd}/m${at}/.claude/skills/s${at}`
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/SKILL.md`, `---\ndescription: Number ${at}.\n---\nBody.\n`)
}
const skills = createSkills({
  host: { ...processHost(), cwd },
  plugins: [activation()],
  onDiagnostic: ({ message }) => console.error(message),
})
await skills.catalog()
const times = []
for (let at = 0; at < count; at++) {
  skills.emit('file:touched', { paths: [`${cwd}/m${at}/x`] })
  const start = performance.now()
  await skills.catalog()
  times.push(performance.now() - start)
}
await skills.close()
const around = at => times.slice(at - 10, at + 10).toSorted((a, b) => a - b)[10]
console.log(JSON.stringify({ ms: around(count - 10), tenthMs: around(10) }))
