#!/usr/bin/env node
// @ts-check
// node scripts/reference-tables.mjs [--write]: checks that the tables of docs/reference between <!-- NAME --> and <!--
// /NAME -->, the tables of options in the READMEs of packages, and the JSON Schemas of fields and of skills.config.json
// match the code. With --write it rewrites them. It reads the sources, so nothing has to be built.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { optionTables } from './option-tables.mjs'
import { root, workspacePackages } from '../packages/config/workspace.mjs'
import { commandsOf } from './commands.mjs'
import { loaded } from './load-sources.mjs'

/** The exports of the code that the tables are made from. */
const entry = `
export { errorCodes } from './packages/core/src/error.ts'
export { jsonSchema } from './packages/core/src/json-schema.ts'
export { assertionSchema } from './packages/evals/src/cases/assertion-kinds.ts'
export { configurationSchema } from './packages/distributions/src/configuration-schema.ts'
export { fieldTable, keysOf } from './packages/core/src/fields/field-table.ts'
export { acceptedBy } from './packages/skill-md/src/fields/accepted-by.ts'
export { skillSchema } from './packages/skill-md/src/fields/schema.ts'
`

/**
 * Renders every file that has a part made from code, as it should be. Throws where a page has no place for its table.
 * @param {string} [base] the repository, absolute
 * @returns {Promise<{ file: string, text: string }[]>} files from the root
 */
export async function madeOfCode(base = root) {
  const sources = sourcesOf(base)
  const defining = sources.filter(({ text }) => /^export const \w+ = defineKind\(/m.test(text))
  const code = await loaded(
    base,
    entry + defining.map(({ file }, at) => `export * as kinds${at} from './${file}'\n`).join(''),
  )
  const cli = await commandsOf(base)
  const kinds = defining.flatMap(({ folder }, at) =>
    Object.values(code[`kinds${at}`])
      .filter(value => typeof value?.kind === 'string' && value.arity !== undefined)
      .map(kind => ({ ...kind, folder })),
  )
  return [
    { file: 'packages/skill-md/skill.schema.json', text: `${JSON.stringify(code['skillSchema'](), undefined, 2)}\n` },
    { file: 'packages/distributions/skills.config.schema.json', text: configurationFile(base, code) },
    { file: 'packages/evals/evals.schema.json', text: evalsFile(base, code) },
    withTable(base, 'fields', 'fields', () => fieldTable(code)),
    withTable(base, 'cli', 'commands', () => commandTable(cli)),
    withTable(base, 'errors', 'errors', before => errorTable(before, code['errorCodes'], sources)),
    withTable(base, 'kinds', 'kinds', () => kindTable(kinds)),
    ...optionTables(base),
  ]
}

/**
 * @param {string} base
 * @returns {{ folder: string, file: string, text: string }[]} what packages are built from, without tests
 */
function sourcesOf(base) {
  return workspacePackages(base)
    .filter(({ folder, directory }) => /^(packages|plugins)\//.test(folder) && existsSync(path.join(directory, 'src')))
    .flatMap(({ folder, directory }) =>
      readdirSync(path.join(directory, 'src'), { recursive: true, encoding: 'utf8' })
        .filter(name => name.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(name))
        .toSorted()
        .map(name => `${folder}/src/${name.replaceAll('\\', '/')}`)
        .map(file => ({ folder, file, text: readFileSync(path.join(base, file), 'utf8') })),
    )
}

/**
 * Replaces the table of a page that stands between two comments.
 * @param {string} base
 * @param {string} page
 * @param {string} name of the comments around the table
 * @param {(before: string) => readonly string[]} table returns the lines of the table, given the present ones
 */
function withTable(base, page, name, table) {
  const file = `docs/reference/${page}.md`
  const before = readFileSync(path.join(base, file), 'utf8')
  const place = new RegExp(`(<!-- ${name} -->\\n)([^]*?)(\\n?<!-- /${name} -->)`)
  if (!place.test(before)) throw new Error(`${file} has no <!-- ${name} --> and <!-- /${name} -->.`)
  const text = before.replace(place, (_all, begin, old) => `${begin}${table(old).join('\n')}\n<!-- /${name} -->`)
  return { file, text }
}

/**
 * Renders the schema of evals.json with the assertions that the code has.
 * @param {string} base
 * @param {Record<string, any>} code
 */
function evalsFile(base, code) {
  const text = readFileSync(path.join(base, 'packages/evals/evals.schema.json'), 'utf8')
  const schema = JSON.parse(text)
  const { assertion } = schema.definitions
  const made = code['assertionSchema']()
  // The file is written by hand but for this part: it stays as it is while the part is the same.
  return JSON.stringify(assertion) === JSON.stringify(made)
    ? text
    : `${JSON.stringify({ ...schema, definitions: { ...schema.definitions, assertion: made } }, undefined, 2)}\n`
}

/**
 * Renders the schema of skills.config.json, with the comments of the code as descriptions of its keys.
 * @param {string} base @param {Record<string, any>} code
 */
function configurationFile(base, { configurationSchema, jsonSchema }) {
  const source = readFileSync(path.join(base, 'packages/distributions/src/configuration-schema.ts'), 'utf8')
  const said = new Map(
    Array.from(source.matchAll(/^  \/\*\*((?:(?!\*\/)[^])*)\*\/\n  (\w+): /gm), ([, text = '', name = '']) => [
      name,
      text.replace(/\s*\n\s*\*\s*|\s+/g, ' ').trim(),
    ]),
  )
  const { properties, ...rest } = jsonSchema(configurationSchema)
  const described = Object.entries(properties).map(([name, one]) => [
    name,
    { description: said.get(name), .../** @type {object} */ (one) },
  ])
  return `${JSON.stringify(
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'skills.config.json',
      ...rest,
      properties: { $schema: { type: 'string' }, ...Object.fromEntries(described) },
    },
    undefined,
    2,
  )}\n`
}

/** @param {string} text */
const code = text => `\`${text}\``

/** @param {Record<string, any>} fields */
function fieldTable({ fieldTable: fields, acceptedBy, keysOf }) {
  return [
    '| field, and other spellings that are read | in commands and JSON | value | default | effect | acts on it | asks for permission | open standard |',
    '|---|---|---|---|---|---|---|---|',
    ...fields.map((/** @type {any} */ field) => {
      const { name, property, list, words, limit, effect, readers, asks, standard } = field
      const kept = code(name === 'name' ? 'displayName' : property) + (list === true ? ', in lists' : '')
      const registered = words && `, or the id of ${words === 'shell' ? 'a shell' : 'an executor'} that is registered`
      const most = limit === undefined ? '' : `, ${limit.toLocaleString('en')} characters`
      const value = `${acceptedBy(field)}${registered ?? ''}${most}`
      const otherwise = field.default === 'none' ? '–' : field.default
      const said = [asks, standard === true].map(is => (is ? 'yes' : 'no')).join(' | ')
      return `| ${keysOf(field).map(code).join(', ')} | ${kept} | ${value} | ${otherwise} | ${effect} | ${readers} | ${said} |`
    }),
  ]
}

/** @param {Awaited<ReturnType<typeof commandsOf>>} cli */
function commandTable({ commands }) {
  return [
    '| command | does |',
    '|---|---|',
    ...commands.map(
      ({ name, folder, command: { args = '', handsOn, text } }) =>
        `| [${code(`skills ${name} ${args}${handsOn ? ' [-- ARGS]' : ''}`.trimEnd())}](../commands/${folder}.md) | ${text} |`,
    ),
  ]
}

/**
 * Renders the table of error codes. Its rows and the packages that throw each code come from the code; a row keeps the
 * words that were written by hand, since a page says more than an editor's hint does.
 * @param {string} before
 * @param {Readonly<Record<string, string>>} codes with when each is thrown
 * @param {ReturnType<typeof sourcesOf>} sources
 */
function errorTable(before, codes, sources) {
  const said = new Map(Array.from(before.matchAll(/^\| `(\w+)` \| (.*?) \|/gm), ([, name, text]) => [name, text]))
  return [
    '| code | thrown when | thrown by |',
    '|---|---|---|',
    ...Object.entries(codes).map(([name, when]) => {
      // A package that only compares with a code does not throw it.
      const throwing = sources.filter(({ text }) => new RegExp(`(?<![!=]== )'${name}'`).test(text))
      const owners = [...new Set(throwing.map(({ folder }) => code(path.posix.basename(folder))))]
      return `| ${code(name)} | ${said.get(name) ?? when} | ${owners.join(', ')} |`
    }),
  ]
}

/** @param {readonly any[]} kinds */
function kindTable(kinds) {
  const failures = { isolate: 'its answer is missing', throw: 'the caller gets the error' }
  const rows = kinds.map(({ kind, folder, arity, onFailure, limitMs, contracts = [1] }) => {
    const failure =
      typeof onFailure === 'string' ? failures[/** @type {'isolate' | 'throw'} */ (onFailure)] : 'the safe answer'
    const limit = limitMs === Infinity ? 'none' : limitMs.toLocaleString('en')
    return `| ${code(kind)} | ${code(path.posix.basename(folder))} | ${arity} | ${failure} | ${limit} | ${contracts.join(', ')} |`
  })
  return [
    '| kind | of | providers | when one fails | time limit (ms) | contract |',
    '|---|---|---|---|---|---|',
    ...rows.toSorted(),
  ]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { file, text } of await madeOfCode()) {
    const absolute = path.join(root, file)
    if (process.argv.includes('--write')) writeFileSync(absolute, text)
    else if (!existsSync(absolute) || readFileSync(absolute, 'utf8') !== text) {
      console.error(`${file} is not what the code says. Run node scripts/reference-tables.mjs --write`)
      process.exitCode = 1
    }
  }
}
