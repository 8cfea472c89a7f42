// @ts-check
// Makes docs/agents.md from the recordings of the programs. Without --write it only checks that the page is up to date.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { fieldsTable } from './agent-fields.mjs'
import { placesTable } from './agent-places.mjs'
import { groups, listings, placeTrees } from '../../packages/distributions/test/recorded/trees.mjs'

/** @typedef {{ name: string, description?: string, path?: string }} Found */
/** @typedef {readonly (readonly [how: string, names: string])[]} Told */
/** @typedef {import('../../packages/distributions/test/recorded/trees.mjs').Tree} Tree */
/**
 * @typedef {object} Recording
 * @property {string} program
 * @property {string} version
 * @property {string} on
 * @property {import('../../packages/distributions/test/recorded/trees.mjs').Folders} folders
 * @property {Readonly<Record<string, readonly Found[]>>} cases
 * @property {readonly string[]} [unfixed]
 * @property {readonly string[]} [places]
 * @property {boolean} [sorted]
 * @property {Readonly<Record<string, Told>>} [told]
 */

const folder = fileURLToPath(new URL('../../packages/distributions/test/recorded/', import.meta.url))
const page = fileURLToPath(new URL('../../docs/agents.md', import.meta.url))

/** @returns {readonly Recording[]} */
const recordings = () =>
  readdirSync(folder)
    .filter(name => name.endsWith('.json') && name !== 'differences.json')
    .toSorted()
    .map(name => JSON.parse(readFileSync(path.join(folder, name), 'utf8')))

/** Renders what a program found in a tree, in a few words. @param {Recording} recording @param {Tree} tree */
function foundCell({ cases, unfixed = [] }, { id, files }) {
  const texts = Object.values(files).map(content => (typeof content === 'string' ? content : ''))
  const found = (cases[id] ?? []).map(({ name, description }) => {
    // A description that the file holds word for word, unless YAML reads it in another way.
    const isPlain = !/^(?:[>["'\s]|$)/.test(description ?? '')
    const own = texts.some(text => text.includes(`\ndescription: ${description}\n`))
    // Of two skills with one name, the description says which was found.
    const isTold = !isPlain || !own || texts.filter(text => text.includes(`name: ${name}\n`)).length > 1
    const said = description === undefined || !isTold ? '' : `: ${shortened(description)}`
    if (name === '') return `an empty name${said}`
    return `\`${name.length > 20 ? `${name.slice(0, 8)}… (${name.length})` : name}\`${said}`
  })
  const all = found.length === 0 ? '–' : found.join(', ').replaceAll('|', '\\|')
  return `${all}${unfixed.includes(id) ? ', not always the same one' : ''}`
}

/** @param {string} text */
function shortened(text) {
  if (text === '') return 'no text'
  return JSON.stringify(text.length > 30 ? `${text.slice(0, 8)}… (${text.length})` : text)
}

/** Renders how much a model is told of the skills of a tree. @param {Told} told @param {Tree} tree */
function toldCell(told, { files }) {
  const count = Object.keys(files).length
  const parts = told.map(([how, names]) => {
    const [, kept, mark] = /^(\d+) characters(?:, then "(.*)")?$/.exec(how) ?? []
    const cut = `cut to ${kept}${mark === undefined ? '' : ` and ${mark}`}`
    const said = how.startsWith('"') ? `\`${JSON.parse(how)}\`` : kept === undefined ? how : cut
    return count === 1 ? said : `${ranges(names.split(' '))} ${said}`
  })
  const left = count - told.reduce((sum, [, names]) => sum + names.split(' ').length, 0)
  if (left > 0) parts.push(count === 1 ? 'not' : `${left} not`)
  return parts.join('; ').replaceAll('|', '\\|')
}

/** Returns the ranges of sorted names, as in `a01–a30, z01–z30`. @param {readonly string[]} names */
function ranges(names) {
  const firsts = names.filter((name, at) => name[0] !== names[at - 1]?.[0])
  return firsts
    .map(first => {
      const last = names.findLast(name => name[0] === first[0]) ?? first
      return first === last ? first : `${first}–${last}`
    })
    .join(', ')
}

/**
 * @param {readonly Recording[]} shown @param {readonly Tree[]} rows
 * @param {(recording: Recording, tree: Tree) => string} said
 */
function table(shown, rows, said) {
  const lines = rows.map(tree => {
    const where = tree.cwd === undefined ? '' : ` (in \`${tree.cwd}\`)`
    return `| ${tree.id.replace(/^place (.*)/, '`$1`')}${where} | ${shown.map(one => said(one, tree)).join(' | ')} |`
  })
  const heads = shown.map(({ program, version, on }) => `${program} ${version}, ${on}`)
  return `| tree | ${heads.join(' | ')} |\n|---|${heads.map(() => '---|').join('')}\n${lines.join('\n')}`
}

/** Renders the places that only one program was asked about, a line for each program. @param {readonly Recording[]} all */
function ownPlaces(all) {
  const lines = all.flatMap(({ program, places, cases }) => {
    if (places === undefined) return []
    const [read, others] = [true, false].map(isRead =>
      placeTrees(places)
        .filter(({ id }) => (cases[id]?.length ?? 0) > 0 === isRead)
        .map(({ id }) => `\`${id.replace(/^place /, '')}\``)
        .join(', '),
    )
    return [`| ${program} | ${read || '–'} | ${others || '–'} |`]
  })
  return `| program | reads | does not read |\n|---|---|---|\n${lines.join('\n')}`
}

async function agentsPage() {
  const all = recordings()
  const telling = all.filter(({ told }) => told !== undefined)
  const silent = all.filter(({ told }) => told === undefined).map(({ program }) => program)
  const found = Object.entries(groups).map(([name, rows]) => {
    const title = `${name[0]?.toUpperCase()}${name.slice(1)}`
    return `## ${title}\n\n${table(all, rows, foundCell)}\n`
  })
  return `# What agents make of a skill

What released programs did when they were shown one small tree each, in a home of their own and without a network. A row
is a tree of \`packages/distributions/test/recorded/trees.mjs\`, a column a program with its version and the day. Our
distribution of the program does the same, or \`differences.json\` beside that file says why not: \`recorded.test.ts\`
replays all of them.

\`@\` is the folder that a program reads for certain:

${all.map(({ program, folders: { project, home } }) => `- **${program}**: \`${project}\`${home === project ? '' : `, and at home \`${home}\``}.`).join('\n')}

In the first tables a cell has the names under which a program lists the skills, and the description where it is not the
one in the file; – is nothing. Claude Code names the skills that a person may invoke and describes to its model those
that the model may; both count here. What the distributions do beyond these rows stands in
[conformance.md](conformance.md), with the test of each. Made by \`node scripts/record/agents-page.mjs --write\`.

${found.join('\n')}
## Further places

Folders that only one program was asked about, such as those of its older releases:

${ownPlaces(all)}

## Agents of which only places are known

These programs were not run. Their folders of skills are from the documents that are named, on the day that is given.
How they read frontmatter, and what they tell their models, is not known, and \`skills compat\` says so. A row is an entry
of \`packages/distributions/src/placed-agents.ts\`.

${await placesTable()}

## What the model is told

What stood in the program's request to a model that ran beside it, of skills in the folder that it reads for certain:
their descriptions whole, cut, left out (name only), or the skills not at all (not). A cell names skills in the order of
the listing${
    telling.some(({ sorted }) => sorted)
      ? `, but for ${telling
          .filter(({ sorted }) => sorted)
          .map(({ program }) => program)
          .join(', ')}, whose order is not fixed`
      : ''
  }. ${silent.join(' and ')} ask no model, so there is nothing to see of them.

${table(telling, listings, ({ told = {} }, tree) => toldCell(told[tree.id] ?? [], tree))}

## Fields, arguments and commands

What our distribution of each program does with a field, or with what a body asks for, when it lists and invokes a skill
that has it and one that does not: used, otherwise (it changes something else than here), or – for nothing. It is what
\`skills compat\` says of your own skills ([compat.md](reference/compat.md)); the samples are those of
\`packages/inspect/src/compat/field-samples.ts\`.

${await fieldsTable()}
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = await agentsPage()
  if (process.argv.includes('--write')) writeFileSync(page, text)
  else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
    process.stderr.write('docs/agents.md is not what was recorded. Run node scripts/record/agents-page.mjs --write\n')
    process.exitCode = 1
  }
}
