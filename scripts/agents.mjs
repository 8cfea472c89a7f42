#!/usr/bin/env node
// @ts-check
// node scripts/agents.mjs [--write]: whether the list of distributions and the exports of @skills/distributions are those
// of the folders in packages/distributions/src/agents. With --write they are made so.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { root } from '../packages/config/workspace.mjs'

const folder = 'packages/distributions/src/agents'
const manifestFile = 'packages/distributions/package.json'

/**
 * Every file that follows from the folders, as it should be. Names keep the order in which they are listed; a new one
 * comes last.
 * @param {string} [base] the repository, absolute
 * @returns {{ file: string, text: string }[]} files from the root
 */
export function madeOfAgents(base = root) {
  const index = `${folder}/index.ts`
  const before = existsSync(path.join(base, index)) ? readFileSync(path.join(base, index), 'utf8') : ''
  const listed = Array.from(before.matchAll(/import\('\.\/([\w-]+)\/index\.js'\)/g), ([, name = '']) => name)
  const there = readdirSync(path.join(base, folder), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted()
  const names = [...listed.filter(name => there.includes(name)), ...there.filter(name => !listed.includes(name))]
  return [
    { file: index, text: indexOf(names) },
    { file: manifestFile, text: manifestOf(readFileSync(path.join(base, manifestFile), 'utf8'), names) },
  ]
}

/** `vercelSkills` of `vercel-skills`. @param {string} name */
export const functionOf = name => name.replace(/-(\w)/g, (_all, letter) => letter.toUpperCase())

/** @param {readonly string[]} names */
function indexOf(names) {
  const rows = names.map(name => {
    const key = /^\w+$/.test(name) ? name : `'${name}'`
    const row = `  ${key}: async (): Promise<MakeDistribution> => (await import('./${name}/index.js')).${functionOf(name)},`
    return row.length <= 120 ? row : row.replace(' => (await', ' =>\n    (await')
  })
  return `// Made by \`node scripts/agents.mjs --write\` of the folders beside it.
import type { MakeDistribution } from '../distribution.js'

/** Every distribution by its name, loaded when it is asked for. */
export const agents = {
${rows.join('\n')}
}
`
}

/** @param {string} text @param {readonly string[]} names */
function manifestOf(text, names) {
  const manifest = JSON.parse(text)
  /** @type {[string, { default: string }][]} */
  const others = Object.entries(manifest.exports)
  const own = names.map(name => {
    const file = `./dist/agents/${name}/index`
    return [`./${name}`, { types: `${file}.d.ts`, default: `${file}.js` }]
  })
  const kept = others.filter(([, target]) => !target.default.startsWith('./dist/agents/'))
  manifest.exports = Object.fromEntries([...kept, ...own])
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { file, text } of madeOfAgents()) {
    const absolute = path.join(root, file)
    if (process.argv.includes('--write')) writeFileSync(absolute, text)
    else if (!existsSync(absolute) || readFileSync(absolute, 'utf8') !== text) {
      console.error(`${file} is not what the folders say. Run node scripts/agents.mjs --write`)
      process.exitCode = 1
    }
  }
}
