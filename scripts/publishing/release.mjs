#!/usr/bin/env node
// @ts-check
// npm run release: rehearses a whole release in a copy of the repository, against a registry on the loopback: versions,
// build, packing, publishing, installing into an empty folder, and running the installed program. Nothing leaves the
// machine, and nothing in this folder changes. npm run release -- --publish: packs the packages of this folder and
// publishes each version that npm's registry does not have yet, dependencies first.
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { root, workspacePackages } from '../../packages/config/workspace.mjs'
import { packForNpm, settingOf } from './pack.mjs'
import { startRegistry } from './registry.mjs'

const { values } = parseArgs({ options: { publish: { type: 'boolean', default: false } } })
const work = mkdtempSync(path.join(tmpdir(), 'skills-release-'))
try {
  if (values.publish) await publishHere()
  else await rehearse()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  rmSync(work, { recursive: true, force: true })
}

async function publishHere() {
  const { isPlaceholder, page } = settingOf(root)
  if (isPlaceholder)
    throw new Error(
      `package.json says that the project lives at ${page}, an address made for examples. Put its real one into "homepage" and "repository", and run this again.`,
    )
  const changed = await run('git', ['status', '--porcelain'], { cwd: root })
  if (changed !== '')
    throw new Error(`There are changes that are not committed:\n${changed}\nCommit them, and run this again.`)
  if (publishable(root).some(({ manifest }) => version(manifest) === '0.0.0'))
    throw new Error('Some packages have the version 0.0.0. Run "npm run version", commit, and run this again.')
  await run('npm', ['run', 'build'], { cwd: root })
  await publishAll(root, [], process.env)
}

async function rehearse() {
  const copy = path.join(work, 'repository')
  copyRepository(copy)
  say('versions')
  await run(process.execPath, ['scripts/publishing/version.mjs', '--root', copy], { cwd: copy })
  const registry = await startRegistry()
  try {
    say('build')
    await build(copy)
    say('pack and publish')
    const { env, flags } = await closedNpm(registry.url)
    const published = await publishAll(copy, flags, env)
    if (published.length === 0) throw new Error('Nothing was published.')
    await refusesFolders(copy, flags, env)
    say('install')
    const folder = await install(registry.url, env)
    await runInstalled(folder, published, env)
    say('a fix of a plugin reaches the program')
    await reachesProgram(copy)
  } finally {
    await registry.close()
  }
  console.log('As expected.')
}

/** @param {string} copy */
function copyRepository(copy) {
  const left = new Set(['node_modules', '.git', '.turbo'].map(name => path.join(root, name)))
  // Links between packages are relative, so in the copy they lead to its own packages.
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true, filter: source => !left.has(source) })
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'), 'junction')
}

/**
 * Builds the program, which alone has its version built in; the rest has been built already.
 * @param {string} copy
 */
async function build(copy) {
  await run('node', ['build.mjs'], { cwd: path.join(copy, 'packages/cli') })
}

/**
 * @param {string} base
 * @param {readonly string[]} flags of `npm publish`
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ name: string, version: string }[]>} the published versions
 */
async function publishAll(base, flags, env) {
  const destination = path.join(work, 'tarballs')
  mkdirSync(destination)
  const packages = inOrder(publishable(base))
  const tarballs = await packForNpm(base, packages, destination)
  const published = []
  for (const { manifest } of packages) {
    const spec = { name: manifest.name, version: version(manifest) }
    if (await isPublished(spec, flags, env)) continue
    await run('npm', ['publish', tarballs.get(spec.name) ?? '', '--access', 'public', ...flags], { cwd: work, env })
    console.log(`  ${spec.name}@${spec.version}`)
    published.push(spec)
  }
  return published
}

/**
 * @param {{ name: string, version: string }} spec
 * @param {readonly string[]} flags
 * @param {NodeJS.ProcessEnv} env
 */
async function isPublished(spec, flags, env) {
  const { status, stdout } = await ended('npm', ['view', `${spec.name}@${spec.version}`, 'version', ...flags], {
    cwd: work,
    env,
  })
  return status === 0 && stdout.trim() !== ''
}

/**
 * Checks that `npm publish` in a folder, and with it `changeset publish`, is refused: it would publish ranges that only
 * this repository understands.
 * @param {string} copy
 * @param {readonly string[]} flags
 * @param {NodeJS.ProcessEnv} env
 */
async function refusesFolders(copy, flags, env) {
  const { status, stderr } = await ended('npm', ['publish', '--access', 'public', ...flags], {
    cwd: path.join(copy, 'packages/core'),
    env,
  })
  if (status === 0 || !stderr.includes('npm run release'))
    throw new Error(`npm publish in a package's folder was not refused as it should be:\n${stderr}`)
}

/**
 * @param {string} url
 * @param {NodeJS.ProcessEnv} env
 */
async function install(url, env) {
  const folder = path.join(work, 'empty')
  mkdirSync(path.join(folder, '.claude/skills/hello'), { recursive: true })
  writeFileSync(
    path.join(folder, '.claude/skills/hello/SKILL.md'),
    '---\nname: hello\ndescription: Says hello.\n---\nSay hello.\n',
  )
  writeFileSync(path.join(folder, '.npmrc'), `@skills:registry=${url}\n`)
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  await run(
    'npm',
    [
      'install',
      '--no-audit',
      '--no-fund',
      '@skills/cli',
      '@skills/distributions',
      '@skills/core',
      '@skills/invocation',
    ],
    { cwd: folder, env },
  )
  return folder
}

/**
 * @param {string} folder
 * @param {readonly { name: string, version: string }[]} published
 * @param {NodeJS.ProcessEnv} env
 */
async function runInstalled(folder, published, env) {
  const home = path.join(work, 'home')
  mkdirSync(home, { recursive: true })
  const closed = {
    ...env,
    HOME: home,
    XDG_STATE_HOME: path.join(home, 'state'),
    XDG_CONFIG_HOME: path.join(home, 'config'),
  }
  const listed = await run('npx', ['--no-install', 'skills', 'list', '--json'], { cwd: folder, env: closed })
  if (!listed.includes('"hello"')) throw new Error(`The installed program does not list the skill:\n${listed}`)
  const { version: wanted } = published.find(({ name }) => name === '@skills/cli') ?? { version: 'none' }
  const told = await run('npx', ['--no-install', 'skills', '--version'], { cwd: folder, env: closed })
  if (!told.includes(wanted))
    throw new Error(`The installed program says it is ${told.trim()}, and ${wanted} was published.`)
  writeFileSync(
    path.join(folder, 'host.js'),
    `
import { createSkills } from '@skills/core'
import { standard } from '@skills/distributions'
const skills = createSkills(standard({ host: { cwd: process.cwd(), home: ${JSON.stringify(home)} }, onDiagnostic: ({ message }) => console.error(message) }))
console.log((await skills.catalog()).require('hello').command.description)
await skills.close()
`,
  )
  const said = await run(process.execPath, ['host.js'], { cwd: folder, env: closed })
  if (said.trim() !== 'Says hello.') throw new Error(`The host program printed:\n${said}`)
}

/** @param {string} copy */
async function reachesProgram(copy) {
  const before = versionOf(copy, 'packages/cli')
  writeFileSync(path.join(copy, '.changeset/a-fix.md'), '---\n"@skills/trust": patch\n---\n\nA fix.\n')
  await run(process.execPath, ['scripts/publishing/version.mjs', '--root', copy], { cwd: copy })
  if (versionOf(copy, 'packages/cli') === before)
    throw new Error(`A fix of a plugin left the program at ${before}, which has the plugin built in.`)
}

/**
 * Returns an npm configuration without the settings of this machine's user, except for the registry of other packages.
 * @param {string} url
 */
async function closedNpm(url) {
  const userconfig = path.join(work, 'npmrc')
  const others = (await run('npm', ['config', 'get', 'registry'], { cwd: work })).trim()
  writeFileSync(
    userconfig,
    `registry=${others}\n@skills:registry=${url}\n${url.slice('http:'.length)}:_authToken=rehearsal\n`,
  )
  const env = { ...process.env, npm_config_userconfig: userconfig, npm_config_update_notifier: 'false' }
  return { env, flags: ['--userconfig', userconfig] }
}

/** @param {string} base */
function publishable(base) {
  return workspacePackages(base).filter(
    ({ folder, manifest }) => /^(packages|plugins)\//.test(folder) && !manifest.private,
  )
}

/** @param {string} base @param {string} folder */
function versionOf(base, folder) {
  return version(JSON.parse(readFileSync(path.join(base, folder, 'package.json'), 'utf8')))
}

/** @param {any} manifest @returns {string} */
function version(manifest) {
  return manifest.version
}

/**
 * @template {{ readonly manifest: any }} P
 * @param {readonly P[]} packages
 * @returns {P[]} the packages, each after those that it needs
 */
function inOrder(packages) {
  /** @type {P[]} */
  const done = []
  /** @param {P} one */
  const add = one => {
    if (done.includes(one)) return
    const { dependencies, peerDependencies } = one.manifest
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      const needed = packages.find(({ manifest }) => manifest.name === name)
      if (needed !== undefined && needed !== one && !adding.has(needed)) {
        adding.add(needed)
        add(needed)
      }
    }
    done.push(one)
  }
  /** @type {Set<P>} */
  const adding = new Set()
  for (const one of packages) add(one)
  return done
}

/** @param {string} text */
function say(text) {
  console.log(`${text}…`)
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<string>} standard output
 */
async function run(program, args, options) {
  const { status, stdout, stderr } = await ended(program, args, options)
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed (${status})\n${stdout}${stderr}`)
  return stdout
}

/**
 * Runs a program, not synchronously: the registry that npm asks runs in this process.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ status: number | null, stdout: string, stderr: string }>}
 */
function ended(program, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      shell: process.platform === 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
      ...options,
    })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', text => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', text => {
      stderr += text
    })
    child.on('error', reject)
    child.on('close', status => resolve({ status, stdout, stderr }))
  })
}
