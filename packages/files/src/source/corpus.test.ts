import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { createSkills, type Catalog } from '@skills/core'
import { tempTree, type TempTree } from '@skills/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodyOf, laterHost, sourceOver } from '../../test/load.js'

/** Folder that holds `train.tar.gz`: public repositories with skills. */
const corpus = process.env['SKILLS_CORPUS']

describe.runIf(corpus)('the corpus in SKILLS_CORPUS', () => {
  let tree: TempTree
  let files: readonly string[]
  let catalog: Catalog

  beforeAll(async () => {
    tree = tempTree()
    execFileSync('tar', ['-xzf', `${corpus}/train.tar.gz`, '-C', tree.path])
    const all = readdirSync(tree.path, { recursive: true, encoding: 'utf8' })
    files = all.filter(file => /(^|\/)SKILL\.md$/.test(file)).map(file => `${tree.path}/${file}`)
    // Each folder that holds folders of skills is a root, so that hidden folders and nested skills are all reached.
    const roots = [...new Set(files.map(file => dirname(dirname(file))))].toSorted()
    const source = sourceOver(
      roots.map(path => ({ path })),
      { limitMs: 120_000, layout: { walk: 'flat' } },
    )
    const skills = createSkills({ host: laterHost(), plugins: [source], onDiagnostic: () => {} })
    catalog = await skills.catalog()
    await skills.close()
  })

  afterAll(() => tree?.dispose())

  it('has skills', () => {
    expect(files.length).toBeGreaterThan(1000)
  })

  it('loses none: each file is a command, the other of a collision, or an error', () => {
    const paths = [...catalog.entries, ...catalog.collisions.map(({ loser }) => loser)].map(({ command }) =>
      command.type === 'prompt' ? command.filePath : undefined,
    )
    const known = new Set([...paths, ...catalog.errors.map(({ path }) => path)])
    expect(files.filter(file => !known.has(file))).toEqual([])
  })

  it('has few files that cannot be read, each with a line', () => {
    expect(catalog.errors.length).toBeLessThan(files.length / 50)
    for (const error of catalog.errors)
      expect(error).toMatchObject({
        code: expect.any(String),
        path: expect.stringContaining(tree.path),
        line: expect.any(Number),
      })
  })

  it('gives every command a description and the body that its file has', async () => {
    for (const { command } of catalog.entries) {
      if (command.type !== 'prompt') throw new Error(`${command.name} is no prompt`)
      expect(command.description.trim(), command.filePath).not.toBe('')
      expect(Buffer.byteLength(await bodyOf(command)), command.filePath).toBe(command.contentLength)
    }
  })
})
