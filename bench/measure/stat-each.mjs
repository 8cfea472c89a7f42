// Calls statSync once for each skill file. Prints ms of the first time.
import { readdirSync, statSync } from 'node:fs'

const folder = `${process.argv[2]}/.claude/skills`
const paths = readdirSync(folder).map(name => `${folder}/${name}/SKILL.md`)
const start = performance.now()
for (const path of paths) statSync(path)
console.log(JSON.stringify({ ms: performance.now() - start, count: paths.length }))
