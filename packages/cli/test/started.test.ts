import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { root, workspacePackages } from '../../config/workspace.mjs'

/** Test files that start the built program, each with what a run in the process of a test would not show. */
const starting = {
  'packages/cli/test/action.test.ts': 'a script of bash starts the program',
  'packages/cli/test/built.test.ts': 'what is built, its names, pipes, signals, another user, a folder that is gone',
  'packages/cli/test/code-cache.test.ts': 'compiled code is kept between processes',
  'packages/cli/test/full-disk.test.ts': 'a limit of the system on what a process may write',
  'packages/cli/test/mcp.test.ts': 'a client talks to the standard input and output of the process',
  'packages/cli/test/sessions.test.ts': 'a reader pipes the output, or follows a tutorial with programs of their own',
  'packages/cli/test/signals.test.ts': 'a signal ends the process',
  'packages/cli/test/start-up.test.ts': 'the files that a process reads before its first line',
  'packages/cli/test/terminal.test.ts': 'keys at a real terminal',
  'packages/cli/test/ui-keys.test.ts': 'a browser at the served page',
  'packages/cli/test/ui-sizes.test.ts': 'a browser at the served page',
  'packages/cli/test/ui.test.ts': 'a browser at the served page',
  'packages/cli/test/windows.test.ts': 'the program under Wine',
}

const here = path.dirname(fileURLToPath(import.meta.url))
const starters = ['terminal', 'ui-program', 'sessions/sessions'].map(name => path.join(here, `${name}.js`))

/** Returns true if a test file imports what starts the program, or names its file. */
function startsProgram(file: string): boolean {
  const text = readFileSync(file, 'utf8')
  if (/\bdist\/skills\.cjs'/.test(text)) return true
  return Array.from(text.matchAll(/^import (.+) from '(\..+)'$/gm)).some(([, names = '', from = '']) => {
    const imported = path.resolve(path.dirname(file), from)
    return (
      starters.includes(imported) ||
      (imported === path.join(here, 'built.js') && /\b(?:program|skills)\b|\*/.test(names))
    )
  })
}

test('no other test starts the built program: a command runs in the process of its test', () => {
  const files = workspacePackages()
    .flatMap(({ directory }) => ['src', 'test'].map(name => path.join(directory, name)))
    .filter(folder => existsSync(folder))
    .flatMap(folder => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(file => path.join(folder, file)))
    .filter(file => file.endsWith('.test.ts') && file !== fileURLToPath(import.meta.url))
  const found = files.filter(startsProgram).map(file => path.relative(root, file).replaceAll(path.sep, '/'))
  expect(found.toSorted()).toEqual(Object.keys(starting))
})
