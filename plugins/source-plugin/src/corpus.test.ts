import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { createSkills, type Catalog } from '@skills/core'
import { fakeClock, fakeHost, tempTree, type TempTree } from '@skills/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pluginSource } from './index.js'

/** Folder with `train.tar.gz`: public repositories, of which only the published plugins matter here. */
const corpus = process.env['SKILLS_CORPUS']

interface Manifest {
  readonly name: string
  readonly skills?: string | readonly string[]
  readonly skillsPath?: string
  readonly skillsPaths?: readonly string[]
  readonly commands?: string | readonly string[] | object
}

interface Published {
  readonly folder: string
  readonly manifest: Manifest
  readonly catalog: Catalog
}

describe.runIf(corpus)('the plugins of the corpus in SKILLS_CORPUS', () => {
  let tree: TempTree
  const plugins: Published[] = []

  beforeAll(async () => {
    tree = tempTree()
    execFileSync('tar', ['-xzf', `${corpus}/train.tar.gz`, '-C', tree.path])
    const manifests = readdirSync(tree.path, { recursive: true, encoding: 'utf8' }).filter(file =>
      /(^|\/)\.claude-plugin\/plugin\.json$/.test(file),
    )
    for (const file of manifests.toSorted()) {
      const folder = path.dirname(path.dirname(`${tree.path}/${file}`))
      const manifest: Manifest = JSON.parse(readFileSync(`${tree.path}/${file}`, 'utf8').replace(/^\uFEFF/, ''))
      plugins.push({ folder, manifest, catalog: await catalogOf(tree.path, folder) })
    }
  })

  afterAll(() => tree?.dispose())

  it('are many', () => {
    expect(plugins.length).toBeGreaterThan(400)
    expect(plugins.flatMap(({ catalog }) => namedFiles(catalog)).length).toBeGreaterThan(1500)
  })

  it('are read without an error, and nearly all without a warning', () => {
    expect(plugins.flatMap(({ catalog }) => catalog.errors)).toEqual([])
    expect(plugins.filter(({ catalog }) => catalog.warnings.length > 0).length).toBeLessThan(plugins.length / 50)
  })

  it('give every skill and every command that stands where they say, by its name, and nothing else', () => {
    for (const { folder, manifest, catalog } of plugins)
      expect(namedFiles(catalog), folder).toEqual([...expectedOf(folder, manifest)].toSorted())
  })
})

async function catalogOf(cwd: string, folder: string): Promise<Catalog> {
  const host = fakeHost({ cwd, home: `${cwd}/home`, clock: fakeClock(Date.now() + 60_000) })
  const skills = createSkills({ host, plugins: [pluginSource({ plugins: [folder] })], onDiagnostic: () => {} })
  const catalog = await skills.catalog()
  await skills.close()
  return catalog
}

/** Returns `<name> <file>` of every command of a plugin, also of those that another one of the plugin hides. */
function namedFiles({ entries, collisions }: Catalog): readonly string[] {
  const commands = new Set([...entries, ...collisions.map(({ loser }) => loser)].map(({ command }) => command))
  return [...commands]
    .map(command => `${command.name} ${command.type === 'prompt' ? command.filePath : 'no file'}`)
    .toSorted()
}

/** Computes the same by a separate walk, from the meaning of a manifest and not from how this source reads it. */
function expectedOf(
  folder: string,
  { name, skills, skillsPath, skillsPaths, commands }: Manifest,
): ReadonlySet<string> {
  const found = new Map<string, string>()
  const add = (file: string, below: readonly string[]): void => {
    if (!found.has(file)) found.set(file, [name, ...below].join(':'))
  }
  for (const root of [`${folder}/skills`, ...pathsIn(folder, skills, skillsPath, skillsPaths)])
    findSkills(root, path.basename(root), [], add)
  if (existsSync(`${folder}/SKILL.md`)) add(`${folder}/SKILL.md`, [name])
  const hasOwn = typeof commands === 'string' || Array.isArray(commands)
  for (const root of hasOwn ? pathsIn(folder, commands) : [`${folder}/commands`]) findCommands(root, [], add)
  return new Set([...found].map(([file, named]) => `${named} ${file}`))
}

function pathsIn(folder: string, ...values: readonly (string | readonly string[] | undefined)[]): readonly string[] {
  return values.flat().flatMap(value => (value === undefined ? [] : [path.join(folder, value).replace(/\/$/, '')]))
}

type Add = (file: string, below: readonly string[]) => void

function findSkills(folder: string, own: string, below: readonly string[], add: Add): void {
  if (!existsSync(folder)) return
  if (folder.endsWith('/SKILL.md')) return add(folder, [path.basename(path.dirname(folder))])
  if (folder.endsWith('.md')) return
  const inside = readdirSync(folder, { withFileTypes: true })
  if (inside.some(entry => entry.name === 'SKILL.md'))
    return add(`${folder}/SKILL.md`, below.length === 0 ? [own] : below)
  for (const entry of inside) {
    if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
      findSkills(`${folder}/${entry.name}`, own, [...below, entry.name], add)
  }
}

function findCommands(folder: string, below: readonly string[], add: Add): void {
  if (!existsSync(folder)) return
  if (folder.endsWith('.md')) return add(folder, [...below, path.basename(folder, '.md')])
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && !entry.name.startsWith('.'))
      findCommands(`${folder}/${entry.name}`, [...below, entry.name], add)
    else if (entry.isFile() && entry.name.endsWith('.md'))
      add(`${folder}/${entry.name}`, [...below, entry.name.slice(0, -3)])
  }
}
