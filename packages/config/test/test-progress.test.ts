import { expect, test } from 'vitest'
import { testProgress } from '../test-progress.mjs'

/** Line that a terminal shows after each file of a run with these states. */
function shown(states: readonly string[], isTTY: boolean): string[] {
  const written: string[] = []
  const progress = testProgress({ isTTY, write: text => written.push(String(text)) > 0 })
  const call = (name: 'onTestRunStart' | 'onTestModuleEnd', given: unknown): void =>
    void (progress[name] as ((given: unknown) => void) | undefined)?.(given)
  call('onTestRunStart', states)
  for (const state of states) call('onTestModuleEnd', { state: () => state })
  return written
}

test('a terminal shows how far a run is, and makes room where something failed', () => {
  const line = '\r\u001b[K'
  expect(shown(['passed', 'failed', 'passed'], true)).toEqual([
    `${line}1 of 3 files, 0 failed`,
    line,
    `${line}3 of 3 files, 1 failed`,
  ])
})

test('a log shows nothing until something fails', () => {
  expect(shown(['passed', 'failed'], false)).toEqual([])
})
