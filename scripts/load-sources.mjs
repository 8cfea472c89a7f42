// @ts-check
import path from 'node:path'
import { build } from 'esbuild'

/**
 * Bundles code that imports modules of the repository from their sources, and returns its exports.
 * @param {string} base
 * @param {string} contents
 * @returns {Promise<Record<string, any>>}
 */
export async function loaded(base, contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: base, loader: 'ts' },
    absWorkingDir: base,
    tsconfig: path.join(base, 'tsconfig.json'),
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    // A CommonJS build with a loader of its own cannot be bundled.
    mainFields: ['module', 'main'],
    logLevel: 'silent',
    // A module that is imported dynamically adds nothing to a table.
    plugins: [
      {
        name: 'on-use',
        setup: ({ onResolve }) =>
          onResolve({ filter: /./ }, ({ kind, path: to }) =>
            kind === 'dynamic-import' ? { path: to, external: true } : undefined,
          ),
      },
    ],
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? []).toString('base64')}`)
}
