import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { processHost } from '@skills/core'
import { openState } from '@skills/state'

// Program of its own, for tests of what happens between processes: `node child.mjs <dir> <task> <argument>`.
const [dir = '', task = '', argument = ''] = process.argv.slice(2)
const state = openState(processHost(), {
  dir,
  lockMs: 60_000,
  report: ({ message }) => process.stderr.write(`${message}\n`),
})
const call = { signal: new AbortController().signal }

try {
  switch (task) {
    case 'count':
      for (let left = Number(argument); left > 0; left--)
        await state.update('usage', value => (typeof value === 'number' ? value : 0) + 1, call)
      break
    case 'die':
      await state.update(
        'usage',
        () => {
          process.kill(process.pid, 'SIGKILL')
          // The signal may take a moment.
          for (;;) continue
        },
        call,
      )
      break
    case 'die-at':
      dieAt(Number(argument))
      await state.update('usage', value => (typeof value === 'number' ? value : 0) + 1, call)
      break
    case 'write':
      await state.update('usage', () => 'x'.repeat(Number(argument)), call)
      break
    default:
      process.stdout.write(JSON.stringify(await state.read('usage', call)) ?? 'nothing')
  }
} catch (error) {
  process.stdout.write(
    error instanceof Error && 'code' in error ? `${String(error.code)}: ${error.message}` : String(error),
  )
  process.exitCode = 1
}

/** Kills this process just before its call number `number` of a function of `node:fs`. */
function dieAt(number: number): void {
  const functions = fs as unknown as Record<string, unknown>
  let left = number
  for (const [name, given] of Object.entries(functions)) {
    if (!name.endsWith('Sync') || typeof given !== 'function') continue
    functions[name] = (...args: readonly unknown[]): unknown => {
      if (--left > 0) return given(...args)
      process.kill(process.pid, 'SIGKILL')
      // The signal may take a moment.
      for (;;) continue
    }
  }
  syncBuiltinESMExports()
}
