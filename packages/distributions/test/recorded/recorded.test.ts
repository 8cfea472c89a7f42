import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { listingFor, ownChars } from '@skills/invocation/internal'
import { tempTree } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openOver } from '../open-over.js'
import { listedSkills, toldOf } from './told.mjs'
import { filesFor, listings, placeTrees, trees as common, type Folders, type Tree } from './trees.mjs'

interface Found {
  readonly name: string
  readonly description?: string
  readonly path?: string
}

interface Recording {
  readonly program: string
  readonly version: string
  readonly on: string
  /** Folders that the program certainly reads. */
  readonly folders: Folders
  readonly cases: Readonly<Record<string, readonly Found[]>>
  /** Folders that only this program was asked about. */
  readonly places?: readonly string[]
  /** Size of its model's window in tokens, if the program reports it. */
  readonly window?: number
  /** Characters that the lines of its own skills take in its listing. */
  readonly ownLength?: number
  /** True if `told` is sorted, because the program's own order varies. */
  readonly sorted?: boolean
  /** Listing to its model for each tree of `listings`, if it can be seen. */
  readonly told?: Readonly<Record<string, ReturnType<typeof toldOf>>>
}

/** Reasons for different results, by tree. */
type Reasons = Readonly<Record<string, string>>
type Differences = Readonly<Record<string, { readonly found?: Reasons; readonly told?: Reasons }>>

const here = import.meta.dirname
const differences = JSON.parse(readFileSync(path.join(here, 'differences.json'), 'utf8')) as Differences
const recordings = readdirSync(here)
  .filter(name => name.endsWith('.json') && name !== 'differences.json')
  .map(name => JSON.parse(readFileSync(path.join(here, name), 'utf8')) as Recording)

/** Opens our distribution of the program in the same tree. */
async function open({ program, folders }: Recording, tree: Tree) {
  const { cwd = 'project' } = tree
  const made = tempTree({
    [`${cwd}/.keep`]: '',
    'home/.keep': '',
    'project/.git/HEAD': '',
    ...Object.fromEntries(filesFor(tree, folders)),
  })
  onTestFinished(() => made.dispose())
  const opened = await openOver(made, program, { cwd, home: 'home' })
  onTestFinished(() => opened.skills.close())
  return opened
}

async function foundBy(recording: Recording, tree: Tree): Promise<readonly Found[]> {
  const { found } = await open(recording, tree)
  return (await found()).map(({ name, command, path: at }) => ({ name, description: command.description, path: at }))
}

async function toldBy(recording: Recording, tree: Tree) {
  const { window: contextWindow, sorted: isSorted } = recording
  const { distribution, skills } = await open(recording, tree)
  const { text } = await listingFor({ skills, distribution }, { contextWindow })
  return toldOf(listedSkills(text), tree, isSorted)
}

function inOrder(all: readonly Found[]): readonly Found[] {
  return all.toSorted((a, b) => (`${a.path}${a.name}` < `${b.path}${b.name}` ? -1 : 1))
}

/** Splits the trees into those with the same result and those with a reason. */
function byReason(all: readonly Tree[], reasons: Reasons) {
  return {
    same: all.filter(({ id }) => reasons[id] === undefined),
    different: all.flatMap(tree => {
      const reason = reasons[tree.id]
      return reason === undefined ? [] : [{ ...tree, reason }]
    }),
    unknown: Object.keys(reasons).filter(id => !all.some(tree => tree.id === id)),
  }
}

describe.each(recordings)('$program $version, as it was recorded on $on', recording => {
  const { cases, program, places } = recording
  const trees = [...common, ...placeTrees(places)]
  const { same, different, unknown } = byReason(trees, differences[program]?.found ?? {})
  const both = async (tree: Tree) => {
    const recorded = cases[tree.id] ?? []
    const all = Object.values(cases).flat()
    // Fields that a program does not report are not compared.
    const isTold = (key: keyof Found, name: string) =>
      all.some(one => key in one) && recorded.every(one => one.name !== name || key in one)
    const found = (await foundBy(recording, tree)).map(({ name, description, path: file }) => ({
      name,
      ...(isTold('description', name) && { description }),
      ...(isTold('path', name) && { path: file }),
    }))
    return { recorded: inOrder(recorded), found: inOrder(found) }
  }

  it('was shown every tree', () => {
    expect(Object.keys(cases)).toEqual(trees.map(({ id }) => id))
  })

  it.each(same)('finds the same: $id', async tree => {
    const { recorded, found } = await both(tree)
    expect(found).toEqual(recorded)
  })

  it.each(different)('has a reason to differ: $id', async tree => {
    const { recorded, found } = await both(tree)
    expect(found, `it does not differ any more: ${tree.reason}`).not.toEqual(recorded)
  })

  it('has no reason for a tree that there is not', () => {
    expect(unknown).toEqual([])
  })
})

describe.each(recordings.filter(({ told }) => told !== undefined))(
  '$program $version, what its model was told on $on',
  recording => {
    const { told = {}, program } = recording
    const { same, different, unknown } = byReason(listings, differences[program]?.told ?? {})

    it('was shown every tree', () => {
      expect(Object.keys(told)).toEqual(listings.map(({ id }) => id))
    })

    it('has the recorded share of its own skills, if they share a budget with others', async () => {
      const [tree] = listings
      if (tree === undefined) throw new Error('There is no tree.')
      const { distribution, skills } = await open(recording, tree)
      const { budgetChars } = await listingFor({ skills, distribution }, {})
      const { ofProgram, listing } = distribution
      // A strategy that deals its room out has a list of the program's own skills instead.
      const isCounted = Number.isFinite(budgetChars) && listing.own === undefined
      const length = ofProgram?.own && ownChars(ofProgram.own, Infinity) - '\n'.length
      expect(length).toBe(isCounted ? recording.ownLength : undefined)
    })

    it.each(same)('is told the same: $id', async tree => {
      expect(await toldBy(recording, tree)).toEqual(told[tree.id])
    })

    it.each(different)('has a reason to be told something else: $id', async tree => {
      expect(await toldBy(recording, tree), `it does not differ any more: ${tree.reason}`).not.toEqual(told[tree.id])
    })

    it('has no reason for a tree that there is not', () => {
      expect(unknown).toEqual([])
    })
  },
)
