// @ts-check
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

// Runs the tests of the adapters for the AI SDK with its version 7, which needs Node 22 or newer, and those of a registry
// in a file with Node's own SQLite, on Node 22 and 24. `npm test` runs the same tests with version 6 and with a package.
//
//     npm ci --prefix .ci/runtimes && node .ci/runtimes/check-libraries.mjs

const here = path.dirname(fileURLToPath(import.meta.url))
const root = path.join(here, '../..')
const installed = (/** @type {string} */ file) => path.join(here, 'node_modules', file)

for (const node of ['node22', 'node24']) {
  console.log(`The adapters with the AI SDK 7, and the registry with node:sqlite, on ${node}`)
  try {
    execFileSync(
      installed(`${node}/bin/node`),
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--project',
        'tests',
        'plugins/ai-sdk',
        'plugins/runner-ai-sdk',
        'packages/registry/src/sqlite',
      ],
      {
        cwd: root,
        stdio: 'inherit',
        env: { ...process.env, SKILLS_TEST_AI: installed('ai7'), SKILLS_TEST_REPORT: '' },
      },
    )
  } catch {
    // The tests have printed what failed.
    process.exitCode = 1
  }
}
