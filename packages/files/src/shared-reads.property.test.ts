import { lstatSync } from 'node:fs'
import fc from 'fast-check'
import { tempTree, type TempTree } from '@skills/testing'
import { expect, it } from 'vitest'
import { later } from '../test/text-tree.js'
import { LocalStore, type LocalStoreOptions } from './local-store.js'
import { SharedReads } from './shared-reads.js'
import { SkillTree, type SkillTreeState } from './skill-tree.js'
import type { FileIdentity } from '@skills/core'
import type { SkillTreeOptions } from './tree-options.js'

interface Item {
  readonly path: string
  readonly text: string
  readonly identity: FileIdentity
}

/** Options with which two engines read one folder of skills. */
const engines: readonly (Omit<SkillTreeOptions<Item>, 'now' | 'read' | 'within'> & LocalStoreOptions)[] = [
  { root: 'skills', walk: 'deep', fileBytes: 20_000 },
  { root: 'again', walk: 'flat', fileBytes: 4200, reads: 'callbacks', loose: true },
]

/**
 * Bytes that an engine asks for at least: more than the first head, and fewer. If it gets more, it ignores the rest.
 */
const wanted = [5000, 0]

class Engine {
  readonly tree: SkillTree<Item>
  #known: SkillTreeState<Item> | undefined

  constructor(at: number, folder: string, isContained: boolean, sharedReads?: SharedReads) {
    const options = engines[at]
    if (options === undefined) throw new RangeError('There are two engines.')
    const { reads, ...walk } = options
    const disk = new LocalStore({ reads })
    this.tree = new SkillTree<Item>({
      ...walk,
      root: `${folder}/${options.root}`,
      now: later,
      store: sharedReads?.over(disk) ?? disk,
      within: isContained ? [`${folder}/skills`] : undefined,
      read: ({ path, identity }, { bytes, length, isWhole }) =>
        isWhole || length >= (wanted[at] ?? 0)
          ? { path, identity, text: bytes.toString('utf8', 0, Math.min(length, Math.max(wanted[at] ?? 0, 4096))) }
          : undefined,
      isSame: (a, b) => a.path === b.path && a.text === b.text && a.identity.mtimeMs === b.identity.mtimeMs,
    })
  }

  async look(isAnew: boolean): Promise<readonly [SkillTreeState<Item>, boolean]> {
    const { signal } = new AbortController()
    const found =
      isAnew || this.#known === undefined ? await this.tree.scan(signal) : await this.tree.rescan(undefined, signal)
    this.#known = found ?? this.#known
    if (this.#known === undefined) throw new Error('A first look gave nothing.')
    return [this.#known, found !== undefined]
  }
}

type Step =
  | { readonly write: string; readonly bytes: number }
  | { readonly remove: string }
  | { readonly link: string; readonly to: string }
  | { readonly look: readonly number[]; readonly isAnew: boolean }

const folder = fc.constantFrom('a', 'b', 'c', 'a/d', 'b/d')
const path = folder.chain(at =>
  fc.constantFrom(`${at}/SKILL.md`, `${at}/SKILL.md`, `${at}/skill.md`, at, `${at}/notes.md`),
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ write: path, bytes: fc.constantFrom(3, 100, 4085, 6000, 19_985, 30_000) }) },
  { weight: 1, arbitrary: fc.record({ remove: path }) },
  {
    weight: 1,
    arbitrary: fc.record({
      link: path,
      to: fc.constantFrom('skills/a/SKILL.md', 'skills/b', 'outside/SKILL.md', 'outside', 'skills', 'nowhere'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ look: fc.constantFrom([0], [1], [0, 1], [1, 0]), isAnew: fc.boolean() }) },
)

/** Changes a tree if no file or link is in the way, so that nothing is ever written outside of it. */
function change(tree: TempTree, wish: Exclude<Step, { look: unknown }>, count: number): void {
  const at = 'write' in wish ? wish.write : 'link' in wish ? wish.link : wish.remove
  const isFree = at
    .split('/')
    .slice(0, -1)
    .every((_, depth, names) => {
      const stats = lstatSync(`${tree.path}/skills/${names.slice(0, depth + 1).join('/')}`, { throwIfNoEntry: false })
      return stats === undefined || stats.isDirectory()
    })
  if (!isFree) return
  const target = `skills/${at}`
  const stats = lstatSync(`${tree.path}/${target}`, { throwIfNoEntry: false })
  if ('remove' in wish) tree.remove(target)
  // Each write has another size: the clock of a file system may be too coarse to tell two changes of one test apart.
  else if ('write' in wish && (stats === undefined || stats.isFile()))
    tree.write({ [target]: `${count} `.padEnd(wish.bytes + count, 'x') })
  else if ('link' in wish && (stats === undefined || !stats.isDirectory()))
    tree.write({ [target]: { link: `${tree.path}/${wish.to}` } })
}

it('after any changes of a tree two readers that share their reads find what two others find', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 4, maxLength: 24 }),
      fc.boolean(),
      fc.constantFrom(2000, 40_000, 1e9),
      async (steps, isContained, bytes) => {
        const tree = tempTree({
          'skills/last/SKILL.md': 'last',
          'outside/SKILL.md': 'outside',
          again: { link: 'skills' },
        })
        try {
          const sharedReads = new SharedReads({ bytes, fileBytes: 25_000, now: later })
          const sharing = [0, 1].map(at => new Engine(at, tree.path, isContained, sharedReads))
          const alone = [0, 1].map(at => new Engine(at, tree.path, isContained))
          const looks: Step[] = [
            { look: [0, 1], isAnew: false },
            { look: [1, 0], isAnew: true },
          ]
          for (const [count, one] of [...steps, ...looks].entries()) {
            if (!('look' in one)) {
              change(tree, one, count)
              continue
            }
            const found = async (all: readonly Engine[]) => Promise.all(one.look.map(at => all[at]?.look(one.isAnew)))
            expect(await found(sharing)).toEqual(await found(alone))
            expect(sharedReads.bytesKept).toBeLessThanOrEqual(bytes)
          }
          expect(sharedReads.filesRead).toBeGreaterThan(0)
        } finally {
          tree.dispose()
        }
      },
    ),
    { numRuns: 80 },
  )
})
