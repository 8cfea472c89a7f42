// What most tools do: read every file whole and give it to gray-matter. Prints ms of the first time.
import { readdirSync, readFileSync } from 'node:fs'
import matter from 'gray-matter'

const folder = `${process.argv[2]}/.claude/skills`
const start = performance.now()
let count = 0
for (const entry of readdirSync(folder, { withFileTypes: true })) {
  if (!entry.isDirectory()) continue
  try {
    matter(readFileSync(`${folder}/${entry.name}/SKILL.md`, 'utf8'), {})
  } catch {
    // Counted all the same: such a tool goes on.
  }
  count++
}
console.log(JSON.stringify({ ms: performance.now() - start, count }))
