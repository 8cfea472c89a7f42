// @ts-check
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { create, extract } from 'tar'
import { anchorOf } from '../../packages/config/anchors.mjs'

/**
 * @typedef {object} Setting the project's addresses, from the root's package.json
 * @property {string} repository the value of `repository.url`
 * @property {string} page of the project: absolute, without a slash at its end
 * @property {boolean} isPlaceholder true if the address is one that nothing can have: nothing may be published with it
 */

/**
 * @param {string} root of the repository
 * @returns {Setting}
 */
export function settingOf(root) {
  const {
    repository: { url },
    homepage,
  } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  // Domains that are reserved for examples (RFC 2606).
  return { repository: url, page: homepage, isPlaceholder: /\.(example|invalid)$/.test(new URL(homepage).hostname) }
}

/**
 * Packs packages for npm: ranges of this repository become versions, links become absolute, and the manifest gets the
 * project's addresses. The packages have to be built.
 * @param {string} root of the repository, absolute
 * @param {readonly { readonly folder: string, readonly manifest: { readonly name: string } }[]} packages
 * @param {string} destination an empty folder, absolute
 * @returns {Promise<Map<string, string>>} the absolute path of each tarball, by the name of its package
 */
export async function packForNpm(root, packages, destination) {
  if (packages.length === 0) return new Map()
  const setting = settingOf(root)
  const raw = path.join(destination, 'raw')
  mkdirSync(raw)
  /** @type {Map<string, string>} */
  const tarballs = new Map()
  for (const { name, filename } of pnpmPack(
    root,
    packages.map(({ manifest }) => manifest.name),
    raw,
  )) {
    const folder = packages.find(({ manifest }) => manifest.name === name)?.folder ?? ''
    tarballs.set(name, await rewritten(path.resolve(root, filename), { folder, setting, destination }))
  }
  rmSync(raw, { recursive: true })
  return tarballs
}

/**
 * Runs pnpm once for all packages, since starting it costs more than packing.
 * @param {string} root
 * @param {readonly string[]} names
 * @param {string} destination
 * @returns {{ name: string, filename: string }[]}
 */
function pnpmPack(root, names, destination) {
  const pnpm = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).packageManager
  const filters = names.flatMap(name => ['--filter', name])
  const { status, stdout, stderr, error } = spawnSync(
    'npx',
    ['--yes', pnpm, ...filters, '-r', 'pack', '--json', '--pack-destination', destination],
    { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, shell: process.platform === 'win32' },
  )
  if (error || status !== 0) throw new Error(`pnpm pack failed${error ? `: ${error.message}` : ''}\n${stdout}${stderr}`)
  return [JSON.parse(stdout)].flat()
}

/**
 * @param {string} tarball
 * @param {{ folder: string, setting: Setting, destination: string }} about
 */
async function rewritten(tarball, { folder, setting, destination }) {
  const work = mkdtempSync(path.join(destination, 'unpacked-'))
  await extract({ file: tarball, cwd: work })
  const inside = path.join(work, 'package')
  edit(
    path.join(inside, 'package.json'),
    text => `${JSON.stringify(manifestFor(JSON.parse(text), folder, setting), undefined, 2)}\n`,
  )
  if (existsSync(path.join(inside, 'README.md')))
    edit(path.join(inside, 'README.md'), text => absoluteLinks(text, folder, setting.page))
  for (const file of typesIn(inside)) edit(file, text => absoluteReferences(text, setting.page))
  const file = path.join(destination, path.basename(tarball))
  // In a fixed order and without times, so that the same files give the same tarball.
  const files = readdirSync(inside, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.relative(work, path.join(entry.parentPath, entry.name)))
    .toSorted()
  await create({ file, cwd: work, gzip: true, portable: true, noMtime: true }, files)
  rmSync(work, { recursive: true })
  return file
}

/**
 * @param {any} manifest
 * @param {string} folder
 * @param {Setting} setting
 */
function manifestFor({ scripts: _scripts, ...manifest }, folder, { repository, page }) {
  return {
    ...manifest,
    homepage: `${page}/tree/main/${folder}#readme`,
    repository: { type: 'git', url: repository, directory: folder },
    bugs: { url: `${page}/issues` },
  }
}

/**
 * Makes the links of a Markdown file absolute that lead from its folder to another place in the repository.
 * @param {string} markdown
 * @param {string} folder from the root, with forward slashes
 * @param {string} page
 */
export function absoluteLinks(markdown, folder, page) {
  return markdown.replace(
    /(\]\()(?!#|[a-z][a-z\d+.-]*:)([^)\s#]+)(#[^)\s]*)?\)/gi,
    (_all, open, target, anchor = '') => `${open}${page}/blob/main/${path.posix.join(folder, target)}${anchor})`,
  )
}

/**
 * Turns references to the project's documents in comments into addresses, since no tarball holds the documents.
 * @param {string} text
 * @param {string} page
 */
export function absoluteReferences(text, page) {
  return text
    .replace(
      /(?<![\w/])(docs\/[a-z/-]+\.md), "([^"\n]+)"/g,
      (_all, file, title) => `${page}/blob/main/${file}#${anchorOf(title)}`,
    )
    .replace(/(?<![\w/])docs\/[a-z/-]+\.md/g, file => `${page}/blob/main/${file}`)
}

/** @param {string} folder */
function typesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => /\.d\.[cm]?ts$/.test(file))
    .map(file => path.join(folder, file))
}

/**
 * @param {string} file
 * @param {(text: string) => string} change
 */
function edit(file, change) {
  const before = readFileSync(file, 'utf8')
  const after = change(before)
  if (after !== before) writeFileSync(file, after)
}
