import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { defineConfig, type Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

const { version }: { version: string } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))

/** Libraries that a list of sound skills never needs, and the package that knows where each is installed. */
const libraries = { 'gray-matter': 'frontmatter', 'js-yaml': 'frontmatter', ignore: 'fs', tinyglobby: 'fs' }

/** Built parts of our packages that they import on use themselves. */
const parts = { 'sidecar-schema': '../skill-files/dist' }

const lazyFiles = Object.fromEntries([
  ...Object.entries(libraries).map(([library, owner]) =>
    [library, createRequire(new URL(`../${owner}/package.json`, import.meta.url)).resolve(library)]),
  ...Object.entries(parts).map(([part, folder]) => [part, `${folder}/${builtFile(folder, part)}`]),
])

/** A part's file has a hash in its name. */
function builtFile(folder: string, part: string): string {
  const file = readdirSync(new URL(folder, import.meta.url)).find(name => name.startsWith(`${part}-`) && name.endsWith('.js'))
  if (file === undefined) throw new Error(`There is no ${part} in ${folder}: build that package first, or it no longer has this part.`)
  return file
}

/**
 * Leaves imports of what is built into a file of its own as they are: it is read when it is needed. So gray-matter gets
 * the js-yaml of the engine in place of its own older one, which it never calls: each of its engines is replaced.
 */
const besides: Plugin = {
  name: 'besides',
  setup(build) {
    const lazily = (name: string | undefined) => ({ path: `./${name ?? ''}.cjs`, external: true })
    build.onResolve({ filter: /^(gray-matter|js-yaml|ignore|tinyglobby)$/ }, ({ path }) => lazily(path))
    build.onResolve({ filter: /\/sidecar-schema-\w+\.js$/ }, ({ kind }) => kind === 'entry-point' ? undefined : lazily('sidecar-schema'))
    build.onResolve({ filter: /\/rest\.js$/ }, () => lazily('rest'))
  },
}

/**
 * CommonJS with everything in it: an ES module costs seven milliseconds of start-up before it does anything, each file
 * that has to be found costs more, and so does every line that is read and not run. So there is one file for the shortest
 * path, one for the other commands, and one for each library that is seldom needed.
 */
export default defineConfig({
  entry: {
    skills: 'src/bin.ts',
    rest: 'src/rest.ts',
    ...lazyFiles,
  },
  format: 'cjs',
  outExtension: () => ({ js: '.cjs' }),
  target: 'node20.19',
  platform: 'node',
  noExternal: [/./],
  splitting: false,
  clean: true,
  treeshake: false,
  define: { SKILLS_CLI_VERSION: JSON.stringify(version) },
  esbuildPlugins: [besides],
  inject: ['src/performance.ts'],
  esbuildOptions: options => {
    options.banner = { js: '#!/usr/bin/env node' }
    options.minify = true
    // Text of one byte a character is read faster.
    options.charset = 'ascii'
    options.legalComments = 'none'
    // A native import() would start the loader of ES modules.
    options.supported = { 'dynamic-import': false }
  },
})
