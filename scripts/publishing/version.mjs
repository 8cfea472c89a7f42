#!/usr/bin/env node
// @ts-check
// npm run version: takes the changesets into versions and changelogs. Each release includes the program: all of it is
// built into the program, so that no range brings it a fix.
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
