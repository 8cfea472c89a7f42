import { lstatSync } from 'node:fs'
import fc from 'fast-check'
import { tempTree, type TempTree } from '@skills/testing'
import { describe, expect, it } from 'vitest'
import { textTree } from '../test/text-tree.js'

/** File to be made, or link to a folder of the tree; both lie in a folder below `skills`. */
type Wish =
  | { readonly at: string; readonly file: string }
  | { readonly at: string; readonly to: string; readonly isFile: boolean }

const name = fc.constantFrom('a', 'b', 'B', 'c', 'a-b', '.h', 'node_modules', 'é')
const folder = fc.array(name, { minLength: 1, maxLength: 3 }).map(names => names.join('/'))
const file: fc.Arbitrary<Wish> = fc.record({
  at: folder,
  file: fc.constantFrom('SKILL.md', 'SKILL.md', 'SKILL.md', 'skill.md', 'readme.md'),
})
const target = fc.oneof(
  fc.constantFrom('', '/skills', '/outside', '/skills/a', '/nowhere'),
  folder.map(at => `/skills/${at}`),
)
const link: fc.Arbitrary<Wish> = fc.record({ at: folder, to: target, isFile: fc.boolean() })
const wishes = fc.array(fc.oneof({ weight: 4, arbitrary: file }, { weight: 1, arbitrary: link }), { maxLength: 20 })

function grant(tree: TempTree, wish: Wish): void {
  if ('file' in wish) put(tree, `${wish.at}/${wish.file}`, `${wish.at} has ${wish.file}`)
  else put(tree, wish.isFile ? `${wish.at}/SKILL.md` : wish.at, { link: `${tree.path}${wish.to}` })
}

/**
 * Makes an entry if its place is free and no file or link is on the way, so that nothing is ever written outside the
 * tree.
 */
function put(tree: TempTree, path: string, entry: string | { link: string }): void {
  const isFree = isWay(tree, path) && lstatSync(`${tree.path}/skills/${path}`, { throwIfNoEntry: false }) === undefined
  if (isFree) tree.write({ [`skills/${path}`]: entry })
}

function isWay(tree: TempTree, path: string): boolean {
  return path
    .split('/')
    .slice(0, -1)
    .every((_, at, names) => {
      const stats = lstatSync(`${tree.path}/skills/${names.slice(0, at + 1).join('/')}`, { throwIfNoEntry: false })
      return stats === undefined || stats.isDirectory()
    })
}

function build(wanted: readonly Wish[]): TempTree {
  const tree = tempTree({ 'skills/last/SKILL.md': 'last', 'outside/x/SKILL.md': 'outside' })
  for (const wish of wanted) grant(tree, wish)
  return tree
}

describe('for any tree', () => {
  const options = fc.record(
    {
      walk: fc.constantFrom('deep', 'flat'),
      depth: fc.constantFrom(2, 3, 6),
      folders: fc.constantFrom(4, 8, 1000),
      otherCase: fc.constantFrom('load', 'report'),
      isContained: fc.boolean(),
    },
    { noNullPrototype: true },
  )

  it('reading with callbacks gives what reading synchronously gives, in the same order', async () => {
    await fc.assert(
      fc.asyncProperty(wishes, options, async (wanted, { isContained, ...rest }) => {
        const tree = build(wanted)
        try {
          const root = `${tree.path}/skills`
          const within = isContained ? [root] : undefined
          const quick = await textTree(root, { ...rest, within, reads: 'auto' }).scan()
          const slow = await textTree(root, { ...rest, within, reads: 'callbacks' }).scan()
          expect(slow).toEqual(quick)
        } finally {
          tree.dispose()
        }
      }),
      { numRuns: 80 },
    )
  })

  it('a tree that is looked at once finds the same, and a later look what has changed', async () => {
    await fc.assert(
      fc.asyncProperty(wishes, wishes, options, async (wanted, added, { isContained, ...rest }) => {
        const tree = build(wanted)
        try {
          const root = `${tree.path}/skills`
          const every = { ...rest, within: isContained ? [root] : undefined, loose: true, folders: 1000 }
          const once = textTree(root, { ...every, looksOnce: true })
          const found = await once.scan()
          expect(found).toEqual(await textTree(root, every).scan())
          for (const wish of added) grant(tree, wish)
          const after = await once.rescan()
          expect(after ?? found).toEqual(await textTree(root, every).scan())
        } finally {
          tree.dispose()
        }
      }),
      { numRuns: 80 },
    )
  })

  it('a rescan after any change gives what a scan from the beginning gives', async () => {
    const gone = fc.array(folder, { maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(
        wishes,
        wishes,
        gone,
        fc.constantFrom('auto', 'callbacks'),
        async (wanted, added, removed, reads) => {
          const tree = build(wanted)
          try {
            const root = `${tree.path}/skills`
            const known = textTree(root, { reads })
            const before = await known.scan()
            for (const path of removed) if (isWay(tree, path)) tree.remove(`skills/${path}`)
            for (const wish of added) grant(tree, wish)
            const after = await known.rescan()
            const fresh = await textTree(root, { reads }).scan()
            expect(after ?? before).toEqual(fresh)
            expect(await known.rescan()).toBeUndefined()
          } finally {
            tree.dispose()
          }
        },
      ),
      { numRuns: 80 },
    )
  })
})
