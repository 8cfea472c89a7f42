#!/usr/bin/env node
// @ts-check
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { root, workspacePackages } from '../packages/config/workspace.mjs'
import { typeErrorsOf } from './packed-types.mjs'

/** The packages are ESM only, so how a CommonJS or an old resolver sees them is not their concern (attw's `esm-only`). */
const ignoredResolutions = new Set(['node10', 'node16-cjs'])

/** Optional peers that whoever uses a package has in any case: a runner of models is given one that this library made. */
const peersInTypes = new Map([['@skills/runner-ai-sdk', ['ai']]])

const publishable = workspacePackages().filter(({ manifest }) => !manifest.private)
const destination = mkdtempSync(path.join(tmpdir(), 'skills-packed-'))
let failures = 0
try {
  const tarballs = packAll(publishable.map(({ manifest }) => manifest.name))
  const packed = new Map([...tarballs].map(([name, tarball]) => [name, readFileSync(tarball)]))
  const typeErrors = typeErrorsOf(publishable.map(one => ({ ...one, files: typesIn(packed.get(one.manifest.name)) })), destination, peersInTypes)
  for (const { folder, manifest } of publishable) {
    const tarball = packed.get(manifest.name)
    const problems = tarball ? [...await problemsOf(tarball), ...typeErrors.get(manifest.name) ?? []] : ['it was not packed']
    if (problems.length > 0) failures++
    console.log(`${problems.length === 0 ? 'ok   ' : 'WRONG'} ${manifest.name} (${folder})`)
    for (const problem of problems) console.log(`        ${problem.replaceAll('\n', '\n        ')}`)
  }
} finally {
  rmSync(destination, { recursive: true, force: true })
}
if (publishable.length === 0) {
  console.log('There is no package to publish.')
  failures++
}
process.exitCode = failures > 0 ? 1 : 0

/**
 * One run of pnpm for all packages: starting it costs more than packing.
 * @param {readonly string[]} names
 * @returns {Map<string, string>} package name to its tarball's absolute path
 */
function packAll(names) {
  if (names.length === 0) return new Map()
  const pnpm = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).packageManager
  const filters = names.flatMap(name => ['--filter', name])
  const { status, stdout, stderr, error } = spawnSync(
    'npx',
    ['--yes', pnpm, ...filters, '-r', 'pack', '--json', '--pack-destination', destination],
    { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, shell: process.platform === 'win32' },
  )
  if (error || status !== 0) throw new Error(`pnpm pack failed${error ? `: ${error.message}` : ''}\n${stdout}${stderr}`)
  /** @type {{ name: string, filename: string }[]} */
  const packed = [JSON.parse(stdout)].flat()
  return new Map(packed.map(({ name, filename }) => [name, path.resolve(root, filename)]))
}

/**
 * @param {Buffer} tarball
 * @returns {Promise<string[]>}
 */
async function problemsOf(tarball) {
  const data = new Uint8Array(tarball)
  const contents = createPackageFromTarballData(data)
  const prefix = `/node_modules/${contents.packageName}/`
  const files = contents.listFiles(prefix).map(file => file.slice(prefix.length))
  const manifest = JSON.parse(contents.readFile(`${prefix}package.json`))
  return [
    ...fileProblems(files),
    ...protocolProblems(manifest),
    ...(await publintProblems(data)),
    ...(manifest.exports || manifest.main ? await typeProblems(contents) : []),
  ]
}

/**
 * What a compiler reads of a package.
 * @param {Buffer | undefined} tarball
 */
function typesIn(tarball) {
  if (tarball === undefined) return []
  const contents = createPackageFromTarballData(new Uint8Array(tarball))
  const prefix = `/node_modules/${contents.packageName}/`
  return contents.listFiles(prefix).filter(file => /(\.d\.[cm]?ts|\/package\.json)$/.test(file)).map(file => ({ path: file.slice(prefix.length), text: contents.readFile(file) }))
}

/** @param {readonly string[]} files */
function fileProblems(files) {
  const problems = ['README.md', 'LICENSE'].filter(file => !files.includes(file)).map(file => `${file} is missing`)
  if (!files.some(file => file.startsWith('dist/'))) problems.push('dist is missing or empty: run npm run build')
  const unwanted = files.filter(file => /(^|\/)(src|test|node_modules|\.turbo)\/|\.test(-d)?\.|\.tsbuildinfo$/.test(file))
  if (unwanted.length > 0) problems.push(`these do not belong in it: ${unwanted.join(', ')}`)
  return problems
}

/**
 * A `workspace:` or `catalog:` range means nothing outside the repository. Development dependencies count too: registries
 * show them and some tools install them.
 * @param {Record<string, Record<string, string> | undefined>} manifest
 */
function protocolProblems(manifest) {
  return ['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies'].flatMap(field =>
    Object.entries(manifest[field] ?? {})
      .filter(([, range]) => /^(workspace|catalog|link|file):/.test(range))
      .map(([name, range]) => `package.json: ${field}.${name} is still ${range}`),
  )
}

/** @param {Uint8Array} tarball */
async function publintProblems(tarball) {
  const buffer = /** @type {ArrayBuffer} */ (tarball.buffer)
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true })
  return messages.map(message => `publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`)
}

/** @param {ReturnType<typeof createPackageFromTarballData>} contents */
async function typeProblems(contents) {
  const result = await checkPackage(contents)
  if (!result.types) return ['attw: it has an entry point but no types']
  return result.problems
    .filter(problem => !('resolutionKind' in problem && ignoredResolutions.has(problem.resolutionKind)))
    .map(problem => {
      const where = 'entrypoint' in problem ? `${problem.entrypoint} under ${problem.resolutionKind}` : location(problem)
      return `attw: ${problem.kind}: ${where}`
    })
}

/** @param {{ typesFileName: string } | { fileName: string }} problem */
function location(problem) {
  return 'typesFileName' in problem ? problem.typesFileName : problem.fileName
}
