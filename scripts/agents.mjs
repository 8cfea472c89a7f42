#!/usr/bin/env node
// @ts-check
// node scripts/agents.mjs [--write]: checks that the lists of distributions, their table in the README and the exports
// of @skills/distributions match the folders in packages/distributions/src/agents. With --write it rewrites them. It
// reads the sources, so nothing has to be built.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { root } from '../packages/config/workspace.mjs'
import { loaded } from './load-sources.mjs'

const folder = 'packages/distributions/src/agents'
const manifestFile = 'packages/distributions/package.json'
const readme = 'packages/distributions/README.md'

/** @typedef {{ name: string, checked?: { program: string, version: string, on: string }, says: string }} Agent */

/**
 * Renders every file that is derived from the folders of the distributions, as it should be. Names keep the order in
 * which they are listed now; a new one comes last.
 * @param {string} [base] the repository, absolute
 * @returns {Promise<{ file: string, text: string }[]>} files from the root
 */
export async function madeOfAgents(base = root) {
  const index = `${folder}/index.ts`
  const before = existsSync(path.join(base, index)) ? readFileSync(path.join(base, index), 'utf8') : ''
  const listed = Array.from(before.matchAll(/import\('\.\/([\w-]+)\/index\.js'\)/g), ([, name = '']) => name)
  const there = readdirSync(path.join(base, folder), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted()
  const names = [...listed.filter(name => there.includes(name)), ...there.filter(name => !listed.includes(name))]
  const functions = await loaded(
    base,
    names.map(name => `export { ${functionOf(name)} } from './${folder}/${name}/index.ts'\n`).join(''),
  )
  const agents = names.map(name => ({ name, ...functions[functionOf(name)] }))
  const read = (/** @type {string} */ file) => readFileSync(path.join(base, file), 'utf8')
  return [
    { file: index, text: indexOf(agents) },
    { file: `${folder}/followed.ts`, text: followedBy(agents) },
    { file: manifestFile, text: manifestOf(read(manifestFile), names) },
    { file: readme, text: withTable(read(readme), agents) },
  ]
}

/** Returns the name of a distribution's function: `vercelSkills` for `vercel-skills`. @param {string} name */
export const functionOf = name => name.replace(/-(\w)/g, (_all, letter) => letter.toUpperCase())

const madeOf = '// Made by `node scripts/agents.mjs --write` of the folders beside it.'

/** @param {string} name */
const keyOf = name => (/^\w+$/.test(name) ? name : `'${name}'`)

/** @param {readonly Agent[]} agents */
function indexOf(agents) {
  const rows = agents.map(({ name, checked }) => {
    const said =
      checked === undefined
        ? []
        : [
            `checked: { ${Object.entries(checked)
              .map(([key, value]) => `${key}: '${value}'`)
              .join(', ')} }`,
          ]
    const parts = [
      ...said,
      `load: async (): Promise<MakeDistribution> => (await import('./${name}/index.js')).${functionOf(name)}`,
    ]
    const line = `  ${keyOf(name)}: { ${parts.join(', ')} },`
    return line.length <= 120 ? line : `  ${keyOf(name)}: {\n${parts.map(part => `    ${part},\n`).join('')}  },`
  })
  return `${madeOf}
import type { MakeDistribution } from '../distribution.js'

/** Every distribution by its name, loaded when it is asked for. */
export const agents = {
${rows.join('\n')}
} as const
`
}

/** @param {readonly Agent[]} agents */
function followedBy(agents) {
  const followed = agents.filter(({ checked }) => checked !== undefined).map(({ name }) => name)
  const rows = followed.map(name =>
    functionOf(name) === name ? `  ${name},` : `  ${keyOf(name)}: ${functionOf(name)},`,
  )
  return `${madeOf}
${followed.map(name => `import { ${functionOf(name)} } from './${name}/index.js'\n`).join('')}
/** The distributions that follow a released program, together: what compares them compiles once what they share. */
export const followed = {
${rows.join('\n')}
}
`
}

/** @param {string} page @param {readonly Agent[]} agents */
function withTable(page, agents) {
  const rows = agents
    .filter(({ name }) => name !== 'standard')
    .map(({ name, checked, says }) => {
      const program = checked === undefined ? '' : `${checked.program} ${checked.version}: `
      return `| \`${name}\` | \`${functionOf(name)}\` | ${program}${says} |\n`
    })
  const place = /(<!-- distributions -->\n)[^]*?(<!-- \/distributions -->)/
  if (!place.test(page)) throw new Error(`${readme} has no <!-- distributions --> and <!-- /distributions -->.`)
  const head = '| distribution | function | in short |\n|---|---|---|\n'
  return page.replace(place, (_all, begin, end) => `${begin}${head}${rows.join('')}${end}`)
}

/** @param {string} text @param {readonly string[]} names */
function manifestOf(text, names) {
  const manifest = JSON.parse(text)
  /** @type {[string, string | { default: string }][]} */
  const others = Object.entries(manifest.exports)
  const own = names.map(name => {
    const file = `./dist/agents/${name}/index`
    return [`./${name}`, { types: `${file}.d.ts`, default: `${file}.js` }]
  })
  const kept = others.filter(([, target]) => typeof target === 'string' || !target.default.startsWith('./dist/agents/'))
  manifest.exports = Object.fromEntries([...kept, ...own])
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { file, text } of await madeOfAgents()) {
    const absolute = path.join(root, file)
    if (process.argv.includes('--write')) writeFileSync(absolute, text)
    else if (!existsSync(absolute) || readFileSync(absolute, 'utf8') !== text) {
      console.error(`${file} is not what the folders say. Run node scripts/agents.mjs --write`)
      process.exitCode = 1
    }
  }
}
