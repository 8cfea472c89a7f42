#!/usr/bin/env node
// @ts-check
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createVitest } from 'vitest/node'
import { root } from '../packages/config/workspace.mjs'
import { conformanceFolder, listTests } from './conformance.mjs'
import { mutations } from './conformance-mutations.mjs'

// Checks that the tests of each row of docs/conformance.md notice when its behaviour is missing. Each mutation takes
// one behaviour away, in the code as the tests load it and never in the file itself; then the tests of its row run, and
// one of them must fail.
//
//     npm run mutate               all mutations
//     npm run mutate -- 42 54      those of some rows
//     npm run mutate -- --check    only checks that the text of each is still in its file

/** @typedef {import('./conformance-mutations.mjs').Mutation} Mutation */

/** @param {Mutation} mutation */
const titleOf = ({ row, letters, what }) => `${row} ${letters}: ${what}`

/**
 * Makes a pattern that matches a piece of code however the formatter breaks its lines: white space and a comma before a
 * closing bracket make no difference.
 * @param {string} text
 */
function patternOf(text) {
  const tokens = text.match(/\w+|[^\s\w]/g) ?? []
  return new RegExp(
    tokens
      .map(token => (/\w/.test(token) ? `\\b${token}\\b` : `${/[)\]}]/.test(token) ? ',?\\s*' : ''}\\${token}`))
      .join('\\s*'),
    'g',
  )
}

/**
 * Returns a sentence for each mutation that no longer fits the project.
 * @param {readonly Mutation[]} table
 */
export function staleIn(table) {
  const tested = listTests()
  return table.flatMap(mutation => {
    const { row, letters, file, from, to } = mutation
    const times = [...readFileSync(path.join(root, file), 'utf8').matchAll(patternOf(from))].length
    const without = [...letters].filter(letter => !tested.some(test => test.row === row && test.letter === letter))
    return [
      ...(times === 1
        ? []
        : [`${titleOf(mutation)}: the text ${JSON.stringify(from)} stands ${times} times in ${file}, not once.`]),
      ...(without.length === 0 ? [] : [`${titleOf(mutation)}: row ${row} has no test of ${without.join(', ')}.`]),
      ...(from === to ? [`${titleOf(mutation)}: nothing is changed.`] : []),
    ]
  })
}

/** Returns the test files that have tests of a row. @param {number} row */
const filesOf = row =>
  readdirSync(path.join(root, conformanceFolder)).filter(
    name =>
      name.endsWith('.test.ts') &&
      new RegExp(`^ *row\\(\\s*${row},`, 'm').test(readFileSync(path.join(root, conformanceFolder, name), 'utf8')),
  )

/** @type {Mutation | undefined} */
let present
/** True if the tests have loaded the file of the present mutation. */
let isLoaded = false

/** The Vite plugin that applies the present mutation to its file when that is loaded. */
const mutator = {
  name: 'mutation',
  enforce: /** @type {const} */ ('pre'),
  /** @param {string} code @param {string} id */
  transform: (code, id) => {
    if (present === undefined || id.split('?')[0] !== path.join(root, present.file)) return undefined
    isLoaded = true
    return code.replace(patternOf(present.from), () => present?.to ?? '')
  },
}

async function openTests() {
  // vitest.config.ts gives it to its projects.
  Object.assign(globalThis, { testPlugins: [mutator] })
  const vitest = await createVitest('test', {
    root,
    watch: false,
    typecheck: { enabled: false },
    reporters: [{}],
    testTimeout: 120_000,
  })
  /**
   * Runs the tests of some rows: returns which ran, which failed, and which files could not even be loaded.
   * @param {readonly number[]} rows @param {string} letters
   */
  async function run(rows, letters) {
    vitest.setGlobalTestNamePattern(new RegExp(` (?:${rows.join('|')}) [${letters}]: `))
    const specifications = await vitest.globTestSpecifications(
      [...new Set(rows.flatMap(filesOf))].map(name => `${conformanceFolder}/${name}`),
    )
    // The result holds files of earlier runs too.
    const asked = new Set(specifications.map(({ moduleId }) => moduleId))
    const testModules = (await vitest.runTestSpecifications(specifications)).testModules.filter(({ moduleId }) =>
      asked.has(moduleId),
    )
    const results = testModules.flatMap(one =>
      [...one.children.allTests()].map(test => ({ name: test.name, state: test.result().state })),
    )
    return {
      broken: testModules.flatMap(one => one.errors().map(({ message }) => message)),
      ran: results.filter(({ state }) => state === 'passed' || state === 'failed').map(({ name }) => name),
      failed: results.filter(({ state }) => state === 'failed').map(({ name }) => name),
    }
  }
  /** Does the same with a mutation in place. @param {Mutation} mutation */
  async function runWith(mutation) {
    const file = path.join(root, mutation.file)
    present = mutation
    isLoaded = false
    vitest.invalidateFile(file)
    try {
      const ended = await run([mutation.row], mutation.letters)
      return isLoaded ? ended : { ...ended, broken: [`the tests did not load ${mutation.file}`, ...ended.broken] }
    } finally {
      present = undefined
      vitest.invalidateFile(file)
    }
  }
  return { run, runWith, close: () => vitest.close() }
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { check: { type: 'boolean', default: false } },
  })
  const wanted = mutations.filter(({ row }) => positionals.length === 0 || positionals.includes(String(row)))
  const stale = staleIn(wanted)
  for (const line of stale) console.error(line)
  if (stale.length > 0)
    console.error('Correct these in scripts/conformance-mutations.mjs: the row may be tested no longer.')
  if (values.check || stale.length > 0 || wanted.length === 0) {
    console.log(`${wanted.length} mutations, ${stale.length} of them stale.`)
    return stale.length === 0 && wanted.length > 0
  }
  const tests = await openTests()
  /** @type {string[]} */
  const wrong = []
  let killed = 0
  try {
    const asItIs = await tests.run([...new Set(wanted.map(({ row }) => row))], 'A-Z')
    wrong.push(...[...asItIs.failed, ...asItIs.broken].map(one => `Without any mutation this fails: ${one}`))
    for (const mutation of wrong.length > 0 ? [] : wanted) {
      const { ran, failed, broken } = await tests.runWith(mutation)
      // Each distribution that the mutation is about has to notice.
      const unnoticed = [...mutation.letters].filter(
        letter => !failed.some(name => name.startsWith(`${mutation.row} ${letter}: `)),
      )
      if (broken.length > 0) wrong.push(`${titleOf(mutation)}: the code could not be loaded: ${broken.join(', ')}`)
      else if (unnoticed.length > 0)
        wrong.push(`${titleOf(mutation)}: survived in ${unnoticed.join(', ')} (${mutation.file}).`)
      else killed++
      console.log(
        `${unnoticed.length > 0 ? 'SURVIVED' : 'killed  '} ${titleOf(mutation)} (${failed.length} of ${ran.length} failed)`,
      )
    }
  } finally {
    await tests.close()
  }
  for (const line of wrong) console.error(line)
  console.log(`${wanted.length} mutations, ${killed} noticed, ${wrong.length} not.`)
  return wrong.length === 0
}

process.exitCode = (await main()) ? 0 : 1
