import { expect, it } from 'vitest'
// #region store
import { createHash } from 'node:crypto'
import { TreeStore, type TreeEntry } from '@skills/store'
import { testStore } from '@skills/testing/vitest'

/** Makes a store over the rows of a table, each a path and a blob. */
function tableStore(rows: () => Iterable<readonly [path: string, blob: Buffer]>) {
  const entryOf = (blob: Buffer): TreeEntry => ({
    size: blob.length,
    version: createHash('sha256').update(blob).digest('hex'),
    read: () => blob,
  })
  return new TreeStore({
    root: 'table:',
    id: 'table',
    entries: () => new Map(Array.from(rows(), ([path, blob]) => [path, entryOf(blob)])),
  })
}

testStore(
  'a table',
  samples => {
    const table = new Map<string, Buffer>()
    const change = (changed: Readonly<Record<string, unknown>>): void => {
      for (const [path, content] of Object.entries(changed)) {
        if (typeof content === 'string' || content instanceof Uint8Array) table.set(path, Buffer.from(content))
        else table.delete(path)
      }
    }
    change(samples)
    return { store: tableStore(() => table), root: 'table:', change }
  },
  {
    without: {
      asked: 'Its table is in memory.',
      held: 'It holds nothing open.',
      links: 'A row is a file.',
      sizes: 'It takes sizes from the blobs.',
      watch: 'It is asked.',
    },
  },
)
// #endregion store

it('has no entry where it has no row', () => {
  expect(tableStore(() => []).list('table:', { signal: new AbortController().signal })).toMatchObject({
    folders: [],
    files: [],
  })
})
