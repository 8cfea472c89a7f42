import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root, workspacePackages } from '../workspace.mjs'

const folder = path.join(root, '.changeset')
const files = readdirSync(folder).filter(name => name.endsWith('.md') && name !== 'README.md')
const published = workspacePackages()
  .map(({ manifest }) => manifest)
  .filter(({ private: isPrivate }) => isPrivate !== true)

/** Packages that a changeset releases. */
function packagesOf(file: string): readonly string[] {
  const head = /^---\n([^]*?)\n---\n/.exec(readFileSync(path.join(folder, file), 'utf8'))?.[1] ?? ''
  return Array.from(head.matchAll(/^"(.+?)": (?:major|minor|patch)$/gm), ([, name = '']) => name)
}

test('a package before its first release has one changeset, which is called as its folder', () => {
  const unreleased = published.filter(({ version }) => version === '0.0.0').map(({ name }) => name)
  const found = files.flatMap(file => packagesOf(file).map(name => [name, file]))
  expect(found.filter(([name = '']) => unreleased.includes(name)).toSorted()).toEqual(
    unreleased.map(name => [name, `${name.replace('@skills/', '')}.md`]).toSorted(),
  )
})

test('every changeset releases packages that there are', () => {
  const names = published.map(({ name }) => name)
  const unknown = files.flatMap(packagesOf).filter(name => !names.includes(name))
  expect(unknown).toEqual([])
})
