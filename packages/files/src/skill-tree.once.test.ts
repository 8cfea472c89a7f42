import { execFileSync } from 'node:child_process'
import { closeSync, constants, lstatSync, mkdirSync, openSync, symlinkSync, writeSync } from 'node:fs'
import { createServer } from 'node:net'
import type { FileIdentity } from '@skills/core'
import { expect, it, onTestFinished } from 'vitest'
import { foundIn, problemsIn, temporary, textTree } from '../test/text-tree.js'
import { readNow } from './file-reads.js'

const text = '---\nname: x\n---\n'

it.skipIf(process.platform === 'win32')('looking once takes nothing for a file that is none', async () => {
  const { path } = temporary({
    'plain/SKILL.md': text,
    'other/SKILL.md': 'no fence',
    'empty/SKILL.md': '',
    'head/SKILL.md': `${text}${'x'.repeat(16 * 1024 - text.length)}`,
    'more/SKILL.md': `${text}${'x'.repeat(20_000)}`,
    'much/SKILL.md': `${text}${'x'.repeat(60_000)}`,
    'folder/SKILL.md/readme': '',
    'linked/SKILL.md': { link: '../plain/SKILL.md' },
  })
  for (const name of ['pipe', 'socket', 'device']) mkdirSync(`${path}/${name}`)
  execFileSync('mkfifo', [`${path}/pipe/SKILL.md`])
  // A pipe with a writer gives bytes to its reader.
  const writer = openSync(`${path}/pipe/SKILL.md`, constants.O_RDWR | constants.O_NONBLOCK)
  writeSync(writer, text)
  onTestFinished(() => closeSync(writer))
  const server = createServer()
  await new Promise<void>(resolve => void server.listen(`${path}/socket/SKILL.md`, resolve))
  onTestFinished(() => void server.close())
  symlinkSync('/dev/zero', `${path}/device/SKILL.md`)

  const found = await textTree(path, { fileBytes: 50_000, looksOnce: true }).scan()
  expect(found).toEqual(await textTree(path, { fileBytes: 50_000 }).scan())
  expect(foundIn(found)).toEqual(['empty', 'head', 'linked', 'more', 'other', 'plain'])
  expect(problemsIn(found, path)).toEqual([
    'error not-a-file device/SKILL.md',
    'error not-a-file folder/SKILL.md',
    'error file-too-large much/SKILL.md',
    'error not-a-file pipe/SKILL.md',
    'error not-a-file socket/SKILL.md',
  ])
})

it.skipIf(process.platform === 'win32')(
  'a device that gives no byte is no file, however the file before it began',
  () => {
    const { path } = temporary({ 'a/SKILL.md': text })
    const call = { maxBytes: 50_000, stats: 'on-use' } as const
    expect([`${path}/a/SKILL.md`, '/dev/null'].map(file => readNow(file, call)?.found)).toEqual(['file', 'other'])
  },
)

it('the identity of a file that is looked at once is asked for on use', async () => {
  const { path, write } = temporary({ 'a/SKILL.md': text })
  const identities: FileIdentity[] = []
  await textTree(path, { looksOnce: true, onRead: ({ identity }) => identities.push(identity) }).scan()
  write({ 'a/SKILL.md': `${text}more` })
  const { dev, ino, mtimeMs, ctimeMs } = lstatSync(`${path}/a/SKILL.md`)
  const [{ size, ...asked }] = identities.map(one => ({
    realPath: one.realPath,
    size: one.size,
    dev: one.dev,
    ino: one.ino,
    mtimeMs: one.mtimeMs,
    ctimeMs: one.ctimeMs,
  })) as [FileIdentity]
  expect(asked).toEqual({ realPath: `${path}/a/SKILL.md`, dev, ino, mtimeMs, ctimeMs })
  expect(size).toBe(text.length)
})
