import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { fakeHost, tempTree } from '@skills/testing'
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
  return {
    tree,
    roots: [`${tree.path}/skills`],
    host: fakeHost({ home: tree.path }),
    path: `${tree.path}/skills/a/SKILL.md`,
  }
}

test('a file is saved as it was typed, from the version that it was opened in', async () => {
  const { roots, path, host } = project()
  const opened = await openToEdit(path, roots)
  if (!('version' in opened)) throw new Error(opened.message)
  expect(opened.text).toBe(sound)
  const text = `${sound}More.\r`
  const saved = await saveText(path, text, { version: opened.version, roots, host })
  expect(readFileSync(path, 'utf8')).toBe(text)
  expect(saved).toEqual({ version: expect.not.stringContaining(opened.version) })
  expect(await saveText(path, 'Lost.', { version: opened.version, roots, host })).toMatchObject({
    problem: { code: 'not-saved', message: expect.stringContaining('was changed by another program') },
  })
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test('what lies outside of the roots is neither opened nor saved, also behind a link', async () => {
  const { tree, roots, host } = project()
  const outside = `${tree.path}/other/SKILL.md`
  const link = `${tree.path}/skills/link.md`
  symlinkSync(outside, link)
  for (const path of [outside, link]) {
    expect(await openToEdit(path, roots)).not.toHaveProperty('text')
    expect(await saveText(path, 'x', { version: '', roots, host })).toHaveProperty('problem')
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

test('of two that are saved at one time, also by two processes, one is told that it was changed', async () => {
  const { tree, roots, path } = project()
  const from = fileURLToPath(new URL('edit.ts', import.meta.url))
  const program = `
    import { openToEdit, saveText } from ${JSON.stringify(from)}
    const after = (ms, run) => { const timer = setTimeout(run, ms); return () => clearTimeout(timer) }
    const host = { env: {}, home: ${JSON.stringify(tree.path)}, platform: process.platform, clock: { after } }
    const roots = ${JSON.stringify(roots)}
    const path = ${JSON.stringify(path)}
    process.on('message', async ({ version, text }) => process.send(await saveText(path, text, { version, roots, host })))
    process.send('up')`
  await build({
    stdin: { contents: program, resolveDir: dirname(from) },
    outfile: `${tree.path}/saver.mjs`,
    bundle: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    logLevel: 'silent',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
  })
  const savers = [0, 1].map(() => fork(`${tree.path}/saver.mjs`))
  onTestFinished(() => savers.forEach(one => void one.kill()))
  await Promise.all(savers.map(one => once(one, 'message')))
  for (let turn = 0; turn < 20; turn++) {
    const opened = await openToEdit(path, roots)
    if (!('version' in opened)) throw new Error(opened.message)
    const answers = await Promise.all(
      savers.map(async (one, at) => {
        const answer = once(one, 'message')
        one.send({ version: opened.version, text: `${sound}${turn} ${at}` })
        return (await answer)[0] as object
      }),
    )
    const saved = answers.flatMap((answer, at) => ('version' in answer ? [`${sound}${turn} ${at}`] : []))
    expect(saved).toEqual([readFileSync(path, 'utf8')])
  }
})
