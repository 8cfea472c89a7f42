// Reads the frontmatter of all skills of a project from the heads of their files: with the fast path before the full
// parser, or with `--full` by the full parser alone. Prints ms of processor time; the library is loaded before.
import { openSync, readSync, closeSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { loadParser, readHead } from '@skills/skill-md'

const [cwd, mode] = process.argv.slice(2)
const root = join(cwd, '.claude/skills')
const heads = readdirSync(root).map(name => {
  const descriptor = openSync(join(root, name, 'SKILL.md'))
  const bytes = Buffer.alloc(4096)
  const length = readSync(descriptor, bytes, 0, bytes.length, 0)
  closeSync(descriptor)
  return { bytes: bytes.subarray(0, length), whole: length < bytes.length }
})
const parser = await loadParser()
const read =
  mode === '--full'
    ? ({ bytes, whole }) => parser.parse(bytes, { whole })
    : ({ bytes, whole }) => readHead(bytes, { whole })
const start = process.cpuUsage()
let count = 0
for (const head of heads) if (read(head)?.ok === true) count++
const { user, system } = process.cpuUsage(start)
if (count !== heads.length) throw new Error(`${count} of ${heads.length} were read.`)
console.log(JSON.stringify({ ms: (user + system) / 1000 }))
