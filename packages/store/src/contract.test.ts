import { testStore } from '@skills/testing/vitest'
import { MemoryStore, TreeStore, type TreeEntry } from './index.js'

testStore(
  'files in memory',
  (samples, { sizes = {} } = {}) => {
    const store = new MemoryStore(samples)
    if (Object.keys(sizes).length > 0)
      return {
        store: new TreeStore({ root: 'memory:', id: 'lying', entries: () => lying(samples, sizes) }),
        root: 'memory:',
      }
    return {
      store,
      root: store.root,
      change(changed) {
        for (const [path, content] of Object.entries(changed)) {
          if (content === undefined) store.remove(path)
          else store.set(path, content)
        }
      },
    }
  },
  { without: { asked: 'Memory is not asked.', held: 'Nothing is held open.' } },
)

function lying(
  samples: ConstructorParameters<typeof MemoryStore>[0] = {},
  sizes: Readonly<Record<string, number>>,
): ReadonlyMap<string, TreeEntry> {
  return new Map(
    Object.entries(samples).flatMap(([path, content]) => {
      if (typeof content !== 'string') return []
      return [[path, { size: sizes[path] ?? content.length, version: '1', read: () => Buffer.from(content) }] as const]
    }),
  )
}
