import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporary, textTree } from '../test/text-tree.js'
import { unsharedReads } from './probe.js'

/** Skills `below` folders deep, three in each of twenty folders. */
function tree(below: string): string {
  return temporary(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${at % 20}/${below}s${at}/SKILL.md`, `text ${at}`]))).path
}

describe('a scan with callbacks', () => {
  it.each(['', 'a/', 'a/b/'])('waits for no file by itself, however deep: %j', async below => {
    const atOnce = vi.spyOn(unsharedReads, 'probeSync')
    onTestFinished(() => atOnce.mockRestore())
    const { scan } = textTree(tree(below), { reads: 'callbacks' })
    expect((await scan()).items).toHaveLength(60)
    expect(atOnce.mock.calls.map(([path]) => path)).toEqual([])
  })
})
