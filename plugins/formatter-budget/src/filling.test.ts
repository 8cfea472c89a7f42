import { expect, test } from 'vitest'
import { entryOf, fitting, start } from '../test/listing.js'
import type { CatalogEntry } from '@skills/core'

const nested = (folder: string, name: string, more: object = {}, entry: Partial<CatalogEntry> = {}): CatalogEntry => ({
  ...entryOf(name, `Does ${name}.`, { source: 'project', qualifier: folder, isScoped: true, ...more }),
  provider: 'nested',
  ...entry,
})

async function rows(entries: readonly CatalogEntry[]): Promise<readonly string[]> {
  const options = { strategy: 'filling', sorts: 'places', showsScope: true, showsDisplayName: 'qualified' } as const
  return (await (await start(fitting(options))).format(entries, 200_000)).text.split('\n')
}

test('the folder that a nested skill is for stands before its when-to-use', async () => {
  expect(await rows([nested('w', 'one', { whenToUse: 'Often.' })])).toEqual([
    '- one: Does one. (from w/.claude/skills — applies when working on files under w/) - Often.',
  ])
})

test('skills that a touched file brought follow all others, by their own names', async () => {
  const all = [
    entryOf('z', 'Does z.', { source: 'project', paths: ['*.ts'] }),
    entryOf('b', 'Does b.', { source: 'project' }),
    nested('w', 'b', {}, { name: 'w:b', isQualified: true }),
    nested('w', 'a'),
  ]
  expect((await rows(all)).map(row => row.slice(0, row.indexOf(': ')))).toEqual(['- b', '- a', '- w:b', '- z'])
})

test('a display name is shown if it calls the skill, and no other command has it', async () => {
  const all = [
    entryOf('a', 'A.', { displayName: 'b' }),
    entryOf('b', 'B.', { displayName: 'x' }),
    entryOf('c', 'C.', { displayName: 'x' }),
    nested('w', 'd', { displayName: 'y' }, { name: 'w:d', isQualified: true }),
  ]
  expect((await rows(all)).map(row => row.slice(0, row.indexOf(': ')))).toEqual(['- a', '- b (x)', '- c', '- w:d'])
})
