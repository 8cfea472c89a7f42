import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildTypes } from './build-types.mjs'

/**
 * Returns the build options that every published library of the workspace shares: ESM and types. What npm can install
 * is not bundled, except libraries of which only a small part is used and which load slowly, and our unpublished
 * packages.
 * @param {Partial<import('tsup').Options> & { readonly builtIn?: readonly string[] }} [options] differences of one
 * package, and the libraries that are built into it, together with their licenses
 * @returns {import('tsup').Options}
 */
export function library({ builtIn = [], esbuildPlugins = [], ...options } = {}) {
  return {
    entry: ['src/index.ts'],
    format: 'esm',
    target: 'node20.19',
    platform: 'node',
    onSuccess: () => buildTypes(process.cwd()),
    clean: true,
    treeshake: true,
    noExternal: [...builtIn],
    esbuildPlugins: [...esbuildPlugins, ...(builtIn.length === 0 ? [] : [licenses('dist/licenses.txt')])],
    ...options,
  }
}

/**
 * Writes the licenses of all bundled packages into a file beside the bundle, as most of them require.
 * @param {string} file path of the file, within the package
 * @returns {NonNullable<import('tsup').Options['esbuildPlugins']>[number]}
 */
export function licenses(file) {
  return {
    name: 'licenses',
    setup(build) {
      build.initialOptions.metafile = true
      build.onEnd(({ metafile }) => {
        const text = licenseTexts(Object.keys(metafile?.inputs ?? {}))
        if (text === '') return
        mkdirSync(join(file, '..'), { recursive: true })
        writeFileSync(file, text)
      })
    },
  }
}

/**
 * Returns the licenses of all packages of which code was bundled. Empty if there are none.
 * @param {readonly string[]} inputs paths of bundled files
 */
export function licenseTexts(inputs) {
  const folders = new Set(inputs.flatMap(input => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0] ?? []))
  const texts = [...folders].map(licenseOf).sort()
  return texts.length === 0 ? '' : `The files beside this one contain code of these packages.\n\n${texts.join('\n')}`
}

/** @param {string} folder folder of a package */
function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find(entry => /^licen[cs]e(\.|$)/i.test(entry))
  const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  return `## ${name} ${version} (${license})\n${text}`
}
