import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const host = `import { createSkills } from './packages/core/dist/index.js'
import { standard } from './packages/distributions/dist/index.js'
createSkills(standard({ onDiagnostic: console.error }))`

test('a host is bundled where the optional peers of its plugins are not installed', async () => {
  const { errors } = await build({
    stdin: { contents: host, resolveDir: root },
    bundle: true,
    platform: 'node',
    format: 'esm',
    minify: true,
    write: false,
    logLevel: 'silent',
    // As on a machine without it.
    alias: { '@modelcontextprotocol/client': './not-installed' },
  })
  expect(errors).toEqual([])
})
