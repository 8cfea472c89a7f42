#!/usr/bin/env node
// @ts-check
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { programs } from './programs.mjs'
import { trees } from '../../packages/distributions/test/recorded/trees.mjs'

// Shows an agent's program our trees of skills, and says what it makes of them that differs from what was recorded of
// it before. The program runs in a home of its own, with no variables of ours and without a network.
//
//     npm run record -- codex --from FOLDER             compare; FOLDER has its node_modules
//     npm run record -- codex --from FOLDER --write     record it

/** @typedef {import('./programs.mjs').Found} Found */
/** @typedef {Readonly<Record<string, readonly Found[] | { readonly failed: string }>>} Cases by the id of a tree */

const limitMs = 60_000
const recorded = fileURLToPath(new URL('../../packages/distributions/test/recorded/', import.meta.url))

/**
 * @param {import('./programs.mjs').Program} program @param {string} bin @param
 * {import('../../packages/distributions/test/recorded/trees.mjs').Tree} tree
 */
async function show(program, bin, { cwd = 'project', files }) {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'skills-record-')))
  try {
    const [work, home, git] = [path.join(folder, cwd), path.join(folder, 'home'), path.join(folder, 'project/.git')]
    // What git takes for a repository: these and a HEAD.
    for (const made of [work, home, `${git}/objects`, `${git}/refs`]) mkdirSync(made, { recursive: true })
    writeFileSync(`${git}/HEAD`, 'ref: refs/heads/main\n')
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(folder, name.replace('@', program.folder))
      mkdirSync(path.dirname(file), { recursive: true })
      if (typeof content === 'string') writeFileSync(file, content)
      else symlinkSync(content.link, file)
    }
    program.prepare?.(home)
    const found = await program.list({ cwd: work, home, bin, signal: AbortSignal.timeout(limitMs) })
    const short = found.map(({ name, description, path: file }) => ({
      name,
      ...(description !== undefined && { description }),
      ...(file !== undefined && { path: path.relative(folder, file).replaceAll('\\', '/') }),
    }))
    return short.toSorted((a, b) => (`${a.path} ${a.name}` < `${b.path} ${b.name}` ? -1 : 1))
  } catch (error) {
    return { failed: (error instanceof Error ? error.message : String(error)).replaceAll(folder, '') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { from: { type: 'string' }, write: { type: 'boolean', default: false } },
  })
  const [id = ''] = positionals
  const program = Object.hasOwn(programs, id) ? programs[id] : undefined
  if (program === undefined || values.from === undefined) {
    console.error(`npm run record -- PROGRAM --from FOLDER [--write]
PROGRAM is ${Object.keys(programs).join(', ')}. FOLDER has its node_modules: npm install ${program?.packageName ?? 'PACKAGE'} there first.`)
    return 2
  }
  const modules = path.resolve(values.from, 'node_modules')
  const bin = program.bin.map(name => path.join(modules, name)).find(name => existsSync(name))
  if (bin === undefined) {
    console.error(`${program.packageName} is not in ${modules}. Install it there: npm install ${program.packageName}`)
    return 2
  }
  if (spawnSync('unshare', ['--net', ...(process.getuid?.() === 0 ? [] : ['--map-root-user']), 'true']).status !== 0) {
    console.error(
      'unshare --net does not work here: without it the program could reach the network, so it was not started.',
    )
    return 2
  }
  const { version } = JSON.parse(readFileSync(path.join(modules, program.packageName, 'package.json'), 'utf8'))
  const file = path.join(recorded, `${id}.json`)
  /** @type {{ version: string, on: string, cases: Cases }} */
  const before = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { version: 'nothing', on: 'never', cases: {} }
  /** @type {Record<string, readonly Found[] | { readonly failed: string }>} */
  const cases = {}
  let changed = 0
  for (const tree of trees) {
    const now = await show(program, bin, tree)
    cases[tree.id] = now
    const was = before.cases[tree.id]
    if (isDeepStrictEqual(was, now)) continue
    changed++
    console.log(`${tree.id}\n  ${before.version}: ${JSON.stringify(was ?? null)}\n  ${version}: ${JSON.stringify(now)}`)
  }
  console.log(
    `${id} ${version}, against ${before.version} of ${before.on}: ${trees.length} trees, ${changed} rows changed.`,
  )
  if (!values.write) return changed === 0 ? 0 : 1
  mkdirSync(recorded, { recursive: true })
  const on = new Date().toISOString().slice(0, 10)
  writeFileSync(file, `${JSON.stringify({ program: id, version, on, folder: program.folder, cases }, undefined, 1)}\n`)
  return 0
}

process.exitCode = await main()
