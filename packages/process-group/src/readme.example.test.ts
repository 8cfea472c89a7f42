// #region usage
import { spawn } from 'node:child_process'
import { keepGroup, signalGroup } from '@skills/process-group'

/** Runs a command. Returns its exit code, or null if the signal ended the command and everything it had started. */
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

// #region run
import { runInGroup } from '@skills/process-group'

/** Returns the output of a bash script for a text, or undefined if the script fails or takes longer than a second. */
async function filter(script: string, text: string, signal: AbortSignal): Promise<string | undefined> {
  const after = (ms: number, callback: () => void) => {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  }
  const { end, stdout } = await runInGroup(
    { program: 'bash', args: ['-c', script], env: process.env, stdin: text },
    {
      cwd: process.cwd(),
      clock: { after },
      signals: [signal],
      timeoutMs: 1000,
      maxOutputBytes: 1_048_576,
      graceMs: 100,
    },
  )
  return end.by === 'exit' && end.code === 0 ? stdout : undefined
}
// #endregion run

import { expect, test } from 'vitest'

test('a command ends by itself, or with what it started when it is given up', async () => {
  expect(await run(process.execPath, ['-e', 'process.exit(3)'], new AbortController().signal)).toBe(3)
  const controller = new AbortController()
  const ended = run(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], controller.signal)
  controller.abort()
  expect(await ended).toBeNull()
})

test('a text goes in and another comes out', async () => {
  const { signal } = new AbortController()
  expect(await filter('tr a-z A-Z', 'text', signal)).toBe('TEXT')
  expect(await filter('exit 1', 'text', signal)).toBeUndefined()
})
