#!/usr/bin/env node
// @ts-check
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { root, workspacePackages } from '../packages/config/workspace.mjs'
import { typeErrorsOf } from './packed-types.mjs'
import { packForNpm } from './publishing/pack.mjs'

/** Resolutions that are not checked: the packages are ESM only, as in attw's profile `esm-only`. */
const ignoredResolutions = new Set(['node10', 'node16-cjs'])

/** Optional peers that every user of a package has, by package: the runner is given a model of the AI SDK. */
const peersInTypes = new Map([['@skills/runner-ai-sdk', ['ai']]])

const publishable = workspacePackages().filter(({ manifest }) => !manifest.private)
const destination = mkdtempSync(path.join(tmpdir(), 'skills-packed-'))
let failures = 0
try {
  const tarballs = await packForNpm(root, publishable, destination)
  const packed = new Map([...tarballs].map(([name, tarball]) => [name, readFileSync(tarball)]))
  const typeErrors = typeErrorsOf(
    publishable.map(one => ({ ...one, files: typesIn(packed.get(one.manifest.name)) })),
    destination,
    peersInTypes,
  )
  for (const { folder, manifest } of publishable) {
    const tarball = packed.get(manifest.name)
    const problems = tarball
      ? [...(await problemsOf(tarball)), ...(typeErrors.get(manifest.name) ?? [])]
      : ['it was not packed']
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
    ...addressProblems(manifest),
    ...linkProblems(contents, files, prefix),
    ...(await publintProblems(data)),
    ...(manifest.exports || manifest.main ? await typeProblems(contents) : []),
  ]
}

/**
 * Returns the files of a package that a compiler reads: its declarations and its manifest.
 * @param {Buffer | undefined} tarball
 */
function typesIn(tarball) {
  if (tarball === undefined) return []
  const contents = createPackageFromTarballData(new Uint8Array(tarball))
  const prefix = `/node_modules/${contents.packageName}/`
  return contents
    .listFiles(prefix)
    .filter(file => /(\.d\.[cm]?ts|\/package\.json)$/.test(file))
    .map(file => ({ path: file.slice(prefix.length), text: contents.readFile(file) }))
}

/** @param {readonly string[]} files */
function fileProblems(files) {
  const problems = ['README.md', 'LICENSE'].filter(file => !files.includes(file)).map(file => `${file} is missing`)
  if (!files.some(file => file.startsWith('dist/'))) problems.push('dist is missing or empty: run npm run build')
  const unwanted = files.filter(file =>
    /(^|\/)(src|test|node_modules|\.turbo)\/|\.test(-d)?\.|\.tsbuildinfo$/.test(file),
  )
  if (unwanted.length > 0) problems.push(`these do not belong in it: ${unwanted.join(', ')}`)
  return problems
}

/**
 * Returns a problem for each range with a protocol (`workspace:`, `catalog:`), which means nothing outside the
 * repository. Development dependencies count too: registries show them and some tools install them.
 * @param {Record<string, Record<string, string> | undefined>} manifest
 */
function protocolProblems(manifest) {
  return ['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies'].flatMap(field =>
    Object.entries(manifest[field] ?? {})
      .filter(([, range]) => /^(workspace|catalog|link|file):/.test(range))
      .map(([name, range]) => `package.json: ${field}.${name} is still ${range}`),
  )
}

/** @param {Record<string, any>} manifest */
function addressProblems({ homepage, repository, bugs }) {
  const said = { homepage, repository: repository?.url, bugs: bugs?.url }
  return Object.entries(said)
    .filter(([, url]) => !/^(git\+)?https:\/\//.test(url ?? ''))
    .map(([field]) => `package.json: ${field} is no address`)
}

/**
 * Returns a problem for each link that leads outside of the tarball, which holds neither the repository's documents nor
 * its other packages.
 * @param {ReturnType<typeof createPackageFromTarballData>} contents
 * @param {readonly string[]} files
 * @param {string} prefix
 */
function linkProblems(contents, files, prefix) {
  return files
    .filter(file => /(\.md|\.d\.[cm]?ts)$/.test(file))
    .flatMap(file =>
      contents
        .readFile(`${prefix}${file}`)
        .split('\n')
        .flatMap((line, index) => {
          const link = file.endsWith('.md')
            ? /\]\((?!#|[a-z][a-z\d+.-]*:)[^)\s]+\)/i.exec(line)?.[0]
            : /(?<![\w/])docs\/[\w-]+\.md/.exec(line)?.[0]
          return link === undefined ? [] : [`${file}:${index + 1}: ${link} leads to nothing in it`]
        }),
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
      const where =
        'entrypoint' in problem ? `${problem.entrypoint} under ${problem.resolutionKind}` : location(problem)
      return `attw: ${problem.kind}: ${where}`
    })
}

/** @param {{ typesFileName: string } | { fileName: string }} problem */
function location(problem) {
  return 'typesFileName' in problem ? problem.typesFileName : problem.fileName
}
