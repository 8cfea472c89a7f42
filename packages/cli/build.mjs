// @ts-check
import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { licenseTexts } from '@skills/config/tsup'
import { rolldown } from 'rolldown'
import { commandsOf } from '../../scripts/commands.mjs'

// The program is CommonJS without dependencies, because an ES module takes seven milliseconds before it runs. Each file
// that has to be found takes time too, and so does each line that is read but not run. So there is one file for a list,
// one that starts the program, and one for each `import()` of the sources, which is read on use.

const own = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
const at = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))
const folder = at('dist')

/** @param {string} unit half a character, or a whole one */
const escaped = unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** @param {import('rolldown').InputOptions['input']} input */
const program = input => ({
  input,
  cwd: at('.'),
  // Files may export more than their sources do, so that others can share it.
  preserveEntrySignatures: /** @type {const} */ ('allow-extension'),
  platform: /** @type {const} */ ('node'),
  tsconfig: at('../../tsconfig.json'),
  // CommonJS with a loader of its own cannot be bundled, so ES modules are preferred.
  resolve: { mainFields: ['module', 'main'] },
  // People who use a queue, or a registry on a Node without SQLite, install these packages themselves.
  external: ['@photostructure/sqlite', 'bullmq', 'ioredis', 'pg'],
  transform: {
    target: 'node20.19',
    define: { SKILLS_CLI_VERSION: JSON.stringify(own.version) },
    inject: { performance: /** @type {[string, string]} */ ([at('src/performance.ts'), 'performance']) },
  },
  // Source files of our packages have no side effects, as their manifests say of the built files. So only the files in
  // use are included.
  treeshake: {
    moduleSideEffects: (/** @type {string} */ id) =>
      !/\/(?:packages|plugins)\/[^/]+\/src\//.test(id) || /\/src\/(?:bin|main)\.ts$|\/reading\/worker\.ts$/.test(id),
  },
  // Only an ES module can import a URL, so `import-module.js` becomes one. All other files are loaded by require().
  plugins: [
    {
      name: 'modules',
      resolveId: (/** @type {string} */ id, /** @type {string | undefined} */ from) =>
        id.endsWith('/import-module.js')
          ? { id: './import-module.mjs', external: true }
          : id === './main.js' && from?.endsWith('/bin.ts') === true
            ? { id: './main.cjs', external: true }
            : undefined,
      // Node reads a file faster if each character is one byte.
      generateBundle(_options, files) {
        const runtime = files['rolldown-runtime.cjs']
        for (const file of Object.values(files)) {
          if (file.type !== 'chunk') continue
          file.code = file.code.replace(/[^\0-\x7f]/g, escaped)
          // main.cjs needs only one function of the runtime file, which names its exports. Its code is copied in, so
          // that a list does not read that file.
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
  // Some sources have the program's name, and many are called `index.ts`. These files are named after their package or
  // folder, and those of commands after the command.
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

/** Number of kinds of commands from which on a source is in a file that many of them share. */
const fewKinds = 4

/**
 * Files for the sources that many commands share, each with the sources that it serves, the quickest first. One file for
 * all would make an overview read code that it does not run, and build tables that it does not look at.
 */
const sharing = {
  // Help names the distributions.
  rest: [
    'packages/cli/src/rest.ts',
    'packages/cli/src/commands/overview/run.ts',
    'packages/cli/src/commands/help/run.ts',
  ],
  // What a search in a registry shares with the rest, which reads sources, checks and installs.
  searching: ['packages/cli/src/commands/registry/run.ts'],
  // The overview of many skills makes a listing.
  listings: [
    'packages/cli/src/commands/overview/untold-skills.ts',
    'plugins/formatter-budget/src/index.ts',
    'plugins/activation/src/index.ts',
    'plugins/source-bundled/src/index.ts',
  ],
  // An explanation also asks for a decision, which needs rules, state and the needs of the skill.
  asking: [
    'packages/cli/src/commands/explain/run.ts',
    'packages/distributions/src/permissions.ts',
    'plugins/permission-rules/src/judge.ts',
    'packages/distributions/src/files-state.ts',
    'packages/distributions/src/skill-settings.ts',
    'packages/distributions/src/skill-needs.ts',
  ],
  installing: ['packages/cli/src/commands/add/run.ts'],
}

/** Sources of these files that few commands need, which get files of their own. */
const onlyShared = new Set(['searching', 'installing'])

/**
 * Groups sources into files: those for a list, those for its special output, the help of all commands, and those that
 * many commands need before any further `import()`. Sources for reading skills are a file apart from these. Each other
 * `import()` has a file of its own, so that only the requested command is read, with files that a few commands share.
 */
async function groupsOf() {
  const { output: files } = await (await rolldown(rest)).generate(output)
  const chunks = new Map(files.flatMap(one => (one.type === 'chunk' ? [[one.fileName, one]] : [])))
  /** @param {readonly string[]} names file names; the result also has all files that these import statically */
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
    // A list reads this file too if it has skills that need a parser.
    parser: shared.filter(one => later.includes(one)),
    ...Object.fromEntries(
      Object.entries(sharing).map(([name, sources]) => {
        const all = needed(sources.map(source => fileOf(source, chunks)))
        return [name, all.filter(one => shared.includes(one) || (!onlyShared.has(name) && !isRun(one)))]
      }),
    ),
    checking: shared,
    definitions: needed(defining),
  }
  return Object.entries(inGroup).map(([name, parts], index) => {
    const ids = new Set(parts.flatMap(({ moduleIds }) => moduleIds))
    return { name, priority: 10 - index, test: (/** @type {string} */ id) => ids.has(id) }
  })
}

/** True for the file of a command, which no other command reads. @param {import('rolldown').OutputChunk} chunk */
function isRun({ facadeModuleId }) {
  return /\/src\/commands\/[\w-]+\/run\.ts$/.test(facadeModuleId ?? '')
}

/**
 * Returns the name of the file that begins with a source.
 * @param {string} source @param {ReadonlyMap<string, import('rolldown').OutputChunk>} chunks
 */
function fileOf(source, chunks) {
  const found = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${source}`) === true)
  if (found === undefined) throw new Error(`build.mjs names ${source}, which nothing imports by import().`)
  return found.fileName
}

/**
 * Returns the kind of a command, which shares most of its sources: `install` for all that install, otherwise the first
 * word of its name. @param {string} name
 */
function kindOf(name) {
  return installing.has(name) ? 'install' : (name.split('-')[0] ?? name)
}

const { commands } = await commandsOf()
const installing = new Set(commands.flatMap(one => (one.command['group'] === 'install' ? [one.folder] : [])))
const groups = await groupsOf()
rmSync(folder, { recursive: true, force: true })
const built = [
  // Built alone: the cache of compiled code is checked before any other file is read.
  await (await rolldown(program({ skills: 'src/bin.ts' }))).write(output),
  await (await rolldown(rest)).write({ ...output, codeSplitting: { groups, includeDependenciesRecursively: false } }),
]
chmodSync(`${folder}/skills.cjs`, 0o755)
writeFileSync(`${folder}/import-module.mjs`, 'export const importModule = url => import(url)\n')
writeFileSync(
  `${folder}/licenses.txt`,
  licenseTexts(built.flatMap(({ output: files }) => files.flatMap(one => (one.type === 'chunk' ? one.moduleIds : [])))),
)
// Files that `skills ui` serves, and those for its report.
for (const name of ['page', 'report']) cpSync(at(`../ui/dist/${name}`), `${folder}/${name}`, { recursive: true })
