import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { fakeClock, tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { runInGroup } from './run-in-group.js'

const version = execFileSync('bash', ['--version'], { encoding: 'utf8' }).split('\n', 1)[0]
const call = { program: 'bash', args: ['--noprofile', '--norc', '-c', '--', 'set -x; printf hello; echo /e[t]c'] }
const limits = { timeoutMs: 20_000, maxOutputBytes: 10_000, graceMs: 100 }

test.each([
  ['an exported function in the place of a builtin', { 'BASH_FUNC_printf%%': '() { touch ran; }' }],
  ['an exported function in the place of a program', { 'BASH_FUNC_echo%%': '() { touch ran; }' }],
  ['a start-up file', { BASH_ENV: './start' }],
  ['a start-up file of a shell by POSIX', { ENV: './start', POSIXLY_CORRECT: '1' }],
  ['options that read nothing', { SHELLOPTS: 'noexec' }],
  ['a prompt of a trace', { PS4: '$(touch ran)', SHELLOPTS: 'xtrace' }],
  ['options that look for a debugger', { BASHOPTS: 'extdebug' }],
])(`runs no %s of the environment (${version})`, async (_, env) => {
  const tree = tempTree()
  onTestFinished(() => tree.dispose())
  writeFileSync(`${tree.path}/start`, 'touch ran\n')
  const { end, stdout, stderr } = await runInGroup(
    { ...call, isScript: true, env: { PATH: process.env['PATH'], KEPT: '1', ...env } },
    { ...limits, cwd: tree.path, clock: fakeClock(), signals: [] },
  )
  expect({ end, stdout, stderr }).toEqual({
    end: { by: 'exit', code: 0 },
    stdout: 'hello/etc\n',
    stderr: '+ printf hello\n+ echo /etc\n',
  })
  expect(existsSync(`${tree.path}/ran`)).toBe(false)
})

test('gives a program all else, also what other programs call so', async () => {
  const { stdout } = await runInGroup(
    {
      program: 'env',
      args: [],
      env: { PATH: process.env['PATH'], ENV: 'production', LD_LIBRARY_PATH: '/lib', SHELLOPTS: 'noexec', PS4: 'x' },
    },
    { ...limits, cwd: '/', clock: fakeClock(), signals: [] },
  )
  expect(stdout.split('\n').toSorted()).toEqual([
    '',
    'ENV=production',
    'LD_LIBRARY_PATH=/lib',
    `PATH=${process.env['PATH']}`,
  ])
})
