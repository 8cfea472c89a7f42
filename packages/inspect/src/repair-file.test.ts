import { chmodSync, linkSync, lstatSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { tempTree, withoutRoot, type TempTree } from '@skills/testing'
import { checkFile } from './check-file.js'
import { lintFiles } from './lint-files.js'
import { replaceFile } from './replace-file.js'

let tree: TempTree
afterEach(() => tree.dispose())

const broken = '---\ndescription: Use it: now\n---\nBody.\n'
const whole = "---\ndescription: 'Use it: now'\n---\nBody.\n"

async function fix(path = 'greet/SKILL.md') {
  const {
    files: [file],
    counts,
  } = await lintFiles([`${tree.path}/${path}`], { fix: true })
  return {
    file,
    counts,
    text: readFileSync(`${tree.path}/${path}`, 'utf8'),
    codes: file?.diagnostics.map(({ code }) => code),
  }
}

test('a repair is written, and what it was for is told', async () => {
  tree = tempTree({ 'greet/SKILL.md': broken })
  const { file, counts, text } = await fix()
  expect(text).toBe(whole)
  expect(file?.fixed.map(({ code, line }) => [code, line])).toEqual([['unquoted-text', 2]])
  expect(file?.diagnostics).toEqual([])
  expect(counts).toEqual({ files: 1, errors: 0, warnings: 0, infos: 0, fixedFiles: 1 })
  expect(readdirSync(`${tree.path}/greet`)).toEqual(['SKILL.md'])
})

test('content that another process wrote meanwhile is no failure when it is the same', async () => {
  tree = tempTree({ 'greet/SKILL.md': broken })
  const path = `${tree.path}/greet/SKILL.md`
  const { content } = await checkFile(path, {})
  if (content === undefined) throw new Error('There is no such file.')
  writeFileSync(path, 'other')
  expect(await replaceFile(content.identity, Buffer.from(whole))).toMatchObject({
    code: 'not-repaired',
    message: expect.stringContaining('changed by another program'),
  })
  writeFileSync(path, whole)
  expect(await replaceFile(content.identity, Buffer.from(whole))).toBeUndefined()
  expect(readdirSync(`${tree.path}/greet`)).toEqual(['SKILL.md'])
})

test('many repairs of one file at once all succeed, and leave nothing beside it', async () => {
  for (let turn = 0; turn < 5; turn++) {
    tree = tempTree({ 'greet/SKILL.md': broken })
    const results = await Promise.all(
      Array.from({ length: 8 }, () => lintFiles([`${tree.path}/greet/SKILL.md`], { fix: true })),
    )
    expect(results.flatMap(({ files }) => files.flatMap(({ diagnostics }) => diagnostics))).toEqual([])
    expect(readFileSync(`${tree.path}/greet/SKILL.md`, 'utf8')).toBe(whole)
    expect(readdirSync(`${tree.path}/greet`)).toEqual(['SKILL.md'])
    if (turn < 4) tree.dispose()
  }
})

test('a byte order mark, line ends, the body and the mode stay byte for byte', async () => {
  tree = tempTree({
    'greet/SKILL.md': {
      content: '\uFEFF---\r\ndescription: Use it: now\r\n# note\r\nversion: 1.10\r\n---\r\nBody \r\n\tmixed\nends\r\n',
      mode: 0o754,
    },
  })
  const { text } = await fix()
  expect(text).toBe(
    "\uFEFF---\r\ndescription: 'Use it: now'\r\n# note\r\nversion: 1.10\r\n---\r\nBody \r\n\tmixed\nends\r\n",
  )
  expect(statSync(`${tree.path}/greet/SKILL.md`).mode & 0o7777).toBe(0o754)
})

test('a file that needs no repair is not touched, anything else is wrong with it', async () => {
  tree = tempTree({ 'greet/SKILL.md': '---\ndescription: x\nuser-invocable: maybe\n---\nx' })
  const before = statSync(`${tree.path}/greet/SKILL.md`, { bigint: true })
  const { file, codes } = await fix()
  const after = statSync(`${tree.path}/greet/SKILL.md`, { bigint: true })
  expect({ ino: after.ino, ctime: after.ctimeNs }).toEqual({ ino: before.ino, ctime: before.ctimeNs })
  expect(file?.fixed).toEqual([])
  expect(codes).toEqual(['invalid-boolean'])
})

test('what a repair does not settle stays, at its new place', async () => {
  tree = tempTree({ 'greet/SKILL.md': '<!-- note -->\n---\ndescription: Use it: now\nuser-invocable: maybe\n---\nx' })
  const { file, text } = await fix()
  expect(file?.fixed.map(({ code }) => code)).toEqual(['leading-comment', 'unquoted-text'])
  expect(file?.diagnostics.map(({ code, line }) => [code, line])).toEqual([['invalid-boolean', 3]])
  expect(text).toBe("---\ndescription: 'Use it: now'\nuser-invocable: maybe\n---\n<!-- note -->\nx")
})

test('through a link its real file is written and the link stays a link', async () => {
  tree = tempTree({
    'real/prompt.md': { content: broken, mode: 0o640 },
    'greet/SKILL.md': { link: '../real/prompt.md' },
  })
  const { text } = await fix()
  expect(text).toBe(whole)
  expect(lstatSync(`${tree.path}/greet/SKILL.md`).isSymbolicLink()).toBe(true)
  expect(readFileSync(`${tree.path}/real/prompt.md`, 'utf8')).toBe(whole)
  expect(readdirSync(`${tree.path}/real`)).toEqual(['prompt.md'])
})

test('another name of the same file keeps the old text: a repair is a new file', async () => {
  tree = tempTree({ 'greet/SKILL.md': broken })
  linkSync(`${tree.path}/greet/SKILL.md`, `${tree.path}/other.md`)
  expect((await fix()).text).toBe(whole)
  expect(readFileSync(`${tree.path}/other.md`, 'utf8')).toBe(broken)
})

test('a read-only file is left alone and said to be so', async () => {
  tree = tempTree({ 'greet/SKILL.md': { content: broken, mode: 0o444 } })
  const { file, text, codes } = await fix()
  expect(text).toBe(broken)
  expect(codes).toEqual(['not-repaired', 'unquoted-text'])
  expect(file?.diagnostics[0]).toMatchObject({ severity: 'error', path: `${tree.path}/greet/SKILL.md` })
  expect(file?.isRepairable).toBe(true)
})

// Root may write anywhere, so the repair is made as another user.
test.runIf(process.geteuid?.() === 0).each([
  ['folder', 0o555, 0o666],
  ['file of another user', 0o777, 0o644],
])('a read-only %s is said to be so, and nothing is lost', async (_what, folderMode, fileMode) => {
  tree = tempTree({ greet: { dir: true, mode: folderMode }, 'greet/SKILL.md': { content: broken, mode: fileMode } })
  chmodSync(tree.path, 0o755)
  await withoutRoot(async () => {
    const { text, file } = await fix()
    expect(text).toBe(broken)
    expect(file?.diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ['not-repaired', expect.stringContaining(`${tree.path}/greet/SKILL.md `) as string],
      ['unquoted-text', expect.any(String)],
    ])
    expect(readdirSync(`${tree.path}/greet`)).toEqual(['SKILL.md'])
  })
})

test.runIf(process.geteuid?.() === 0)(
  'a file whose owner would be another afterwards is left alone, and the reason is told',
  async () => {
    tree = tempTree({ greet: { dir: true, mode: 0o777 }, 'greet/SKILL.md': { content: broken, mode: 0o666 } })
    chmodSync(tree.path, 0o755)
    await withoutRoot(async () => {
      const { text, file } = await fix()
      expect(text).toBe(broken)
      expect(file?.diagnostics[0]).toMatchObject({ code: 'not-repaired', hint: expect.stringContaining('owner') })
      expect(readdirSync(`${tree.path}/greet`)).toEqual(['SKILL.md'])
    })
  },
)

test('a file that was changed since it was read is not written', async () => {
  tree = tempTree({ 'greet/SKILL.md': broken })
  const { content } = await checkFile(`${tree.path}/greet/SKILL.md`, {})
  if (content === undefined) throw new Error('it is readable')
  tree.write({ 'greet/SKILL.md': 'Written by another process.' })
  expect(await replaceFile(content.identity, Buffer.from(whole))).toMatchObject({
    code: 'not-repaired',
    message: expect.stringContaining('changed'),
  })
  expect(readFileSync(`${tree.path}/greet/SKILL.md`, 'utf8')).toBe('Written by another process.')
  expect(readdirSync(`${tree.path}/greet`)).toEqual(['SKILL.md'])
})
