import { execFileSync } from 'node:child_process'
import { isAbortError } from '@skills/core'
import { fakeHost } from '@skills/testing'
import { describe, expect, it } from 'vitest'
import { inProject, referring, temporary } from '../test/referring.js'
import { filesExpander } from './files.js'

describe('a reference to a file', () => {
  it('becomes what the file holds, and nothing in that is a reference', async () => {
    const { text, found } = await inProject('See @notes.md, then @src/a.ts.', {
      'project/notes.md': 'look at @src/a.ts $&\n',
      'project/src/a.ts': 'code',
    })
    expect([text, found]).toEqual(['See look at @src/a.ts $&\n, then code.', []])
  })

  it('means the file of the skill before that of the working folder', async () => {
    const entries = { 'project/skill/a.md': 'skill', 'project/a.md': 'project', 'project/b.md': 'project' }
    expect((await inProject('@a.md @b.md', entries)).text).toBe('skill project')
  })

  it('means the file of the working folder where something else has its name beside the skill', async () => {
    expect((await inProject('@a', { 'project/skill/a/b': '', 'project/a': 'project' })).text).toBe('project')
  })

  it('is none in code and in addresses', async () => {
    const body = '`@a.md` ``x @a.md`` me@a.md\n```\n@a.md\n```\n'
    expect(await inProject(body, { 'project/a.md': 'BAD' })).toMatchObject({ text: body, found: [] })
  })

  it('is read once, however often it stands there', async () => {
    const { text, found } = await inProject('@missing @missing @a', { 'project/a': 'A' })
    expect([text, found]).toEqual(['@missing @missing A', ['info reference-missing']])
  })

  it('loses a byte order mark and nothing else', async () => {
    expect((await inProject('[@a]', { 'project/a]': '\uFEFF\r\n x \n' })).text).toBe('[\r\n x \n')
  })
})

describe('what stays as it is written, with a finding that says why', () => {
  it.each([
    ['@missing.md', 'info reference-missing', 'which does not exist'],
    ['@../outside/secret.txt', 'warning reference-outside', 'outside the folders'],
    ['@../../../../../../../../etc/passwd', 'warning reference-outside', 'outside the folders'],
    ['@/etc/passwd', 'warning reference-outside', 'outside the folders'],
    ['@link.md', 'warning reference-outside', 'outside the folders'],
    ['@folder-link/secret.txt', 'warning reference-outside', 'outside the folders'],
    ['@large.txt', 'warning reference-too-large', 'larger than 262144 bytes'],
    ['@nul.txt', 'warning reference-binary', 'not text in UTF-8'],
    ['@latin.txt', 'warning reference-binary', 'not text in UTF-8'],
    ['@folder', 'warning reference-unreadable', 'is a folder'],
    ['@dangling', 'warning reference-unreadable', 'leads to nothing'],
    ['@loop', 'warning reference-unreadable', 'cycle'],
    [`@${'x'.repeat(5000)}`, 'warning reference-unreadable', 'cannot be read'],
  ])('%#: %.30j', async (body, finding, message) => {
    const { text, found, messages } = await inProject(body, {
      'project/link.md': { link: '../outside/secret.txt' },
      'project/folder-link': { link: '../outside' },
      'project/large.txt': 'x'.repeat(262_145),
      'project/nul.txt': 'a\0b',
      'project/latin.txt': new Uint8Array([0xe9, 0x20]),
      'project/folder': { dir: true },
      'project/dangling': { link: 'nowhere' },
      'project/loop': { link: 'loop' },
    })
    expect([text, found]).toEqual([body, [finding]])
    expect(messages[0]).toContain(message)
    expect(messages[0]?.length).toBeLessThan(600)
  })

  it.skipIf(process.platform === 'win32')('a named pipe, for which no one waits', async () => {
    const { path } = temporary({ 'project/skill/SKILL.md': '' })
    execFileSync('mkfifo', [`${path}/project/pipe`])
    expect(await referring('@pipe', { host: fakeHost({ cwd: `${path}/project` }) })).toMatchObject({
      text: '@pipe',
      found: ['warning reference-unreadable'],
    })
  })

  it('everything where the folders themselves are not there', async () => {
    const { path } = temporary({})
    expect(await referring('@a @/etc/passwd', { host: fakeHost({ cwd: `${path}/nowhere` }) })).toMatchObject({
      text: '@a @/etc/passwd',
      found: ['info reference-missing', 'warning reference-outside'],
    })
  })

  it('everything in the text of a server', async () => {
    expect(await inProject('@a.md', { 'project/a.md': 'BAD' }, { trust: 'remote' })).toMatchObject({
      text: '@a.md',
      found: [],
    })
  })
})

describe('options', () => {
  it('allow further folders', async () => {
    const { path } = temporary({ 'outside/a.md': 'A' })
    for (const roots of [[`${path}/outside`], () => [`${path}/outside/`]])
      expect((await referring(`@${path}/outside/a.md`, { options: { roots } })).text).toBe('A')
  })

  it('hand the host to the rule that names folders', async () => {
    expect((await inProject('@~/a.md', { 'home/a.md': 'A' }, { options: { roots: ({ home }) => [home] } })).text).toBe(
      'A',
    )
  })

  it('limit one file, and all of one text', async () => {
    const entries = { 'project/a': '12345', 'project/b': '123' }
    expect(await inProject('@a @b', entries, { options: { maxBytes: 4 } })).toMatchObject({
      text: '@a 123',
      found: ['warning reference-too-large'],
    })
    expect(await inProject('@a @a @a @b', entries, { options: { maxTotalBytes: 8 } })).toMatchObject({
      text: '12345 @a @a 123',
      found: ['warning reference-limit'],
    })
  })

  it('counts each reference to a file towards the limit', async () => {
    const { text, found } = await inProject('@a\n'.repeat(10_000), { 'project/a': 'x'.repeat(262_144) })
    expect(text.length).toBe(16 * 262_144 + 16 + (10_000 - 16) * 3)
    expect(found).toEqual(['warning reference-limit'])
  })

  it.each([0, -1, 1.5, Number.NaN])('refuse a limit of %s', limit => {
    expect(() => filesExpander({ maxBytes: limit })).toThrow(expect.objectContaining({ code: 'E_INVALID_OPTION' }))
    expect(() => filesExpander({ maxTotalBytes: limit })).toThrow(expect.objectContaining({ code: 'E_INVALID_OPTION' }))
  })
})

it('stops when it is aborted', async () => {
  const controller = new AbortController()
  const roots = (): readonly string[] => {
    controller.abort()
    return []
  }
  const error: unknown = await referring('@a', { options: { roots }, signal: controller.signal }).catch(
    (thrown: unknown) => thrown,
  )
  expect(isAbortError(error)).toBe(true)
})
