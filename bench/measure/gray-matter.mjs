// Does what most tools do: reads every file whole and gives it to gray-matter. Prints ms of the first time. With
// `--await` each file is awaited by itself with `await readFile()`, as a loop in an asynchronous function mostly does.
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import matter from 'gray-matter'

const [root, mode] = process.argv.slice(2)
const folder = `${root}/.claude/skills`
const start = performance.now()
let count = 0
for (const entry of readdirSync(folder, { withFileTypes: true })) {
  if (!entry.isDirectory()) continue
  const path = `${folder}/${entry.name}/SKILL.md`
  const text = mode === '--await' ? await readFile(path, 'utf8') : readFileSync(path, 'utf8')
  try {
    matter(text, {})
  } catch {
    // A file that fails counts too, since such a tool would continue.
  }
  count++
}
console.log(JSON.stringify({ ms: performance.now() - start, count }))
