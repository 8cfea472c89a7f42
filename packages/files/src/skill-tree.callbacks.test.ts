import { withRead } from '@skills/store/internal'
import { describe, expect, it } from 'vitest'
import { temporary, textTree } from '../test/text-tree.js'
import { LocalStore } from './local-store.js'

/** Makes skills in folders `below`, three in each of twenty folders. */
function tree(below: string): string {
  return temporary(
    Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${at % 20}/${below}s${at}/SKILL.md`, `text ${at}`])),
  ).path
}

describe('a scan with callbacks', () => {
  it.each(['', 'a/', 'a/b/'])('waits for no file by itself, however deep: %j', async below => {
    const disk = new LocalStore({ reads: 'callbacks' })
    let [underWay, most] = [0, 0]
    const store = withRead(disk, async (path, call) => {
      most = Math.max(most, ++underWay)
      return await Promise.resolve(disk.read(path, call)).finally(() => underWay--)
    })
    const { scan } = textTree(tree(below), { store })
    expect((await scan()).items).toHaveLength(60)
    expect(most).toBeGreaterThan(8)
  })
})
