// @ts-check

/**
 * Returns a reporter that shows how far a run of the tests is, in one line of a terminal, which goes when something is to
 * be read. It belongs before the reporter that prints failures.
 * @param {Pick<NodeJS.WriteStream, 'isTTY' | 'write'>} [terminal]
 * @returns {import('vitest/node').Reporter}
 */
export function testProgress(terminal = process.stdout) {
  const all = { files: 0, done: 0, failed: 0 }
  /** @param {string} line */
  const show = line => void (terminal.isTTY && terminal.write(`\r\u001b[K${line}`))
  return {
    onTestRunStart(files) {
      Object.assign(all, { files: files.length, done: 0, failed: 0 })
    },
    onTestCaseResult(test) {
      if (test.result().state === 'failed') show('')
    },
    onTestModuleEnd(file) {
      all.done += 1
      if (file.state() === 'failed') {
        all.failed += 1
        show('')
      } else show(`${all.done} of ${all.files} files, ${all.failed} failed`)
    },
    onTestRunEnd: () => show(''),
  }
}
