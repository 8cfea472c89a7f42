import { describe, expect, it, onTestFinished } from 'vitest'
import { tempTree, type TreeEntries } from '@skills/testing'
import { saveTree, SkillTree, stampsOfFile, TreeMemory, type RememberedTree, type SavedTree } from './index.js'

const never = new AbortController().signal
const later = Date.now() + 60_000

function treeOver(root: string): { readonly tree: SkillTree<string>; readonly read: string[] } {
  const read: string[] = []
  const tree = new SkillTree<string>({
    root, walk: 'deep', now: () => later,
    read: ({ path }, { bytes, length }) => {
      read.push(path.slice(root.length + 1))
      return `${path.slice(root.length + 1)}: ${bytes.toString('utf8', 0, length)}`
    },
  })
  return { tree, read }
}

function temporary(entries: TreeEntries): string {
  const tree = tempTree(entries)
  onTestFinished(() => tree.dispose())
  return `${tree.path}/root`
}

const entries = { 'root/a/SKILL.md': 'a', 'root/b/c/SKILL.md': 'c', 'root/b/d': { link: '../../e' }, 'e/SKILL.md': 'e', 'root/f/SKILL.md': { link: '../../e/SKILL.md' }, 'root/g/skill.md': 'g' } as const

function remembered({ items, files, ...where }: SavedTree<string>, changes: Partial<RememberedTree<string>> = {}): TreeMemory<string> {
  const stamps = Float64Array.from(files.flatMap(({ dev, ino, size, mtimeMs, ctimeMs }) => [dev, ino, size, mtimeMs, ctimeMs]))
  return new TreeMemory({ ...where, stamps, savedAt: later, itemAt: at => items[at] ?? 'none', ...changes })
}

async function saved(root: string, keeps: (item: string) => boolean = () => true): Promise<SavedTree<string>> {
  const { tree } = treeOver(root)
  await tree.scan(never)
  const kept = saveTree(tree, keeps)
  if (kept === undefined) throw new Error('Nothing was saved.')
  return kept
}

describe('a tree that was saved', () => {
  it('is resumed without reading a file, links and names in another case included', async () => {
    const root = temporary(entries)
    const known = await saved(root)
    const { tree, read } = treeOver(root)
    const state = await tree.resume(remembered(known), never)
    expect(state).toEqual(await treeOver(root).tree.scan(never))
    expect(state?.items).toHaveLength(5)
    expect([read, tree.filesRead]).toEqual([[], 0])
    expect(saveTree(tree, () => true)?.shape).toBe(known.shape)
  })

  it('holds only what may be kept, and the rest is read', async () => {
    const root = temporary(entries)
    const known = await saved(root, item => !item.startsWith('a/'))
    const { tree, read } = treeOver(root)
    expect(await tree.resume(remembered(known), never)).toEqual(await treeOver(root).tree.scan(never))
    expect(read).toEqual(['a/SKILL.md'])
    // What was read now is sure by now, though its folder was listed earlier.
    expect(saveTree(tree, () => true)?.items).toHaveLength(5)
  })

  it('is looked at anew as far as it is later than when it was saved', async () => {
    const root = temporary(entries)
    const { tree, read } = treeOver(root)
    expect(await tree.resume(remembered(await saved(root), { savedAt: Date.now() - 60_000 }), never)).toEqual(await treeOver(root).tree.scan(never))
    expect(read).toHaveLength(5)
  })

  it('of another folder that the root leads to by now is not taken for it', async () => {
    const root = temporary(entries)
    const known = await saved(root)
    const { tree, read } = treeOver(root)
    expect(await tree.resume(remembered({ ...known, realPath: `${known.realPath}-before` }), never)).toEqual(await treeOver(root).tree.scan(never))
    expect(read).toHaveLength(5)
  })

  it('gives nothing for a root that is not there', async () => {
    const { tree } = treeOver(temporary({}))
    await tree.scan(never)
    expect(saveTree(tree, () => true)).toBeUndefined()
  })
})

describe('the shape of a tree', () => {
  const listing = { names: ['a'], stamps: null, hasLinks: false, tooDeep: 0, tooMany: 0, without: [], folders: [] }

  it.each<[string, unknown]>([
    ['no JSON', undefined], ['a list', []], ['empty', {}], ['of two kinds', { file: '/x', listing }], ['with a path that is no text', { file: 1 }],
    ['with problems that are none', { listing, problems: ['x'] }], ['without names', { listing: { ...listing, names: undefined } }], ['with a name that is a path', { listing: { ...listing, names: ['../a'] } }],
    ['with a row twice', { listing: { ...listing, names: ['a', 'b', 'c'], without: [1, 1] } }], ['with a row beyond the last', { listing: { ...listing, without: [3] } }],
    ['with a folder in a row of a skill', { listing: { ...listing, folders: [[0, { file: '/x' }]] } }], ['with more files than there are', { listing: { ...listing, names: ['a', 'b'] } }],
    ['with fewer files than there are', { listing: { ...listing, names: [] } }], ['with stamps that are none', { listing: { ...listing, stamps: [1] } }],
    ['with loose files that have no names', { listing: { ...listing, loose: [1] } }], ['with a count that is none', { listing: { ...listing, tooDeep: '1' } }],
    ['with a link that is not said', { listing: { ...listing, hasLinks: 1 } }], ['with rows that are none', { listing: { ...listing, without: 1 } }],
    ['with a folder that is none', { listing: { ...listing, without: [0], folders: [[0, {}]] } }],
  ])('that is %s is none, and nothing is looked at', async (_what, shape) => {
    const root = temporary({ 'root/a/SKILL.md': 'a' })
    const { tree, read } = treeOver(root)
    const memory = { realPath: root, isFile: false, shape: shape === undefined ? '{' : JSON.stringify(shape), stamps: new Float64Array(stampsOfFile), savedAt: later, itemAt: () => 'x' }
    expect([await tree.resume(new TreeMemory(memory), never), read, tree.foldersListed]).toEqual([undefined, [], 0])
    // A sound one of this length would have been taken.
    expect((await tree.resume(new TreeMemory({ ...memory, shape: JSON.stringify({ listing }) }), never))?.items).toEqual(['a/SKILL.md: a'])
  })
})
