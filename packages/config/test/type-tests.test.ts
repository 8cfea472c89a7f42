import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { workspacePackages } from '../workspace.mjs'

test('a package has a configuration of its type tests if it has type tests, so that a run checks them', () => {
  const withTypeTests = workspacePackages()
    .filter(({ directory }) => existsSync(path.join(directory, 'src')))
    .filter(({ directory }) =>
      readdirSync(path.join(directory, 'src'), { recursive: true, encoding: 'utf8' }).some(file =>
        file.endsWith('.test-d.ts'),
      ),
    )
    .map(({ folder }) => folder)
  const configured = workspacePackages()
    .filter(({ directory }) => existsSync(path.join(directory, 'tsconfig.types.json')))
    .map(({ folder }) => folder)
  expect(withTypeTests).toContain('packages/core')
  expect(configured).toEqual(withTypeTests)
})
