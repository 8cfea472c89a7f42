import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { workspacePackages } from '../workspace.mjs'
import { importCycles } from './import-cycles.js'

const folders = workspacePackages().filter(
  ({ folder }) => /^(packages|plugins)\//.test(folder) && folder !== 'packages/config',
)

// Files that need each other have to become one file, or share a third one.
test.each(folders)('no source file of $folder imports itself by way of others', ({ directory }) => {
  expect(importCycles(path.join(directory, 'src'))).toEqual([])
})

test('a cycle is seen, also one of types alone and one that is loaded on use', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cycles-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text)
  write('a.ts', `import type { B } from './b.js'\nimport './d.js'`)
  write('b.ts', `export const later = () => import('./c.js')`)
  write('c.ts', `export { a } from './a.js'\nimport 'node:fs'`)
  write('d.ts', '')
  write('d.test.ts', `import './a.js'`)
  expect(importCycles(folder)).toEqual(['a.ts → b.ts → c.ts → a.ts'])
})
