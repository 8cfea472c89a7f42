import { readFileSync, symlinkSync } from 'node:fs'
import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { checkText, openToEdit, repairOf, saveText } from './edit.js'

const sound = '---\nname: a\ndescription: Does a.\n---\nText.\r\n'

function project() {
  const tree = tempTree({
    'skills/a/SKILL.md': sound,
    'skills/b/SKILL.md': '---\nname: b\ndescription: Use it: now\n---\nText.\n',
    'other/SKILL.md': sound,
  })
  onTestFinished(() => tree.dispose())
  return { tree, roots: [`${tree.path}/skills`], path: `${tree.path}/skills/a/SKILL.md` }
}

test('a file is saved as it was typed, from the version that it was opened in', async () => {
  const { roots, path } = project()
  const opened = await openToEdit(path, roots)
  if (!('version' in opened)) throw new Error(opened.message)
  expect(opened.text).toBe(sound)
  const text = `${sound}More.\r`
  const saved = await saveText(path, text, { version: opened.version, roots })
  expect(readFileSync(path, 'utf8')).toBe(text)
  expect(saved).toEqual({ version: expect.not.stringContaining(opened.version) })
  expect(await saveText(path, 'Lost.', { version: opened.version, roots })).toMatchObject({
    problem: { code: 'not-saved', message: expect.stringContaining('was changed meanwhile') },
  })
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test('what lies outside of the roots is neither opened nor saved, also behind a link', async () => {
  const { tree, roots } = project()
  const outside = `${tree.path}/other/SKILL.md`
  const link = `${tree.path}/skills/link.md`
  symlinkSync(outside, link)
  for (const path of [outside, link]) {
    expect(await openToEdit(path, roots)).not.toHaveProperty('text')
    expect(await saveText(path, 'x', { version: '', roots })).toHaveProperty('problem')
  }
  expect(readFileSync(outside, 'utf8')).toBe(sound)
})

test('a text is checked without a file, and a repair is shown and not written', async () => {
  const { tree } = project()
  const path = `${tree.path}/skills/b/SKILL.md`
  expect((await checkText(path, sound)).fields?.description).toBe('Does a.')
  expect(await checkText(path, '---\nname: x\n')).not.toHaveProperty('fields')
  const before = readFileSync(path, 'utf8')
  expect(await repairOf(path)).toEqual({ before, after: before.replace('Use it: now', "'Use it: now'") })
  expect(readFileSync(path, 'utf8')).toBe(before)
})
