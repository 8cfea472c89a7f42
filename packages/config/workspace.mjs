// @ts-check
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} [version]
 * @property {boolean} [private]
 * @property {unknown} [exports]
 * @property {string} [main]
 * @property {string | Record<string, string>} [bin]
 * @property {Record<string, string>} [scripts]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, string>} [devDependencies]
 */

/**
 * @typedef {object} WorkspacePackage
 * @property {string} folder from the root, with forward slashes: `packages/core`
 * @property {string} directory absolute
 * @property {Manifest} manifest
 */

/** Absolute path of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/**
 * Returns the folders that pnpm treats as packages. It runs before anything is installed, so it uses no YAML library
 * and reads only a plain `packages:` list. Anything else in it is an error, so that no package is overlooked.
 * @param {string} [base] absolute path of the repository
 * @returns {WorkspacePackage[]} sorted by folder
 */
export function workspacePackages(base = root) {
  return workspacePatterns(readFileSync(path.join(base, 'pnpm-workspace.yaml'), 'utf8'))
    .flatMap(pattern => (pattern.endsWith('/*') ? childFolders(base, pattern.slice(0, -2)) : [pattern]))
    .filter(folder => existsSync(path.join(base, folder, 'package.json')))
    .toSorted()
    .map(folder => {
      const directory = path.join(base, folder)
      return { folder, directory, manifest: JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8')) }
    })
}

/**
 * Lists the exports of a package by subpath, each with the source that it is built from: `./dist/x.js` comes from `src/x.ts`.
 * @param {Manifest} manifest
 * @returns {{ subpath: string, source: string }[]}
 */
export function exportedSources({ exports: exported }) {
  return Object.entries(exported ?? {}).flatMap(([subpath, target]) => {
    const built = JSON.stringify(target).match(/(?<="\.\/dist\/)[^"]+(?=\.js")/)?.[0]
    return built === undefined ? [] : [{ subpath, source: `src/${built}.ts` }]
  })
}

/** @param {string} yaml */
function workspacePatterns(yaml) {
  const lines = yaml.split(/\r?\n/)
  const start = lines.indexOf('packages:')
  if (start === -1) throw new Error('pnpm-workspace.yaml has no "packages:" list')
  const patterns = []
  for (const line of lines.slice(start + 1)) {
    if (/^\S/.test(line)) break
    if (line.trim() === '' || line.trim().startsWith('#')) continue
    const pattern = /^\s+- ["']?([\w.-]+(?:\/[\w.-]+)*(?:\/\*)?)["']?\s*$/.exec(line)?.[1]
    if (!pattern) throw new Error(`pnpm-workspace.yaml: only "folder" and "folder/*" are understood, not:${line}`)
    patterns.push(pattern)
  }
  return patterns
}

/**
 * @param {string} base
 * @param {string} parent
 */
function childFolders(base, parent) {
  const directory = path.join(base, parent)
  if (!existsSync(directory)) return []
  return readdirSync(directory, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => `${parent}/${entry.name}`)
}
