#!/usr/bin/env node
// @ts-check
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { root, workspacePackages } from '../packages/config/workspace.mjs'
import { buildProgress, failuresIn, installProgress } from './setup-progress.mjs'

// Runs on a bare machine before anything is installed: needs only Node and the npm that comes with it.

/** @typedef {{ installed?: string, buildInputs?: string, buildOutputs?: string }} Stamp */

const stampFile = path.join(root, 'node_modules', '.setup.json')
const pnpm = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).packageManager

await installIfNeeded()
if (process.argv.includes('--build')) await buildIfNeeded()

async function installIfNeeded() {
  const wanted = installHash()
  if (readStamp().installed === wanted && installedFoldersExist()) return
  // Without a terminal pnpm refuses to replace a node_modules folder that it cannot reuse.
  const ok = await step(
    'Installing dependencies',
    [
      'install',
      '--frozen-lockfile',
      '--prefer-offline',
      '--config.confirmModulesPurge=false',
      '--reporter=append-only',
    ],
    installProgress(),
  )
  if (!ok) {
    fail(`If a package.json has changed since the lockfile was written, bring it up to date with: npx ${pnpm} install`)
  }
  writeStamp({ ...readStamp(), installed: wanted })
}

async function buildIfNeeded() {
  const inputs = filesHash(buildInputs())
  const before = readStamp()
  if (before.buildInputs === inputs && before.buildOutputs === filesHash(buildOutputs())) return
  const ok = await step(
    'Building packages',
    ['exec', 'turbo', 'run', 'build', '--concurrency=2', '--output-logs=full', '--log-order=stream', '--no-color'],
    buildProgress(workspacePackages().filter(({ manifest }) => manifest.scripts?.['build'] !== undefined).length),
  )
  if (!ok) fail()
  // The inputs as they were before the build: a file that changed meanwhile is built the next time.
  writeStamp({ ...readStamp(), buildInputs: inputs, buildOutputs: filesHash(buildOutputs()) })
}

function installHash() {
  const hash = createHash('sha256')
  const manifests = workspacePackages().map(({ folder }) => `${folder}/package.json`)
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', '.npmrc', 'package.json', ...manifests]) {
    const absolute = path.join(root, file)
    hash
      .update(`${file}\0`)
      .update(existsSync(absolute) ? readFileSync(absolute) : '')
      .update('\0')
  }
  return hash.digest('hex')
}

function installedFoldersExist() {
  return workspacePackages().every(({ directory, manifest }) => {
    const hasDependencies = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).length > 0
    return !hasDependencies || existsSync(path.join(directory, 'node_modules'))
  })
}

// The same files as the inputs of the build task in turbo.json.
function* buildInputs() {
  for (const file of ['package.json', 'pnpm-lock.yaml', 'tsconfig.json', 'turbo.json']) yield path.join(root, file)
  yield* filesUnder(path.join(root, 'packages', 'config'), { exceptFolders: true })
  for (const { directory } of workspacePackages()) {
    for (const file of ['package.json', 'tsconfig.json', 'tsup.config.ts', 'build.mjs', 'vite.config.ts'])
      yield path.join(directory, file)
    for (const folder of ['src', 'page']) yield* filesUnder(path.join(directory, folder))
  }
}

function* buildOutputs() {
  for (const { directory } of workspacePackages()) yield* filesUnder(path.join(directory, 'dist'))
}

/**
 * @param {string} directory
 * @param {{ exceptFolders?: boolean }} [options]
 * @returns {Generator<string>}
 */
function* filesUnder(directory, { exceptFolders = false } = {}) {
  if (!existsSync(directory)) return
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const absolute = path.join(directory, entry.name)
    if (entry.isDirectory()) {
      if (!exceptFolders) yield* filesUnder(absolute)
    } else if (!/\.test(-d)?\.ts$/.test(entry.name)) {
      yield absolute
    }
  }
}

/**
 * Hashes names, sizes and times of files. The change time is included because the modification time can be set back, as
 * tools that copy or unpack files do.
 * @param {Iterable<string>} files absolute
 */
function filesHash(files) {
  const hash = createHash('sha256')
  for (const file of [...files].toSorted()) {
    const found = statSync(file, { throwIfNoEntry: false })
    hash.update(`${file}\0${found?.mtimeMs}\0${found?.ctimeMs}\0${found?.size}\n`)
  }
  return hash.digest('hex')
}

/**
 * @param {string} title
 * @param {string[]} pnpmArguments
 * @param {import('./setup-progress.mjs').Progress} progress
 * @returns {Promise<boolean>} true if it succeeded; if not, its output about the failure has been printed
 */
function step(title, pnpmArguments, progress) {
  // A terminal has one line that is written again and again; a file or a pipe gets the title alone.
  const isTerminal = process.stdout.isTTY === true
  process.stdout.write(isTerminal ? `${title}…` : `${title}…\n`)
  // The cache's notices and usage reports are the tools' own; of a build only its failures are printed.
  const environment = {
    ...process.env,
    TURBO_TELEMETRY_DISABLED: '1',
    TURBO_NO_UPDATE_NOTIFIER: '1',
    NO_UPDATE_NOTIFIER: '1',
  }
  return new Promise(resolve => {
    const child = spawn('npx', ['--yes', pnpm, ...pnpmArguments], {
      cwd: root,
      env: environment,
      shell: process.platform === 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    /** @type {Buffer[]} */
    const output = []
    if (isTerminal) {
      let shown = ''
      createInterface({ input: child.stdout }).on('line', line => {
        const figure = progress(line)
        if (figure === undefined || figure === shown) return
        shown = figure
        process.stdout.write(`\r${title}… ${figure}\u001b[K`)
      })
    }
    child.stdout.on('data', chunk => output.push(chunk))
    child.stderr.on('data', chunk => output.push(chunk))
    child.on('error', error => {
      console.error(`${title} failed: npx could not be started: ${error.message}`)
      resolve(false)
    })
    child.on('close', code => {
      if (isTerminal) process.stdout.write('\n')
      if (code !== 0) {
        process.stderr.write(failuresIn(Buffer.concat(output).toString()))
        console.error(`${title} failed (npx ${pnpm} ${pnpmArguments.join(' ')}: exit code ${code}).`)
      }
      resolve(code === 0)
    })
  })
}

/** @param {string} [hint] */
function fail(hint) {
  if (hint) console.error(hint)
  process.exit(1)
}

/** @returns {Stamp} */
function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'))
  } catch {
    // Absent or cut short: everything is done anew.
    return {}
  }
}

/** @param {Stamp} stamp */
function writeStamp(stamp) {
  mkdirSync(path.dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, JSON.stringify(stamp))
}
