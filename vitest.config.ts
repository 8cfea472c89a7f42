import { existsSync } from 'node:fs'
import path from 'node:path'
import { configDefaults, defineConfig, type Plugin, type TestProjectInlineConfiguration } from 'vitest/config'
import { testProgress } from './packages/config/test-progress.mjs'
import { exportedSources, root, workspacePackages } from './packages/config/workspace.mjs'

/** Where CI wants the results as JSON besides; a developer's run only prints. */
const report = process.env['SKILLS_TEST_REPORT']

/**
 * Folders whose tests see nothing that another one leaves, in whatever order they run: their files share processes and
 * modules, which saves most of the time of a short one.
 */
const sharing = [
  'packages/authoring',
  'packages/cli/src',
  'packages/core',
  'packages/distributions',
  'packages/evals',
  'packages/expansion',
  'packages/files',
  'packages/host',
  'packages/inspect',
  'packages/install',
  'packages/invocation',
  'packages/mcp-server',
  'packages/rules',
  'packages/skill-md',
  'packages/state',
  'packages/store',
  'packages/testing',
  'plugins/activation',
  'plugins/ai-sdk',
  'plugins/executor-fork',
  'plugins/executor-inline',
  'plugins/expander-*',
  'plugins/formatter-budget',
  'plugins/hooks-command',
  'plugins/permission-rules',
  'plugins/runner-ai-sdk',
  'plugins/source-*',
  'plugins/telemetry',
  'plugins/trust',
]

/** Files that replace a module of Node or of a library, for which they need modules of their own. */
const replacing = ['packages/install/src/agents.links.test.ts', 'plugins/runner-ai-sdk/src/index.test.ts']

/** Plugins that the script which runs the tests gives to all projects: vitest gives them to none. */
const ofThisProcess = (globalThis as { testPlugins?: readonly Plugin[] }).testPlugins ?? []

const tests = (folders: string) => [`${folders}/src/**/*.test.ts`, `${folders}/test/**/*.test.ts`]

export default defineConfig({
  test: {
    root,
    projects: [
      project('tests', {
        include: [
          ...tests('packages/*'),
          'plugins/*/src/**/*.test.ts',
          'examples/*/src/**/*.test.ts',
          'bench/*.test.ts',
        ],
        exclude: [...configDefaults.exclude, ...sharing.map(folder => `${folder}/**`)],
      }),
      project('replacing', { include: replacing }),
      project('sharing', {
        include: sharing.map(folder => `${folder}/**/*.test.ts`),
        exclude: [...configDefaults.exclude, ...replacing],
        isolate: false,
      }),
      ...typeTests(),
    ],
    maxWorkers: 2,
    silent: 'passed-only',
    reporters: [testProgress(), 'minimal', ...(report ? [['json', { outputFile: report }] as ['json', object]] : [])],
  },
})

function project(name: string, test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  return {
    plugins: [seededProperties(), ...ofThisProcess],
    resolve: { alias: sourceAliases() },
    test: {
      name,
      root,
      // A test that compares nothing cannot fail.
      expect: { requireAssertions: true },
      retry: 0,
      // A machine that is busy with other work takes ten times as long. A test that hangs is told of in the end.
      testTimeout: 300_000,
      hookTimeout: 120_000,
      ...test,
    },
  }
}

/**
 * Checks the `*.test-d.ts` of each package with a compiler of its own, whose `tsconfig.types.json` has them and what they
 * import: a run of one folder compiles no other.
 */
function typeTests(): TestProjectInlineConfiguration[] {
  return workspacePackages()
    .filter(({ directory }) => existsSync(path.join(directory, 'tsconfig.types.json')))
    .map(({ folder }) => ({
      // Switched on here, where vitest says for no package that its type tests are experimental.
      plugins: [
        { name: 'type-tests', configureVitest: vitest => void (vitest.project.config.typecheck.enabled = true) },
      ],
      test: {
        name: `types of ${folder}`,
        root,
        include: [],
        typecheck: {
          only: true,
          include: [`${folder}/src/**/*.test-d.ts`],
          tsconfig: `${folder}/tsconfig.types.json`,
          spawnTimeout: 240_000,
        },
      },
    }))
}

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

/**
 * Makes the name of a package lead to its sources, so that a test runs the current code and not the last build, and `ai`
 * to the folder in `SKILLS_TEST_AI`, if that is set: CI tests the adapters with another major version of the AI SDK.
 */
function sourceAliases() {
  const ai = process.env['SKILLS_TEST_AI']
  const others = ai === undefined ? [] : [{ find: /^ai$/, replacement: path.join(ai, 'dist/index.js') }]
  const sources = workspacePackages()
    .filter(({ directory }) => existsSync(path.join(directory, 'src')))
    .flatMap(({ directory, manifest }) => [
      ...exportedSources(manifest).map(({ subpath, source }) => ({
        find: new RegExp(`^${manifest.name}${subpath.slice(1)}$`),
        replacement: path.join(directory, source),
      })),
      { find: new RegExp(`^${manifest.name}/(.+)$`), replacement: path.join(directory, 'src/$1.ts') },
    ])
  return [...others, ...sources]
}
