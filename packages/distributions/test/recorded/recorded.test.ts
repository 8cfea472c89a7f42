import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { tempTree } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openOver } from '../open-over.js'
import { trees, type Tree } from './trees.mjs'

interface Found {
  readonly name: string
  readonly description?: string
  readonly path?: string
}

interface Recording {
  readonly program: string
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
async function foundBy(program: string, folder: string, { cwd = 'project', files }: Tree) {
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
  const opened = await openOver(tree, program, { cwd, home: 'home' })
  onTestFinished(() => opened.skills.close())
  return (await opened.found()).map(({ name, command, path: at }) => ({
    name,
    description: command.description,
    path: at,
  }))
}

function inOrder(all: readonly Found[]): readonly Found[] {
  return all.toSorted((a, b) => (`${a.path}${a.name}` < `${b.path}${b.name}` ? -1 : 1))
}

describe.each(recordings)('$program $version, as it was recorded on $on', ({ program, folder, cases }) => {
  it('was shown every tree', () => {
    expect(Object.keys(cases)).toEqual(trees.map(({ id }) => id))
  })

  const reasons = differences[program] ?? {}
  const both = async (tree: Tree) => {
    const recorded = cases[tree.id] ?? []
    const found = await foundBy(program, folder, tree)
    // What a program does not tell is not compared.
    const [first] = recorded
    const told = found.map(one => ({
      name: one.name,
      ...((first === undefined || 'description' in first) && { description: one.description }),
      ...((first === undefined || 'path' in first) && { path: one.path }),
    }))
    return { recorded: inOrder(recorded), found: inOrder(told) }
  }

  it.each(trees.filter(({ id }) => reasons[id] === undefined))('finds the same: $id', async tree => {
    const { recorded, found } = await both(tree)
    expect(found).toEqual(recorded)
  })

  it.each(trees.filter(({ id }) => reasons[id] !== undefined))('has a reason to differ: $id', async tree => {
    const { recorded, found } = await both(tree)
    expect(found, `it does not differ any more: ${reasons[tree.id]}`).not.toEqual(recorded)
  })

  it('has no reason for a tree that there is not', () => {
    expect(Object.keys(reasons).filter(id => !trees.some(tree => tree.id === id))).toEqual([])
  })
})
