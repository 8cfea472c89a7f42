// @ts-check
// Runs every property test with new seeds. `npm test` runs them with a fixed one.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Random } from './random.mjs'

const root = path.resolve(import.meta.dirname, '../..')

/** @type {import('./attack.d.ts').Attack} */
export const attack = {
  name: 'properties',
  title: 'Every property of the tests holds for cases that no run has drawn before.',
  counts: { short: 0, long: 20 },
  async run({ count, seed, folder, progress }) {
    const random = new Random(seed)
    const files = propertyFiles()
    const failures = []
    let tried = 0
    for (let round = 0; round < count; round += 1) {
      const drawn = random.below(2 ** 31)
      const report = path.join(folder, `${drawn}.json`)
      await vitest(files, drawn, report)
      const { names, passed } = existsSync(report)
        ? readReport(report)
        : { names: ['no report was written'], passed: 0 }
      failures.push(...names.map(name => `SKILLS_TEST_SEED=${drawn}: ${name}`))
      tried += passed + names.length
      progress(round + 1)
    }
    return { tried, failures, figures: { 'files with properties': files.length, seeds: count } }
  },
}

/** Returns the test files that import fast-check, relative to the root. */
function propertyFiles() {
  const found = []
  for (const top of ['packages', 'plugins'])
    for (const file of readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.test.ts') || /(?:^|[\\/])(?:node_modules|dist)[\\/]/.test(file)) continue
      if (readFileSync(path.join(root, top, file), 'utf8').includes("from 'fast-check'")) found.push(`${top}/${file}`)
    }
  return found
}

/**
 * @param {readonly string[]} files
 * @param {number} seed
 * @param {string} report
 * @returns {Promise<void>}
 */
function vitest(files, seed, report) {
  const program = path.join(root, 'node_modules/vitest/vitest.mjs')
  const args = [program, 'run', ...files]
  const env = { ...process.env, SKILLS_TEST_SEED: String(seed), SKILLS_TEST_REPORT: report }
  // The exit code is in the report too.
  return new Promise(resolve =>
    execFile(process.execPath, args, { cwd: root, env, maxBuffer: 2 ** 28 }, () => resolve()),
  )
}

/**
 * @param {string} file
 * @returns {{ names: string[], passed: number }}
 */
function readReport(file) {
  const { testResults, numPassedTests } = JSON.parse(readFileSync(file, 'utf8'))
  /** @type {string[]} */
  const names = []
  for (const { name, status, message, assertionResults } of testResults) {
    const failed = assertionResults.filter((/** @type {{ status: string }} */ one) => one.status === 'failed')
    for (const { fullName, failureMessages } of failed)
      names.push(`${path.relative(root, name)}: ${fullName}: ${String(failureMessages[0]).slice(0, 400)}`)
    if (status === 'failed' && failed.length === 0) names.push(`${path.relative(root, name)}: ${message}`)
  }
  return { names, passed: numPassedTests }
}
