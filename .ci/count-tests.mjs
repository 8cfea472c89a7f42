// @ts-check
import { readFileSync } from 'node:fs'
import path from 'node:path'

// Prints "<passed> <failed>" of a vitest JSON report.
// node .ci/count-tests.mjs REPORT EXIT_CODE_OF_THE_RUN [FILE: only the tests of this one]
// With --names, the tests that failed instead, a line each with the first line of what they said.

/**
 * @typedef {{ status: string, fullName: string, failureMessages?: string[] }} TestResult
 * @typedef {{ name: string, status: string, message?: string, assertionResults: TestResult[] }} TestFile
 */

const [, , report = '', runExit = '0', onlyFile] = process.argv
const files = testFiles().filter(
  ({ name }) => !onlyFile || path.relative(process.cwd(), name) === path.normalize(onlyFile),
)
const passed = files.reduce((sum, file) => sum + withStatus(file, 'passed'), 0)
// A file that could not be loaded has no tests to fail; it counts as one.
const failed = files.reduce((sum, file) => sum + (withStatus(file, 'failed') || Number(file.status === 'failed')), 0)
// Nothing ran, or the run failed outside of any test: the build, a type error in a source, an unhandled rejection.
const failedElsewhere = failed === 0 && (passed === 0 || runExit !== '0')
if (process.argv[3] === '--names') console.log(failures().join('\n'))
else console.log(`${passed} ${failed + Number(failedElsewhere)}`)

function failures() {
  return files.flatMap(({ name, status, message, assertionResults }) => {
    const file = path.relative(process.cwd(), name)
    const tests = assertionResults.filter(test => test.status === 'failed')
    if (tests.length === 0) return status === 'failed' ? [`FAILED ${file}: ${firstLine(message)}`] : []
    return tests.map(test => `FAILED ${file} > ${test.fullName}: ${firstLine(test.failureMessages?.[0])}`)
  })
}

/** @param {string} [text] */
function firstLine(text = '') {
  return (text.split('\n', 1)[0] ?? '').slice(0, 300)
}

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
