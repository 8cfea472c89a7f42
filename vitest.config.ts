import { existsSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { exportedSources, root, workspacePackages } from './packages/config/workspace.mjs'

/** Where CI wants the results as JSON besides; a developer's run only prints. */
const report = process.env['SKILLS_TEST_REPORT']

export default defineConfig({
  plugins: [seededProperties()],
  resolve: { alias: sourceAliases() },
  test: {
    root,
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'plugins/*/src/**/*.test.ts',
      'examples/*/src/**/*.test.ts',
      'bench/*.test.ts',
    ],
    typecheck: {
      enabled: true,
      include: ['packages/*/src/**/*.test-d.ts', 'plugins/*/src/**/*.test-d.ts'],
      tsconfig: 'tsconfig.json',
      spawnTimeout: 240_000,
    },
    // A test that compares nothing cannot fail.
    expect: { requireAssertions: true },
    maxWorkers: 2,
    retry: 0,
    testTimeout: 30_000,
    hookTimeout: 20_000,
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
})

/** Gives tests a fast-check whose seed is fixed. It is loaded only by those that import fast-check. */
function seededProperties() {
  const seeded = path.join(root, 'packages/config/seeded-fast-check.mjs')
  return {
    name: 'seeded-properties',
    enforce: 'pre' as const,
    resolveId: (id: string, importer: string | undefined) =>
      id === 'fast-check' && importer !== seeded ? seeded : undefined,
  }
}

/** A package's name leads to its sources, so that a test runs what is written and not what was last built. */
function sourceAliases() {
  return workspacePackages()
    .filter(({ directory }) => existsSync(path.join(directory, 'src')))
    .flatMap(({ directory, manifest }) => [
      ...exportedSources(manifest).map(({ subpath, source }) => ({
        find: new RegExp(`^${manifest.name}${subpath.slice(1)}$`),
        replacement: path.join(directory, source),
      })),
      { find: new RegExp(`^${manifest.name}/(.+)$`), replacement: path.join(directory, 'src/$1.ts') },
    ])
}
