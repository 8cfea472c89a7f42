import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { tempTree } from '@skills/testing'
import { build } from 'esbuild'
import { expect, it, onTestFinished } from 'vitest'
import { expectGroupGone, pipe } from '../test/shell.js'

it('leaves no process behind when the program ends in the middle of a command', async () => {
  const tree = tempTree()
  onTestFinished(() => tree.dispose())
  const { line, ended } = pipe(tree)
  const outfile = `${tree.path}/run-script.mjs`
  await build({ entryPoints: [fileURLToPath(new URL('run-script.ts', import.meta.url))], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'silent' })
  tree.write({
    'program.mjs': `
      import { runScript } from './run-script.mjs'
      const never = new AbortController().signal
      const clock = { now: () => 0, after: () => () => {} }
      void runScript(
        { program: 'bash', args: ['-c', 'exec 9>pipe; trap "" TERM HUP; (sleep 1000; true) & echo $$ >&9; sleep 1000'], env: process.env },
        { cwd: ${JSON.stringify(tree.path)}, clock, signals: [never], timeoutMs: Infinity, maxOutputBytes: 1, graceMs: 1 },
      )
      process.stdin.once('data', () => process.exit(3))
    `,
  })
  const program = spawn(process.execPath, [`${tree.path}/program.mjs`], { stdio: ['pipe', 'ignore', 'inherit'] })
  const exit = once(program, 'exit')
  const group = await line()
  program.stdin.end('end')
  expect(await exit).toEqual([3, null])
  await ended()
  await expectGroupGone(group)
})
