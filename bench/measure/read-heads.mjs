// Does the least that finding a folder's skills takes: reads 4 KiB of each and ignores them. Prints ms of the first
// time.
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'

// With `--plugins`: the skills of each plugin in a folder.
const [root, mode] = process.argv.slice(2)
const buffer = Buffer.allocUnsafe(4096)
const start = performance.now()
let count = 0
const folders =
  mode === '--plugins'
    ? readdirSync(root)
        .filter(name => name !== 'complete')
        .map(name => `${root}/${name}/skills`)
    : [`${root}/.claude/skills`]
for (const folder of folders) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    const fd = openSync(`${folder}/${entry.name}/SKILL.md`, 'r')
    buffer.latin1Slice(0, readSync(fd, buffer, 0, 4096, 0))
    closeSync(fd)
    count++
  }
}
console.log(JSON.stringify({ ms: performance.now() - start, count }))
