import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'

const run = fileURLToPath(new URL('../../../../scripts/record/run.mjs', import.meta.url))

/**
 * An npm with a newer release of everything. It cannot install that of kilo, and installs another one of kimi-code, as
 * npm does on an older Node.
 */
const npm = `#!${process.execPath}
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs')
const [command, ...args] = process.argv.slice(2)
if (command === 'view') console.log('999.0.0')
else {
  const folder = args[args.indexOf('--prefix') + 1]
  const wanted = args.at(-1)
  appendFileSync(process.env.NPM_LOG, wanted + '\\n')
  if (wanted.includes('kilo')) {
    console.error('npm error notarget No matching version found')
    process.exit(1)
  }
  const manifest = folder + '/node_modules/' + wanted.replace(/(?<=.)@[^@/]*$/, '')
  mkdirSync(manifest, { recursive: true })
  writeFileSync(manifest + '/package.json', '{ "version": "1.0.0" }')
}
`

test('a program that cannot be installed is named, and the next one is tried', () => {
  const tree = tempTree({ 'bin/npm': { content: npm, mode: 0o755 }, from: { dir: true } })
  onTestFinished(() => tree.dispose())
  const log = `${tree.path}/log`
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [run, '--outdated', 'kilo', 'kimi-code', '--from', `${tree.path}/from`, '--write'],
    {
      encoding: 'utf8',
      env: { ...process.env, NPM_LOG: log, PATH: `${tree.path}/bin${delimiter}${process.env['PATH'] ?? ''}` },
    },
  )
  expect(stdout.match(/^\S+ \S+, recorded on \S+: 999\.0\.0 is on npm\.$/gm)).toHaveLength(2)
  expect(stderr.split('\n')).toEqual([
    expect.stringMatching(/^kilo 999\.0\.0 was not installed: npm install .* ended with 1: npm error notarget/),
    expect.stringMatching(/^kimi-code 999\.0\.0 was not installed: npm installed \S+ 1\.0\.0 in place of 999\.0\.0\.$/),
    '',
  ])
  expect(status).toBe(1)
  const asked = readFileSync(log, 'utf8').split('\n')
  expect(asked.map(one => one.replace(/^@?[^@]*@/, '@'))).toEqual(['@22', '@999.0.0', '@22', '@999.0.0', ''])
})
