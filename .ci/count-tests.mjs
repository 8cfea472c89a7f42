// @ts-check
import { readFileSync } from 'node:fs'
import path from 'node:path'

// Prints "<passed> <failed>" of a vitest JSON report.
// node .ci/count-tests.mjs REPORT EXIT_CODE_OF_THE_RUN [FILE: only the tests of this one]

/** @typedef {{ name: string, status: string, assertionResults: { status: string }[] }} TestFile */

const [, , report = '', runExit = '0', onlyFile] = process.argv
const files = testFiles().filter(
  ({ name }) => !onlyFile || path.relative(process.cwd(), name) === path.normalize(onlyFile),
)
const passed = files.reduce((sum, file) => sum + withStatus(file, 'passed'), 0)
// A file that could not be loaded has no tests to fail; it counts as one.
const failed = files.reduce((sum, file) => sum + (withStatus(file, 'failed') || Number(file.status === 'failed')), 0)
// Nothing ran, or the run failed outside of any test: the build, a type error in a source, an unhandled rejection.
const failedElsewhere = failed === 0 && (passed === 0 || runExit !== '0')
console.log(`${passed} ${failed + Number(failedElsewhere)}`)

/**
 * @param {TestFile} file
 * @param {string} wanted
 */
function withStatus({ assertionResults }, wanted) {
  return assertionResults.filter(({ status }) => status === wanted).length
}

/** @returns {TestFile[]} */
function testFiles() {
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults
  } catch {
    // The run ended before it could report; that is counted as a failure above.
    return []
  }
}
