import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { program } from '../built.js'
import type { Start } from '../sessions/sessions.js'

/** Path of Windows' `node.exe`, which `scripts/windows.mjs` sets; undefined: nothing is tried under Wine. */
export const nodeExe = process.env['SKILLS_NODE_EXE']

/** Runs the built program with this machine's Node. */
export const onLinux: Start = (words, { home, cwd, env }) => {
  const out = path.join(home, '.output')
  const { status } = spawnSync('sh', ['-c', `exec "$@" > "${out}" 2>&1`, 'sh', process.execPath, program, ...words], {
    cwd,
    env,
    input: '',
  })
  return { code: status ?? 1, output: taken(out) }
}

/** Runs the built program with Windows' Node, under Wine. */
export const onWindows: Start = (words, { home, cwd, env }) => {
  const out = path.join(home, '.output')
  const started = path.join(home, '.start.json')
  const given = {
    args: [windowsPath(program), ...words.map(word => (path.isAbsolute(word) ? windowsPath(word) : word))],
    cwd: windowsPath(cwd),
    env: {
      ...env,
      PATH: undefined,
      USERPROFILE: windowsPath(home),
      // As on Linux, so that the setups of the pages fit.
      APPDATA: windowsPath(`${home}/.config`),
      LOCALAPPDATA: windowsPath(`${home}/.local/state`),
    },
    out: windowsPath(out),
  }
  writeFileSync(started, JSON.stringify(given))
  const start = path.join(import.meta.dirname, 'start.cjs')
  spawnSync('wine', [nodeExe ?? '', windowsPath(start), windowsPath(started)], {
    env: { ...process.env, WINEDEBUG: '-all', NODE_SKIP_PLATFORM_CHECK: '1' },
    stdio: 'ignore',
    timeout: 60_000,
  })
  rmSync(started, { force: true })
  const code = taken(`${out}.code`)
  return { code: /^\d+$/.test(code) ? Number(code) : -1, output: taken(out) }
}

/** Returns the path under which Wine shows a file of this machine. */
function windowsPath(file: string): string {
  return `Z:${file.replaceAll('/', '\\')}`
}

function taken(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // A program that could not be started has written nothing.
    return ''
  } finally {
    rmSync(file, { force: true })
  }
}

/** Returns an output in a form that is the same on both systems, as far as what it says is the same. */
export function comparable(output: string, home: string): string {
  return (
    output
      .replaceAll('\r\n', '\n')
      .replaceAll(windowsPath(home), '~')
      .replaceAll(`Z:${home}`, '~')
      .replaceAll(JSON.stringify(windowsPath(home)).slice(1, -1), '~')
      .replaceAll(home, '~')
      .replaceAll(/[\w.@~:*-]*(?:\\+[\w.@*-]+)+/g, word => word.replaceAll(/\\+/g, '/'))
      .replaceAll(/node(?:\.exe)? \S*skills\.cjs/g, 'skills')
      .replaceAll(/ {2,}/g, '  ')
      // The shells of Windows have other quotes.
      .replaceAll(/"([\w ()*:./-]+)"/g, "'$1'")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
      .replaceAll(/(?:C:\/Program Files\/ClaudeCode|\/etc\/claude-code)/g, 'MANAGED')
  )
}

/** True for what a command says that needs a program which Node for Windows under Wine does not have. */
export const needsOthers = (output: string): boolean =>
  /spawn (?:bash|git) ENOENT|npm could not be started/.test(output)
