// #region usage
import { spawn } from 'node:child_process'
import { keepGroup, signalGroup } from '@skills/process-group'

/** Runs a command; gives its exit code, or null when the signal ended it and all that it had started. */
function run(command: string, args: readonly string[], signal: AbortSignal): Promise<number | null> {
  const child = spawn(command, args, { detached: true, stdio: 'ignore' })
  const giveUp = keepGroup(child)
  const end = (): void => signalGroup(child, 'SIGKILL')
  signal.addEventListener('abort', end, { once: true })
  return new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve)
  }).finally(() => {
    giveUp()
    signal.removeEventListener('abort', end)
  })
}
// #endregion usage

import { expect, test } from 'vitest'

test('a command ends by itself, or with what it started when it is given up', async () => {
  expect(await run(process.execPath, ['-e', 'process.exit(3)'], new AbortController().signal)).toBe(3)
  const controller = new AbortController()
  const ended = run(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], controller.signal)
  controller.abort()
  expect(await ended).toBeNull()
})
