// @ts-check
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { licenseTexts } from '@skills/config/tsup'
import { rolldown } from 'rolldown'

// CommonJS with everything in it: an ES module costs seven milliseconds of start-up before it does anything. Each file
// that has to be found costs too, and so does each line that is read and not run. So what a list runs is one file, what
// begins the program another one, and each `import()` of the sources begins a file that is read when it is called.

const own = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
const at = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))
const folder = at('dist')

/** @param {string} unit half a character, or a whole one */
const escaped = unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** @param {import('rolldown').InputOptions['input']} input */
const program = input => ({
  input,
  cwd: at('.'),
  // Files share what several of them need.
  preserveEntrySignatures: /** @type {const} */ ('allow-extension'),
  platform: /** @type {const} */ ('node'),
  tsconfig: at('../../tsconfig.json'),
  // What is CommonJS by a loader of its own cannot be joined.
  resolve: { mainFields: ['module', 'main'] },
  // Who has a queue installs what it is made of.
  external: ['bullmq', 'ioredis', 'pg'],
  transform: {
    target: 'node20.19',
    define: { SKILLS_CLI_VERSION: JSON.stringify(own.version) },
    inject: { performance: /** @type {[string, string]} */ ([at('src/performance.ts'), 'performance']) },
  },
  // Of our packages only the files of which something is used are taken in, as their manifests say of what is built.
  treeshake: {
    moduleSideEffects: (/** @type {string} */ id) =>
      !/\/(?:packages|plugins)\/[^/]+\/src\//.test(id) || /\/src\/(?:bin|main)\.ts$|\/reading\/worker\.ts$/.test(id),
  },
  // An address is loaded by import() alone, and all else by require().
  plugins: [
    {
      name: 'modules',
      resolveId: (/** @type {string} */ id, /** @type {string | undefined} */ from) =>
        id.endsWith('/import-module.js')
          ? { id: './import-module.mjs', external: true }
          : id === './main.js' && from?.endsWith('/bin.ts') === true
            ? { id: './main.cjs', external: true }
            : undefined,
      // Text of one byte a character is read faster.
      generateBundle(_options, files) {
        const runtime = files['rolldown-runtime.cjs']
        for (const file of Object.values(files)) {
          if (file.type !== 'chunk') continue
          file.code = file.code.replace(/[^\0-\x7f]/g, escaped)
          // A list would read this file for the one function of it that names what main.cjs exports.
          if (file.name === 'main' && runtime?.type === 'chunk')
            file.code = file.code.replace(
              'require("./rolldown-runtime.cjs")',
              () => `(()=>{const exports={};${runtime.code.trim()}return exports})()`,
            )
        }
      },
    },
  ],
})

/** @type {import('rolldown').OutputOptions} */
const output = {
  dir: folder,
  format: 'cjs',
  dynamicImportInCjs: false,
  entryFileNames: '[name].cjs',
  // Some source is called as the program is, and many `index.ts`; a command is called as its folder is.
  chunkFileNames: ({ name, facadeModuleId }) => {
    const parts = facadeModuleId?.split('/') ?? []
    if (parts.at(-3) === 'commands' && parts.at(-1) === 'run.ts') return `command-${parts.at(-2) ?? ''}.cjs`
    const source = parts.at(-1) === 'index.ts' ? parts.at(parts.at(-2) === 'src' ? -3 : -2) : undefined
    return `${source ?? (name === 'skills' ? 'skills-[hash]' : name)}.cjs`
  },
  banner: chunk => (chunk.name === 'skills' ? '#!/usr/bin/env node' : ''),
  minify: true,
  comments: false,
}

const rest = program({ main: 'src/main.ts', 'reading-worker': '../ui/src/reading/worker.ts' })

/** Kinds of commands that need a source before it is read with the first of them, for whichever. */
const fewKinds = 4

/**
 * Groups sources into files: those that a list runs, those it prints with, the help of all commands, and those that many
 * commands run before any further `import()`, what reading some skills takes apart from them. All else is a file for each
 * `import()`, so that of the commands the one is read that is asked for, and files that a few of them share.
 */
async function groupsOf() {
  const { output: files } = await (await rolldown(rest)).generate(output)
  const chunks = new Map(files.flatMap(one => (one.type === 'chunk' ? [[one.fileName, one]] : [])))
  /** @param {readonly string[]} names of files, with all that these begin by reading */
  const needed = names => {
    const all = new Set(names)
    for (const name of all) for (const further of chunks.get(name)?.imports ?? []) all.add(further)
    return [...all].flatMap(name => chunks.get(name) ?? [])
  }
  /** @type {Map<string, Set<string>>} */
  const users = new Map()
  for (const { fileName, facadeModuleId } of chunks.values()) {
    const [, name] = /\/src\/commands\/([\w-]+)\/run\.ts$/.exec(facadeModuleId ?? '') ?? []
    if (name === undefined) continue
    for (const one of needed([fileName]))
      users.set(one.fileName, (users.get(one.fileName) ?? new Set()).add(kindOf(name)))
  }
  const many = [...users].flatMap(([name, kinds]) => (kinds.size >= fewKinds ? [name] : []))
  const first = needed(['main.cjs'])
  const later = needed(
    first
      .flatMap(({ dynamicImports }) => dynamicImports)
      .filter(name => /\/packages\/(?:core|skill-md|store|files)\//.test(chunks.get(name)?.facadeModuleId ?? '')),
  )
  const defining = [...chunks.keys()].filter(name => chunks.get(name)?.facadeModuleId?.endsWith('/command.ts'))
  const shared = needed(['rest.cjs', ...many])
  const inGroup = {
    main: first,
    print: needed(['print.cjs']),
    // Some skills take it with a list too.
    parser: shared.filter(one => later.includes(one)),
    rest: shared,
    definitions: needed(defining),
  }
  return Object.entries(inGroup).map(([name, parts], index) => {
    const ids = new Set(parts.flatMap(({ moduleIds }) => moduleIds))
    return { name, priority: 5 - index, test: (/** @type {string} */ id) => ids.has(id) }
  })
}

/** Those that install share most of what they are, as those do whose first word is the same. @param {string} name */
function kindOf(name) {
  const file = at(`src/commands/${name}/command.ts`)
  const isInstalling = existsSync(file) && readFileSync(file, 'utf8').includes("group: 'install'")
  return isInstalling ? 'install' : (name.split('-')[0] ?? name)
}

const groups = await groupsOf()
rmSync(folder, { recursive: true, force: true })
const built = [
  // By itself: nothing of the program is read before what was compiled of it is looked for.
  await (await rolldown(program({ skills: 'src/bin.ts' }))).write(output),
  await (await rolldown(rest)).write({ ...output, codeSplitting: { groups, includeDependenciesRecursively: false } }),
]
chmodSync(`${folder}/skills.cjs`, 0o755)
writeFileSync(`${folder}/import-module.mjs`, 'export const importModule = url => import(url)\n')
writeFileSync(
  `${folder}/licenses.txt`,
  licenseTexts(built.flatMap(({ output: files }) => files.flatMap(one => (one.type === 'chunk' ? one.moduleIds : [])))),
)
// What `skills ui` serves, and what its report holds.
for (const name of ['page', 'report']) cpSync(at(`../ui/dist/${name}`), `${folder}/${name}`, { recursive: true })
