import { readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { createSkills, defineProvider, type Catalog } from '@skills/core'
import { fileSource } from '@skills/files/source'
import { fakeHost, tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { lintCatalog } from './lint-catalog.js'

let tree: TempTree
afterEach(() => tree.dispose())

const sound = '---\ndescription: x\n---\nx'

async function catalogOf(entries: TreeEntries): Promise<Catalog> {
  tree = tempTree(entries)
  const within = [`${tree.path}/high`, `${tree.path}/low`]
  const high = fileSource({
    id: 'high',
    source: 'user',
    roots: () => ({ roots: [{ path: `${tree.path}/high`, within }] }),
  })
  const low = fileSource({
    id: 'low',
    source: 'project',
    roots: () => ({ roots: [{ path: `${tree.path}/low`, within }] }),
  })
  const failing = defineProvider({
    kind: 'source',
    id: 'failing',
    setup: () => ({
      source: 'plugin',
      list: () => {
        throw new Error('out of order')
      },
    }),
  })
  const skills = createSkills({
    plugins: [high, low, failing],
    host: fakeHost({ cwd: tree.path }),
    onDiagnostic: () => {},
  })
  try {
    return await skills.catalog()
  } finally {
    await skills.close()
  }
}

function summary({ files, others }: Awaited<ReturnType<typeof lintCatalog>>) {
  const short = (path = ''): string => path.replace(`${tree.path}/`, '')
  return {
    files: Object.fromEntries(files.map(({ path, diagnostics }) => [short(path), diagnostics.map(({ code }) => code)])),
    others: others.map(({ code, path }) => `${code} ${short(path)}`.trim()),
  }
}

test('every file counts: loaded, shadowed or failed; each finding once; the rest stands apart', async () => {
  const catalog = await catalogOf({
    'high/deploy/SKILL.md': '---\ndescription: Use it: now\nrequires: nothing-there\n---\nx',
    'low/deploy/SKILL.md': '---\ndescription: Another: one\n---\ny',
    'low/failed/SKILL.md': '---\nuser-invocable: maybe\n---\nx',
    'low/other/skill.md': sound,
    'low/dangling': { link: 'nowhere' },
    'low/body/SKILL.md': `${sound}\0`,
  })
  const result = await lintCatalog(catalog)
  expect(summary(result)).toEqual({
    files: {
      'high/deploy/SKILL.md': ['unquoted-text', 'missing-requirement'],
      'low/body/SKILL.md': ['binary-file'],
      'low/deploy/SKILL.md': ['unquoted-text'],
      'low/failed/SKILL.md': ['no-description', 'invalid-boolean'],
      'low/other/skill.md': ['other-case'],
    },
    others: expect.arrayContaining(['provider-failed', 'dangling-link low/dangling']),
  })
  expect(result.others).toHaveLength(2)
  expect(result.counts).toMatchObject({ files: 5, errors: 4, warnings: 5 })
})

test('a file outside of its root is neither read nor repaired', async () => {
  const secret = '---\ndescription: Use it: now\n---\nx'
  const catalog = await catalogOf({ 'private.md': secret, 'low/sly/SKILL.md': { link: '../../private.md' } })
  const result = await lintCatalog(catalog, { fix: true })
  expect(summary(result)).toEqual({ files: {}, others: expect.arrayContaining(['link-escapes low/sly/SKILL.md']) })
  expect(readFileSync(`${tree.path}/private.md`, 'utf8')).toBe(secret)
})

test('what was repaired is no longer reported, though loading had found it', async () => {
  const catalog = await catalogOf({ 'low/a/SKILL.md': '---\ndescription: Use it: now\n---\nx' })
  const result = await lintCatalog(catalog, { fix: true })
  expect(summary(result).files).toEqual({ 'low/a/SKILL.md': [] })
  expect(result.counts).toMatchObject({ fixedFiles: 1, warnings: 0 })
})

test('what was reported besides the catalog counts once: what the catalog has too and what is no problem are left out', async () => {
  const catalog = await catalogOf({ 'low/a/SKILL.md': sound, 'low/dangling': { link: 'nowhere' } })
  const configuration = {
    severity: 'error',
    type: 'validation',
    code: 'invalid-configuration',
    path: `${tree.path}/skills.config.json`,
    line: 2,
    message: 'No.',
  } as const
  const reported = [
    ...catalog.warnings,
    ...catalog.errors,
    configuration,
    { ...configuration },
    { ...configuration, severity: 'info', message: 'Yes.' } as const,
  ]
  const { others, counts } = await lintCatalog(catalog, { reported })
  expect(others.map(({ code }) => code).sort()).toEqual(['dangling-link', 'invalid-configuration', 'provider-failed'])
  expect(counts).toMatchObject({ files: 1, errors: (await lintCatalog(catalog)).counts.errors + 1 })
})
