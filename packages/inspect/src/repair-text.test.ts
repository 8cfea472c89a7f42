import { lstatSync, readFileSync, readdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { lintFiles } from './lint-files.js'
import { closedText, decodedText } from './repair-text.js'

function temporary(entries: TreeEntries): TempTree {
  const tree = tempTree(entries)
  onTestFinished(() => tree.dispose())
  return tree
}

const text = '---\nname: a\ndescription: Does ä.\n---\nText.\n'

test.each([
  ['little-endian with its mark', Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ['little-endian without one', Buffer.from(text, 'utf16le')],
  ['big-endian', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
])('UTF-16, %s, becomes UTF-8', async (_what, content) => {
  const tree = temporary({ 'a/SKILL.md': content })
  const { files } = await lintFiles([`${tree.path}/a/SKILL.md`], { fix: true })
  expect(files[0]).toMatchObject({ diagnostics: [], isRepairable: false })
  expect(files[0]?.fixed).toHaveLength(1)
  expect(readFileSync(`${tree.path}/a/SKILL.md`, 'utf8')).toBe(text)
})

test('half a character and other encodings are not converted', () => {
  expect(decodedText(Buffer.from(`\uFEFF---\n\uD800`, 'utf16le'))).toBeUndefined()
  expect(decodedText(Buffer.from('---\nname: ä', 'latin1'))).toBeUndefined()
  expect(decodedText(Buffer.from('\uFEFF-', 'utf16le').subarray(0, 3))).toBeUndefined()
})

test.each([
  ['---\nname: a\n\n# Title\n', '---\nname: a\n---\n\n# Title\n'],
  ['---\nname: a\n# Title\n', '---\nname: a\n---\n# Title\n'],
  ['---\nname: a', '---\nname: a\n---\n'],
  ['---\nname: a\nlist:\n- b\n  - c\nText.\n', '---\nname: a\nlist:\n- b\n  - c\n---\nText.\n'],
  ['---\nname: a\n----\nText: is below.\n', '---\nname: a\n---\nText: is below.\n'],
  ['---\r\nname: a\r\n—\r\nText.\r\n', '---\r\nname: a\r\n---\r\nText.\r\n'],
])('%j is closed where its keys end', (before, after) => {
  expect(closedText(before)).toBe(after)
})

test.each([
  '---\nText.\n',
  '---\nname: a\nText.\nother: b\n',
  '---\nname: a\n\ndescription: b\n',
  'name: a\n',
  '---\n',
])('%j is left to a person', before => {
  expect(closedText(before)).toBeUndefined()
})

test('a misspelt field gets its name, unless the field is there, grants something, or another is as close', async () => {
  const tree = temporary({
    'a/SKILL.md': '---\nname: a\ndescripton: Does it. # note\nalowed-tools: Bash(*)\nmodle: big\n---\nText.\n',
    'b/SKILL.md': '---\nname: b\ndescription: Does it.\ndescripton: Twice.\n---\nText.\n',
  })
  const paths = ['a', 'b'].map(name => `${tree.path}/${name}/SKILL.md`)
  const before = await lintFiles(paths)
  expect(before.files.map(({ isRepairable }) => isRepairable)).toEqual([true, false])
  await lintFiles(paths, { fix: true })
  expect(readFileSync(paths[0] ?? '', 'utf8')).toBe(
    '---\nname: a\ndescription: Does it. # note\nalowed-tools: Bash(*)\nmodle: big\n---\nText.\n',
  )
  expect(readFileSync(paths[1] ?? '', 'utf8')).toContain('descripton: Twice.')
})

test('skill.md is renamed, and its other repairs are written too', async () => {
  const tree = temporary({ 'a/skill.md': '---\ndescription: Use it: now\n---\nText.\n' })
  const { files } = await lintFiles([`${tree.path}/a/skill.md`], { fix: true })
  expect(files[0]?.fixed.map(({ code }) => code)).toEqual(['unquoted-text', 'other-case'])
  expect(files[0]?.diagnostics).toEqual([])
  expect(readdirSync(`${tree.path}/a`)).toEqual(['SKILL.md'])
  expect(readFileSync(`${tree.path}/a/SKILL.md`, 'utf8')).toContain("'Use it: now'")
})

test('a file that is reached through a linked folder is repaired once, in its place', async () => {
  const tree = temporary({
    'own/a/SKILL.md': '---\ndescription: Use it: now\n---\nText.\n',
    'agent/a': { link: '../own/a' },
  })
  const paths = ['agent', 'own'].map(name => `${tree.path}/${name}/a/SKILL.md`)
  const { files, counts } = await lintFiles(paths, { fix: true })
  expect(files.map(({ diagnostics }) => diagnostics)).toEqual([[], []])
  expect(counts.fixedFiles).toBe(1)
  expect(lstatSync(`${tree.path}/agent/a`).isSymbolicLink()).toBe(true)
  expect(readFileSync(paths[1] ?? '', 'utf8')).toContain("'Use it: now'")
})
