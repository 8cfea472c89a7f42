// @ts-check
// Makes docs/agents.md of what was recorded of the programs; without --write it only tells whether the page is as it
// would be made.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { trees } from '../../packages/distributions/test/recorded/trees.mjs'

/** @typedef {{ name: string, description?: string, path?: string }} Found */
/**
 * @typedef {{ program: string, version: string, on: string, folder: string, cases: Record<string, readonly Found[]> }}
 * Recording
 */

const folder = fileURLToPath(new URL('../../packages/distributions/test/recorded/', import.meta.url))
const page = fileURLToPath(new URL('../../docs/agents.md', import.meta.url))

/** @returns {readonly Recording[]} */
const recordings = () =>
  readdirSync(folder)
    .filter(name => name.endsWith('.json') && name !== 'differences.json')
    .toSorted()
    .map(name => JSON.parse(readFileSync(path.join(folder, name), 'utf8')))

/** What a program made of a tree, in a few words. @param {readonly Found[]} found */
function cell(found) {
  if (found.length === 0) return '–'
  const cells = found.map(({ name, description }) => {
    const isOwn = description === undefined || description === `What ${name} does.` || description === 'What it does.'
    const said = isOwn ? '' : `: ${shortened(description)}`
    if (name === '') return `an empty name${said}`
    return `\`${name.length > 20 ? `${name.slice(0, 8)}… (${name.length})` : name}\`${said}`
  })
  return cells.join(', ').replaceAll('|', '\\|')
}

/** @param {string} text */
function shortened(text) {
  if (text === '') return 'no text'
  return JSON.stringify(text.length > 30 ? `${text.slice(0, 8)}… (${text.length})` : text)
}

function agentsPage() {
  const all = recordings()
  const heads = all.map(({ program, version }) => `${program} ${version}`)
  const rows = trees.map(({ id, cwd }) => {
    const cells = all.map(({ cases }) => cell(cases[id] ?? []))
    return `| ${id}${cwd === undefined ? '' : ` (in \`${cwd}\`)`} | ${cells.join(' | ')} |`
  })
  return `# What agents make of a skill

What released programs listed when they were shown one small tree each, in a home of their own and without a network. A
cell has the names under which they list its skills, and the description where it is not the one in the file; – is
nothing. Each row is a tree of \`packages/distributions/test/recorded/trees.mjs\`, and our distribution of the program
gives the same, or \`differences.json\` beside it says why not: \`recorded.test.ts\` replays all of them.

${all.map(({ program, version, on, folder: own }) => `- **${program}** ${version}, recorded on ${on}; \`@\` is \`${own}\`.`).join('\n')}

What the distributions do beyond finding skills, Claude Code's among them, stands in [conformance.md](conformance.md),
with the test of each row. Made by \`node scripts/record/agents-page.mjs --write\`.

| tree | ${heads.join(' | ')} |
|---|${heads.map(() => '---|').join('')}
${rows.join('\n')}
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = agentsPage()
  if (process.argv.includes('--write')) writeFileSync(page, text)
  else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
    process.stderr.write('docs/agents.md is not what was recorded. Run node scripts/record/agents-page.mjs --write\n')
    process.exitCode = 1
  }
}
