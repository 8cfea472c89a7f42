import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createSkills } from '@skills/core'
import { fakeHost, tempTree } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { distributionNamed, type DistributionName } from '../../src/index.js'
import { trees, type Tree } from './trees.mjs'

interface Found {
  readonly name: string
  readonly description?: string
  readonly path?: string
}

interface Recording {
  readonly program: DistributionName
  readonly version: string
  readonly on: string
  /** The folder that it reads for certain. */
  readonly folder: string
  readonly cases: Readonly<Record<string, readonly Found[]>>
}

/** Why ours gives something else, by program and tree. */
type Differences = Readonly<Record<string, Readonly<Record<string, string>>>>

const here = import.meta.dirname
const differences = JSON.parse(readFileSync(path.join(here, 'differences.json'), 'utf8')) as Differences
const recordings = readdirSync(here)
  .filter(name => name.endsWith('.json') && name !== 'differences.json')
  .map(name => JSON.parse(readFileSync(path.join(here, name), 'utf8')) as Recording)

/** What our distribution of the program finds in the same tree. */
async function foundBy(program: DistributionName, folder: string, { cwd = 'project', files }: Tree) {
  const entries = Object.entries(files).map(([name, content]) => [
    name.replace('@', folder),
    typeof content === 'string' ? content : { link: content.link },
  ])
  const tree = tempTree({
    [`${cwd}/.keep`]: '',
    'home/.keep': '',
    'project/.git/HEAD': '',
    ...Object.fromEntries(entries),
  })
  onTestFinished(() => tree.dispose())
  const host = fakeHost({ cwd: `${tree.path}/${cwd}`, home: `${tree.path}/home`, env: {} })
  const make = await distributionNamed(program)
  const skills = createSkills(
    make({ host, managed: { dirs: [] }, bundled: false, trust: { all: true }, onDiagnostic: () => {} }),
  )
  onTestFinished(() => skills.close())
  return (await skills.catalog()).entries.flatMap(({ name, command }) =>
    command.type === 'prompt' && command.filePath !== undefined
      ? [{ name, description: command.description, path: path.relative(tree.path, command.filePath) }]
      : [],
  )
}

describe.each(recordings)('$program $version, as it was recorded on $on', ({ program, folder, cases }) => {
  it('was shown every tree', () => {
    expect(Object.keys(cases)).toEqual(trees.map(({ id }) => id))
  })

  it.each(trees)('$id', async tree => {
    const recorded = cases[tree.id] ?? []
    const found = await foundBy(program, folder, tree)
    const inOrder = (all: readonly Found[]) =>
      all.toSorted((a, b) => (`${a.path}${a.name}` < `${b.path}${b.name}` ? -1 : 1))
    // What a program does not tell is not compared.
    const [first] = recorded
    const comparable = found.map(one => ({
      name: one.name,
      ...((first === undefined || 'description' in first) && { description: one.description }),
      ...((first === undefined || 'path' in first) && { path: one.path }),
    }))
    const reason = differences[program]?.[tree.id]
    if (reason === undefined) expect(inOrder(comparable)).toEqual(inOrder(recorded))
    else expect(inOrder(comparable), `it does not differ any more: ${reason}`).not.toEqual(inOrder(recorded))
  })
})
