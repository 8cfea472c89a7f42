#!/usr/bin/env node
// @ts-check
// npm run version: applies the changesets to versions and changelogs. Every release includes the program: the packages
// are built into it, so that no version range would bring it a fix.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'

const {
  values: { root = fileURLToPath(new URL('../..', import.meta.url)) },
} = parseArgs({ options: { root: { type: 'string' } } })
const folder = path.join(root, '.changeset')
const besides = path.join(folder, 'program-with-its-parts.md')
const released = readdirSync(folder)
  .filter(file => file.endsWith('.md') && file !== 'README.md')
  .flatMap(file => packagesOf(readFileSync(path.join(folder, file), 'utf8')))
if (released.length > 0 && !released.includes('@skills/cli') && !existsSync(besides)) {
  const parts = [...new Set(released)].toSorted()
  writeFileSync(
    besides,
    `---\n"@skills/cli": patch\n---\n\nBrings what is new in ${parts.join(', ')}, which it has built in.\n`,
  )
}
const { status } = spawnSync('npx', ['changeset', 'version'], {
  cwd: root,
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
process.exitCode = status ?? 1

/** @param {string} changeset */
function packagesOf(changeset) {
  const head = /^---\r?\n([^]*?)\r?\n---/.exec(changeset)?.[1] ?? ''
  return [...head.matchAll(/^["']?(@[\w-]+\/[\w-]+)["']?:/gm)].flatMap(([, name]) => name ?? [])
}
