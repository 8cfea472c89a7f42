// node bench/measure/opened-files.mjs [CHECKOUT]: counts the source files that a reader opens to follow one SKILL.md
// from the disk to the catalog, and `/name args` from the line to the outcome. These are the files of which a function
// ran, in this checkout or another one. Prints how many, and with `--list` which.
import { build } from 'esbuild'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { list: { type: 'boolean' } } })
const checkout = resolve(positionals[0] ?? join(import.meta.dirname, '../..'))
const temporary = mkdtempSync(join(tmpdir(), 'opened-files-'))

/** A bundle of all sources, in which a comment before each file names it. */
const outfile = join(temporary, 'engine.mjs')
await build({
  stdin: {
    contents: `export * from '@skills/core'; export { standard } from '@skills/distributions'
      export { Invoker } from '@skills/invocation'`,
    resolveDir: checkout,
  },
  outfile,
  bundle: true,
  platform: 'node',
  mainFields: ['module', 'main'],
  format: 'esm',
  absWorkingDir: checkout,
  tsconfig: join(checkout, 'tsconfig.json'),
  banner: { js: `import { createRequire as of } from 'node:module'; const require = of(import.meta.url)` },
})
const text = readFileSync(outfile, 'utf8')
const marks = [...text.matchAll(/^ *\/\/ ((?:packages|plugins|node_modules|.*\/node_modules)\/\S+)$/gm)]

/**
 * Counts how often each function runs, by its place.
 * @param {() => Promise<unknown>} walk
 * @returns {Promise<Map<string, number>>}
 */
async function runsOf(walk) {
  await session.post('Profiler.takePreciseCoverage')
  await walk()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const functions = result.filter(({ url }) => url === pathToFileURL(outfile).href).flatMap(each => each.functions)
  // A module that is imported on use is a function named by the module's path.
  const ran = functions.filter(({ functionName, ranges: [whole] }) => whole.count > 0 && !functionName.includes('/'))
  return new Map(ran.map(({ functionName, ranges: [whole] }) => [`${whole.startOffset} ${functionName}`, whole.count]))
}

/**
 * Returns the files whose functions ran more often than without the skill.
 * @param {Map<string, number>} runs
 * @param {Map<string, number>} others
 */
function filesOf(runs, others) {
  const more = [...runs].filter(([place, count]) => count > (others.get(place) ?? 0))
  const files = more.map(([place]) => marks.findLast(({ index }) => index <= parseInt(place, 10))?.[1] ?? '')
  return [...new Set(files)].filter(file => /^(packages|plugins)\//.test(file)).sort()
}

const folder = join(temporary, 'project/.claude/skills/one')
for (const made of [folder, join(temporary, 'empty/.claude/skills')]) mkdirSync(made, { recursive: true })
for (const cwd of ['project', 'empty']) mkdirSync(join(temporary, cwd, '.git'))
writeFileSync(join(folder, 'SKILL.md'), '---\nname: one\ndescription: Does one thing.\n---\nDo $ARGUMENTS.\n')
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
const { createSkills, standard, Invoker } = await import(pathToFileURL(outfile).href)
const engine = cwd => {
  const host = { cwd: join(temporary, cwd), home: join(temporary, 'home'), env: {} }
  return createSkills(standard({ host, managed: { dirs: [] }, builtin: false, bundled: false, onDiagnostic: () => {} }))
}
const [empty, skills] = [engine('empty'), engine('project')]
const without = await runsOf(() => empty.catalog())
const listing = await runsOf(() => skills.catalog())
const walks = {
  'SKILL.md to catalog': filesOf(listing, new Map()),
  'of them what runs for the file alone': filesOf(listing, without),
  '/name args': filesOf(await runsOf(() => new Invoker(skills).run('/one a b')), new Map()),
}
for (const [walk, files] of Object.entries(walks)) {
  console.log(`${walk}: ${files.length} files`)
  if (values.list) console.log(files.map(file => `  ${file}`).join('\n'))
}
await Promise.all([empty.close(), skills.close()])
rmSync(temporary, { recursive: true })
