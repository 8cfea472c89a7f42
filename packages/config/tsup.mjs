import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The build every published library of the workspace shares: ESM, types, nothing bundled that npm can install, but for
 * libraries of which so little is used that loading all of them would take many times as long, and packages of ours
 * that are not published.
 * @param {Partial<import('tsup').Options> & { readonly builtIn?: readonly string[] }} [options] what one package does
 *   differently, and the libraries that are built into it: their licenses come along
 * @returns {import('tsup').Options}
 */
export function library({ builtIn = [], esbuildPlugins = [], ...options } = {}) {
  return {
    entry: ['src/index.ts'],
    format: 'esm',
    target: 'node20.19',
    platform: 'node',
    // Types of a package that is not published would lead nowhere.
    dts: { resolve: builtIn.filter(name => name.startsWith('@skills/')) },
    clean: true,
    treeshake: true,
    noExternal: [...builtIn],
    esbuildPlugins: [...esbuildPlugins, ...(builtIn.length === 0 ? [] : [licenses('dist/licenses.txt')])],
    ...options,
  }
}

/**
 * Writes the licenses of everything that was bundled into a file beside it: most of them ask for that.
 * @param {string} file where to, within the package
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
 * The licenses of all packages that something was bundled of; empty where there are none.
 * @param {readonly string[]} inputs paths of files
 */
export function licenseTexts(inputs) {
  const folders = new Set(inputs.flatMap(input => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0] ?? []))
  const texts = [...folders].map(licenseOf).sort()
  return texts.length === 0 ? '' : `The files beside this one contain code of these packages.\n\n${texts.join('\n')}`
}

/** @param {string} folder of a package */
function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find(entry => /^licen[cs]e(\.|$)/i.test(entry))
  const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  return `## ${name} ${version} (${license})\n${text}`
}
