#!/usr/bin/env node
// @ts-check
// node scripts/commands.mjs [--write]: checks that the files derived from the folders of packages/cli/src/commands
// match them. With --write it rewrites those files. It reads the sources, so nothing has to be built.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { root } from '../packages/config/workspace.mjs'
import { loaded } from './load-sources.mjs'

const folder = 'packages/cli/src/commands'

/** @typedef {{ name: string, folder: string, command: Record<string, any> }} Found */

/**
 * Loads every command, in the order of `skills --help`: groups as `groups.ts` has them, and in each the commands by
 * their `place`, then by name.
 * @param {string} [base] the repository, absolute
 * @returns {Promise<{ commands: Found[], globalOptions: Record<string, string>, lookingFlags: string[] }>}
 */
export async function commandsOf(base = root) {
  const folders = readdirSync(path.join(base, folder))
    .filter(name => existsSync(path.join(base, folder, name, 'command.ts')))
    .toSorted()
  const code = await loaded(
    base,
    `export { globalOptions } from './packages/cli/src/arguments/global-options.ts'
export { groups } from './packages/cli/src/arguments/groups.ts'
export { lookingFlags } from './packages/cli/src/arguments/refuse-options.ts'
${folders.map((name, at) => `export { command as command${at} } from './${folder}/${name}/command.ts'\n`).join('')}`,
  )
  const { globalOptions, lookingFlags } = code
  const groups = Object.keys(code['groups'])
  const found = folders.map((name, at) => ({
    name: name.replace('-', ' '),
    folder: name,
    command: code[`command${at}`],
  }))
  const placeOf = (/** @type {Found} */ { command: { group, place = Infinity } }) => [groups.indexOf(group), place]
  const commands = found.toSorted((one, other) => {
    const [[group = 0, place = 0], [otherGroup = 0, otherPlace = 0]] = [placeOf(one), placeOf(other)]
    return group - otherGroup || (place === otherPlace ? (one.name < other.name ? -1 : 1) : place - otherPlace)
  })
  return { commands, globalOptions, lookingFlags }
}

/**
 * Renders every file that is derived from the folders of the commands, as it should be.
 * @param {string} [base] the repository, absolute
 * @returns {Promise<{ file: string, text: string }[]>} files from the root
 */
export async function madeOfCommands(base = root) {
  const { commands, globalOptions, lookingFlags } = await commandsOf(base)
  const list = commands.find(({ name }) => name === 'list')
  if (list === undefined) throw new Error('There is no command "list".')
  const others = commands.map(one =>
    one === list ? `  { ...listRow, ${loadersOf(one).join(', ')} },\n` : entryOf(one, rowOf(one, lookingFlags, '    ')),
  )
  return [
    {
      file: `${folder}/first.ts`,
      text: `${madeOf}
import type { CommandRow } from '../arguments/command-row.js'

// A list reads this before it runs, so it has options without their help.
export const globalOptions = [
${Object.keys(globalOptions)
  .map(option => `  ${quoted(option)},\n`)
  .join('')}]

export const listRow: CommandRow = {
${rowOf(list, lookingFlags, '  ')}}
`,
    },
    {
      file: `${folder}/index.ts`,
      text: `${madeOf}
import { lookingFlags } from '../arguments/refuse-options.js'
import { listRow } from './first.js'
import type { Commands } from '../arguments/commands.js'

/** Every command, in the order of \`skills --help\`; its help, and what it runs, are loaded when they are asked for. */
export const commands: Commands = [
${others.join('')}]
`,
    },
  ]
}

const madeOf = '// Made by `node scripts/commands.mjs --write` of the folders beside it.'

/** @param {Found} found */
const loadersOf = ({ folder: name }) => [
  `definition: () => import('./${name}/command.js')`,
  `run: () => import('./${name}/run.js')`,
]

/** @param {Found} found @param {string} row */
function entryOf(found, row) {
  return `  {\n${row}${loadersOf(found)
    .map(loader => `    ${loader},\n`)
    .join('')}  },\n`
}

/** @param {Found} found @param {readonly string[]} lookingFlags @param {string} indent */
function rowOf(found, lookingFlags, indent) {
  const { refuses, ...row } = rowData(found)
  const isLooking = JSON.stringify(refuses) === JSON.stringify(lookingFlags)
  const parts = Object.entries(row).map(([key, value]) => [
    key,
    Array.isArray(value) ? listed(value, indent) : code(value),
  ])
  if (refuses !== undefined) parts.push(['refuses', isLooking ? 'lookingFlags' : listed(refuses, indent)])
  return parts.map(([key, value]) => `${indent}${key}: ${value},\n`).join('')
}

/** Returns the part of a command that the argument parser needs. @param {Found} found */
function rowData({ name, command }) {
  const { args = '', options = {}, handsOn, refuses, synonyms } = command
  const words = args === '' ? [] : args.split(' ')
  const isEndless = words.some((/** @type {string} */ word) => word.includes('…'))
  return {
    name,
    args,
    least: words.filter((/** @type {string} */ word) => !word.startsWith('[')).length,
    most: command['most'] ?? (isEndless ? Infinity : words.length),
    options: Object.keys(options),
    ...(handsOn === true && { handsOn }),
    ...(synonyms !== undefined && { synonyms }),
    ...(refuses !== undefined && { refuses }),
  }
}

/** Returns every command as the argument parser knows it. */
export async function commandRowsOf() {
  return (await commandsOf()).commands.map(rowData)
}

/** @param {unknown} value */
const code = value => (typeof value === 'string' ? quoted(value) : String(value))

/** @param {string} text */
const quoted = text => `'${text.replace(/['\\]/g, '\\$&')}'`

/** Writes a list of strings in oxfmt's layout. @param {readonly string[]} texts @param {string} indent */
function listed(texts, indent) {
  const line = `[${texts.map(quoted).join(', ')}]`
  return `${indent}options: ${line},`.length <= 120
    ? line
    : `[\n${texts.map(text => `${indent}  ${quoted(text)},\n`).join('')}${indent}]`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { file, text } of await madeOfCommands()) {
    const absolute = path.join(root, file)
    if (process.argv.includes('--write')) writeFileSync(absolute, text)
    else if (!existsSync(absolute) || readFileSync(absolute, 'utf8') !== text) {
      console.error(`${file} is not what the folders say. Run node scripts/commands.mjs --write`)
      process.exitCode = 1
    }
  }
}
