// @ts-check
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { includesFolder, libraryOwners, rooms, startingParts } from './rooms.mjs'

/** Lint configuration that `.oxlintrc.json` extends. It is generated from the table, never edited by hand. */
export const boundariesFile = fileURLToPath(new URL('boundaries.oxlint.json', import.meta.url))

/** Returns the content that {@link boundariesFile} must have. */
export function boundariesConfig() {
  const overrides = Object.entries(rooms).flatMap(([folder, room]) => [
    {
      files: [`${folder}/src/**`],
      rules: restrictions(folder, room.imports, { startsProcesses: room.startsProcesses === true, staysInside: true }),
    },
    ...startingParts(room).map(name => ({
      files: [`${folder}/src/${name}.ts`, `${folder}/src/${name}/**`],
      rules: restrictions(folder, room.imports, { startsProcesses: true, staysInside: true }),
    })),
    {
      // Later overrides win, so these apply to test files instead.
      files: [`${folder}/src/**/*.test.ts`, `${folder}/src/**/*.test-d.ts`, `${folder}/test/**`],
      rules: restrictions(folder, testImports(folder, room), { startsProcesses: true, staysInside: false }),
    },
  ])
  return `${JSON.stringify({ overrides }, undefined, 2)}\n`
}

/**
 * Returns the folders that tests may import. A test may also import its own package, as its users do.
 * @param {string} folder
 * @param {import('./rooms.mjs').Room} room
 */
function testImports(folder, room) {
  return [...room.imports, ...(room.testImports ?? []), ...(folder.endsWith('/*') ? [] : [folder])]
}

/**
 * @param {string} folder
 * @param {readonly string[]} allowed
 * @param {{ startsProcesses: boolean, staysInside: boolean }} what
 */
function restrictions(folder, allowed, { startsProcesses, staysInside }) {
  const paths = Object.entries(libraryOwners)
    .filter(([, owner]) => owner !== folder)
    .map(([name, owner]) => ({ name, message: `Only ${owner} imports ${name}: ask it for what you need.` }))
  if (!startsProcesses) {
    for (const name of ['node:child_process', 'child_process']) {
      paths.push({ name, message: `${folder} starts no process: that belongs to a plugin made for it.` })
    }
  }
  const patterns = [{ group: forbiddenPackages(allowed), message: allowedMessage(folder, allowed) }]
  if (staysInside) {
    patterns.push({
      group: ['**/src/**', '**/dist/**'],
      message: 'This reaches into another folder: import the package by its name.',
    })
  }
  return { 'no-restricted-imports': ['error', { paths, patterns }] }
}

/**
 * Returns the packages that may not be imported. If plugins are allowed, the forbidden packages are listed one by one,
 * because a list of all plugins would have to change with each new one.
 * @param {readonly string[]} allowed
 */
function forbiddenPackages(allowed) {
  if (allowed.includes('plugins/*')) {
    return Object.keys(rooms)
      .filter(folder => folder.startsWith('packages/') && !includesFolder(allowed, folder))
      .flatMap(folder => [packageName(folder), `${packageName(folder)}/**`])
  }
  return ['@skills/**', ...allowed.flatMap(folder => [`!${packageName(folder)}`, `!${packageName(folder)}/**`])]
}

/**
 * @param {string} folder
 * @param {readonly string[]} allowed
 */
function allowedMessage(folder, allowed) {
  const names = allowed.map(each => (each === 'plugins/*' ? 'any plugin' : packageName(each)))
  const what = names.length === 0 ? 'no other package of the workspace' : `only ${names.join(', ')}`
  return `${folder} imports ${what}; packages/config/rooms.mjs says who may import whom.`
}

/** @param {string} folder */
function packageName(folder) {
  return `@skills/${folder.slice(folder.lastIndexOf('/') + 1)}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const before = readFileSync(boundariesFile, { encoding: 'utf8', flag: 'a+' })
  if (before !== boundariesConfig()) writeFileSync(boundariesFile, boundariesConfig())
}
