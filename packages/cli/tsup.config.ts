import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { licenses } from '@skills/config/tsup'
import { distributionNames } from '@skills/distributions/distribution-named'
import { defineConfig, type Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

const own: { readonly version: string } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))

/** Libraries that a list of sound skills never needs, and the package that knows where each is installed. */
const libraries = {
  'js-yaml': 'skill-md',
  minisearch: 'invocation',
  tinyglobby: 'files',
  cacache: 'install',
  pacote: 'install',
}

/**
 * All of the frontmatter package; of what a list needs, everything but its full parser is in the shortest path's file.
 */
const skillMd = fileURLToPath(new URL('../skill-md/dist/index.js', import.meta.url))

/** What the distribution loads when something of its kind is first asked for. */
const onUse = {
  'source-plugin': 'plugins',
  trust: 'plugins',
  'expander-text': 'plugins',
  'expander-shell': 'plugins',
  'expander-files': 'plugins',
  'executor-inline': 'plugins',
  'executor-fork': 'plugins',
  'hooks-command': 'plugins',
  'formatter-budget': 'plugins',
  activation: 'plugins',
  'source-bundled': 'plugins',
  state: 'packages',
}

/** What the distribution loads for hosts that ask for it, as this program never does: it is left out altogether. */
const never = ['source-mcp']

/** What this program switches off in the standard distribution: in its place stands nothing. */
const absent = ['source-builtin']

/** The distributions besides the standard one, of which a command reads the one that is named. */
const others = distributionNames.filter(name => name !== 'standard')

/** Parts of the distribution that few commands need, under names of their own. */
const distribution = { permissions: 'permissions', trust: 'folders' }

/** Built parts of our packages that they import on use themselves. */
const parts = {
  plain: '../skill-md/dist',
  explain: '../core/dist',
  'read-policy': '../../plugins/source-managed/dist',
  'bash-quoting': '../invocation/dist',
  'bash-values': '../invocation/dist',
  'script-files': '../invocation/dist',
  'shell-grammar': '../invocation/dist',
  schema: '../invocation/dist',
  'search-schema': '../invocation/dist',
  'npm-agent': '../install/dist',
  'bundled-skills': '../distributions/dist',
  'skill-needs': '../distributions/dist',
  'skill-settings': '../distributions/dist',
  'extract-folder': '../../plugins/source-bundled/dist',
  'extract-skill': '../../plugins/source-bundled/dist',
  'entry-schema': '../runs/dist',
  'explain-absence': '../files/dist',
  'watch-catalog': '../files/dist',
  'watch-session': '../files/dist',
}

const lazyFiles = Object.fromEntries([
  ...Object.entries(libraries).map(([library, owner]) => [
    library,
    createRequire(new URL(`../${owner}/package.json`, import.meta.url)).resolve(library),
  ]),
  ...Object.entries(parts).map(([part, folder]) => [part, `${folder}/${builtFile(folder, part)}`]),
  ...Object.entries(onUse).map(([name, parent]) => [name, builtPath(`../../${parent}/${name}/dist/index.js`)]),
  ...others.map(name => [name, builtPath(`../distributions/dist/agents/${name}/index.js`)]),
  ...Object.entries(distribution).map(([part, name]) => [name, builtPath(`../distributions/dist/${part}.js`)]),
])

function builtPath(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}

/** A part's file has a hash in its name. */
function builtFile(folder: string, part: string): string {
  const file = readdirSync(new URL(folder, import.meta.url)).find(name =>
    new RegExp(`^${part}-[A-Z\\d]+\\.js$`).test(name),
  )
  if (file === undefined)
    throw new Error(`There is no ${part} in ${folder}: build that package first, or it no longer has this part.`)
  return file
}

/** The frontmatter package with what only unsound files need left in a file of its own. */
function parserless(path: string): string {
  return `
    export * from ${JSON.stringify(path)}
    // Once: each import copies what the file exports.
    let parser
    const load = async () => (parser ??= await import('./parser.js'))
    // What is named here comes before what the star brings along.
    export const parseHead = async (...all) => (parser ?? (await load())).parseHead(...all)
    export const parseYaml = async (...all) => (parser ?? (await load())).parseYaml(...all)
    export const locateKey = (...all) => require('./parser.js').locateKey(...all)
    export const placeOfProblem = (...all) => require('./parser.js').placeOfProblem(...all)
    export const describeProblem = (...all) => require('./parser.js').describeProblem(...all)
  `
}

/** Leaves imports of what is built into a file of its own as they are: it is read when it is needed. */
const besides: Plugin = {
  name: 'besides',
  setup(build) {
    const lazily = (name: string | undefined) => ({ path: `./${name ?? ''}.cjs`, external: true })
    build.onResolve({ filter: /^(js-yaml|minisearch|tinyglobby|cacache|pacote)$/ }, ({ path }) => lazily(path))
    build.onResolve({ filter: /\/[a-z-]+-[A-Z\d]+\.js$/ }, ({ kind, path }) => {
      const part = /\/([a-z-]+)-[A-Z\d]+\.js$/.exec(path)?.[1]
      return kind === 'entry-point' || part === undefined || !Object.hasOwn(parts, part) ? undefined : lazily(part)
    })
    build.onResolve({ filter: /^@skills\/[a-z-]+$/ }, ({ kind, path }) => {
      const name = path.slice('@skills/'.length)
      return kind === 'dynamic-import' && (Object.hasOwn(onUse, name) || never.includes(name))
        ? lazily(name)
        : undefined
    })
    build.onResolve({ filter: new RegExp(`^@skills/(${absent.join('|')})$`) }, ({ path }) => ({
      path,
      namespace: 'absent',
    }))
    // No one of them can have what it exports: there is nothing there to be called.
    build.onLoad({ filter: /./, namespace: 'absent' }, () => ({ contents: 'module.exports = {}', loader: 'js' }))
    build.onResolve({ filter: /\/agents\/[\w-]+\/index\.js$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? lazily(/([\w-]+)\/index\.js$/.exec(path)?.[1]) : undefined,
    )
    build.onResolve({ filter: /(^@skills\/distributions|^\.)\/(permissions|trust)(\.js)?$/ }, ({ kind, path }) => {
      const part = Object.entries(distribution).find(([name]) => path.includes(`/${name}`))
      return kind === 'dynamic-import' ? lazily(part?.[1]) : undefined
    })
    build.onResolve({ filter: /^@skills\/skill-md$/ }, () => ({ path: skillMd, namespace: 'parserless' }))
    build.onLoad({ filter: /./, namespace: 'parserless' }, ({ path }) => ({
      contents: parserless(path),
      resolveDir: dirname(path),
    }))
    // Who has a queue installs what it is made of.
    build.onResolve({ filter: /^(bullmq|ioredis|pg)$/ }, ({ path }) => ({ path, external: true }))
    build.onResolve({ filter: /\/import-module\.js$/ }, () => ({ path: './import-module.mjs', external: true }))
    build.onResolve(
      {
        filter:
          /\/(changed-skills|compat|configured|eval|eval-model|failure-text|installing|main|mcp|named-folders|other-distribution|own-distribution|parser|print|prompts|rest|runs|ui|unreadable-rules|worker)\.js$/,
      },
      ({ path }) => lazily(/([\w-]+)\.js$/.exec(path)?.[1]),
    )
  },
}

/**
 * CommonJS with everything in it: an ES module costs seven milliseconds of start-up before it does anything, each file
 * that has to be found costs more, and so does every line that is read and not run. So there is one file for the
 * shortest path, one for what it prints otherwise, one for the other commands, one for questions, and one for each
 * library that is seldom needed.
 */
export default defineConfig({
  entry: {
    skills: 'src/bin.ts',
    main: 'src/main.ts',
    mcp: 'src/commands/mcp.ts',
    'changed-skills': 'src/changed-skills.ts',
    compat: 'src/commands/compat.ts',
    configured: 'src/configured.ts',
    eval: 'src/commands/eval.ts',
    'eval-model': 'src/commands/eval-model.ts',
    'failure-text': 'src/failure-text.ts',
    installing: 'src/installing.ts',
    'named-folders': 'src/named-folders.ts',
    'other-distribution': 'src/other-distribution.ts',
    'own-distribution': 'src/own-distribution.ts',
    print: 'src/print.ts',
    'reading-worker': builtPath('../ui/dist/reading-worker.js'),
    prompts: 'src/prompts.ts',
    rest: 'src/rest.ts',
    runs: 'src/commands/runs.ts',
    ui: 'src/commands/ui.ts',
    'unreadable-rules': 'src/unreadable-rules.ts',
    worker: 'src/commands/worker.ts',
    parser: skillMd,
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
  define: { SKILLS_CLI_VERSION: JSON.stringify(own.version) },
  esbuildPlugins: [besides, licenses('dist/licenses.txt')],
  inject: ['src/performance.ts'],
  // An address is loaded by import() alone, which is compiled to require() everywhere else.
  onSuccess: async () => {
    writeFileSync('dist/import-module.mjs', 'export const importModule = url => import(url)\n')
    // What `skills ui` serves, and what its report holds.
    for (const name of ['page', 'report']) cpSync(`../ui/dist/${name}`, `dist/${name}`, { recursive: true })
  },
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
