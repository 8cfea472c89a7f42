// @ts-check
import { execFile } from 'node:child_process'
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const compiler = fileURLToPath(new URL('../../node_modules/typescript-7/bin/tsc', import.meta.url))

/**
 * Writes the types of a package into its `dist`: of the files that `exports` of its `package.json` names, and of what
 * these need: `dist/NAME.d.ts` for `src/NAME.ts`.
 * @param {string} directory folder of the package, absolute
 * @throws {Error} with what the compiler says, if the sources have a type error
 */
export async function buildTypes(directory) {
  const dist = path.join(directory, 'dist')
  const { exports = {} } = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8'))
  const entries = typesIn(exports)
  // A program has no types, because nothing imports it.
  if (entries.length === 0) return
  const project = path.join(dist, 'tsconfig.json')
  const sources = entries.map(file => path.join('../src', file.replace(/\.d\.ts$/, '.ts')))
  writeFileSync(
    project,
    JSON.stringify({
      extends: '../tsconfig.json',
      compilerOptions: { emitDeclarationOnly: true, rootDir: '../src', outDir: '.' },
      include: [...sources, '../src/**/*.d.ts'],
    }),
  )
  try {
    await promisify(execFile)(process.execPath, [compiler, '-p', project], { cwd: directory })
  } catch (error) {
    const { stdout = '', message } = /** @type {Error & { stdout?: string }} */ (error)
    throw new Error(stdout || message, { cause: error })
  } finally {
    rmSync(project)
  }
  removeUnneeded(dist, entries)
}

/**
 * Removes the types that no user can reach: they may need packages which only the built code contains.
 * @param {string} dist
 * @param {readonly string[]} entries paths from `dist`
 */
function removeUnneeded(dist, entries) {
  const needed = new Set(entries)
  for (const file of needed) {
    const text = readFileSync(path.join(dist, file), 'utf8')
    for (const [, name = ''] of text.matchAll(/['"](\.{1,2}\/[^'"\n]*)\.js['"]/g))
      needed.add(`${path.join(path.dirname(file), name)}.d.ts`)
  }
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.d.ts') && !needed.has(file)) rmSync(path.join(dist, file))
}

/**
 * Returns the types that `exports` names, as paths from `dist`.
 * @param {unknown} exported
 * @returns {string[]}
 */
function typesIn(exported) {
  if (typeof exported !== 'string') return Object.values(exported ?? {}).flatMap(typesIn)
  return exported.endsWith('.d.ts') ? [path.relative('dist', exported)] : []
}
