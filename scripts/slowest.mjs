// @ts-check
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { root } from '../packages/config/workspace.mjs'

// Prints the test files that take longest, each with its longest test.
// npm run slowest [-- PATH...]: runs the tests, or those of the paths.
// npm run slowest -- REPORT.json: of a run whose report was kept with SKILLS_TEST_REPORT.

/**
 * @typedef {{ fullName: string, duration?: number | null }} TestResult
 * @typedef {{ name: string, startTime: number, endTime: number, assertionResults: TestResult[] }} TestFile
 */

const shown = 20
const args = process.argv.slice(2)
const [kept] = args.filter(arg => arg.endsWith('.json'))
const files = kept === undefined ? ran(args) : read(kept)
const seconds = (/** @type {number} */ ms) => `${(ms / 1000).toFixed(1)} s`.padStart(8)
const times = files
  .map(({ name, startTime, endTime, assertionResults }) => ({
    file: path.relative(root, name),
    took: endTime - startTime,
    longest: assertionResults.toSorted((a, b) => (b.duration ?? 0) - (a.duration ?? 0))[0],
  }))
  .toSorted((a, b) => b.took - a.took)
for (const { file, took, longest } of times.slice(0, shown))
  console.log(`${seconds(took)}  ${file}\n${seconds(longest?.duration ?? 0)}    ${longest?.fullName ?? ''}`)
console.log(`${seconds(times.reduce((sum, { took }) => sum + took, 0))}  in all ${times.length} files`)

/**
 * @param {readonly string[]} filters
 * @returns {TestFile[]}
 */
function ran(filters) {
  const folder = mkdtempSync(path.join(tmpdir(), 'slowest-'))
  try {
    const report = path.join(folder, 'tests.json')
    const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
    const env = { ...process.env, SKILLS_TEST_REPORT: report }
    const { status } = spawnSync(process.execPath, [vitest, 'run', ...filters], { cwd: root, env, stdio: 'inherit' })
    process.exitCode = status ?? 1
    return read(report)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {string} report
 * @returns {TestFile[]}
 */
function read(report) {
  return JSON.parse(readFileSync(report, 'utf8')).testResults
}
