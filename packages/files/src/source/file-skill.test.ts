import { createHash } from 'node:crypto'
import { chmodSync, renameSync, utimesSync } from 'node:fs'
import { createSkills, SkillsError } from '@skills/core'
import { isSkillCommand } from '@skills/skill-md/internal'
import { parseFrontmatter } from '@skills/skill-md'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutRoot } from '@skills/testing'
import { bodyOf, laterHost, loaded, onlyCommand, sourceOver, start, temporary } from '../../test/load.js'

const never = new AbortController().signal

/** Returns every text that can be reached from a value, or that its `toJSON` returns. */
function textsIn(value: unknown, seen = new Set<unknown>()): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  if (value instanceof Uint8Array) return [Buffer.from(value).toString()]
  if (value instanceof Map || value instanceof Set) return [...value].flatMap(item => textsIn(item, seen))
  const said = isSkillCommand(value) ? textsIn(value.toJSON(), seen) : []
  return [...said, ...Reflect.ownKeys(value).flatMap(key => textsIn(Reflect.get(value, key), seen))]
}

describe('the body of a skill', () => {
  it('begins where the full parser has it begin, and is refused where that refuses it', async () => {
    const line = fc.constantFrom(
      'name: a',
      'description: Text: more',
      'description: "Text\\u0041"',
      'description: >',
      '  folded',
      'version: 1',
      '---',
      '--- glued',
      '- x',
      'a: [',
      '# note',
      '',
      '\t',
      '\u0000',
      'words',
    )
    const tree = temporary({})
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 8 }),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        async (lines, end, isFenced) => {
          const text = [...(isFenced ? ['---', 'name: a'] : []), ...lines, ...(isFenced ? ['---', 'Body.'] : [])].join(
            end,
          )
          const bytes = Buffer.from(text)
          tree.write({ 'a/SKILL.md': '---\nname: a\n---\nold' })
          const { list } = await start(sourceOver(tree.path))
          const command = onlyCommand(await list())
          tree.write({ 'a/SKILL.md': bytes })
          const parsed = await parseFrontmatter(bytes)
          const loading = bodyOf(command).catch((error: unknown) => SkillsError.is(error) && error.code)
          expect(await loading).toBe(parsed.ok ? bytes.toString('utf8', parsed.bodyStart) : 'E_INVALID_SKILL')
        },
      ),
      { numRuns: 300 },
    )
  })

  it.each([
    ['that the quick reader understood', '---\nname: a\ndescription: Text.\n---\n'],
    ['that took the full parser', '---\r\nname: a\r\ndescription: Text.\r\n---\r\n'],
    ['without frontmatter', 'Text.\n\n'],
  ])('is nowhere in what a load gives: %s', async (_what, head) => {
    const result = await loaded({ 'a/SKILL.md': `${head}\n\nsome words, then canary-in-the-body` })
    expect(textsIn(result)).toContain('Text.')
    expect(textsIn(result).filter(text => text.includes('canary'))).toEqual([])
    expect(await bodyOf(onlyCommand(result))).toContain('canary-in-the-body')
  })

  it('is read when it is asked for, as it is then', async () => {
    const tree = temporary({ 'a/SKILL.md': '---\nname: a\n---\nold' })
    const { list, invalidated } = await start(sourceOver(tree.path))
    const command = onlyCommand(await list())
    expect(await bodyOf(command)).toBe('old')
    expect(invalidated).toEqual([])
    tree.write({ 'a/SKILL.md': '---\nname: b\nversion: 2\n---\nnew and longer' })
    expect(await bodyOf(command)).toBe('new and longer')
    expect(invalidated).toEqual([[`${tree.path}/a/SKILL.md`]])
  })

  it('is cut off behind a frontmatter that has come, gone or grown since', async () => {
    const tree = temporary({ 'a/SKILL.md': 'plain text' })
    const { list } = await start(sourceOver(tree.path))
    const command = onlyCommand(await list())
    tree.write({ 'a/SKILL.md': `---\ndescription: ${'x'.repeat(9000)}\n---\nbody` })
    expect(await bodyOf(command)).toBe('body')
    tree.write({ 'a/SKILL.md': 'plain again' })
    expect(await bodyOf(command)).toBe('plain again')
  })

  it.each([
    ['deleted', (path: string) => renameSync(`${path}/a/SKILL.md`, `${path}/a/other.md`), 'is gone'],
    ['made unreadable', (path: string) => chmodSync(`${path}/a/SKILL.md`, 0), 'may not be read'],
    ['moved with its folder', (path: string) => renameSync(`${path}/a`, `${path}/b`), 'is gone'],
  ])(
    'of a file that was %s meanwhile is an E_FILE_CHANGED, and the source is told to look again',
    async (_what, change, words) => {
      const tree = temporary({ 'a/SKILL.md': 'body' })
      const { list, invalidated } = await start(sourceOver(tree.path))
      const command = onlyCommand(await list())
      change(tree.path)
      await withoutRoot(async () => {
        await expect(bodyOf(command)).rejects.toMatchObject({
          code: 'E_FILE_CHANGED',
          message: expect.stringContaining(words),
          hint: expect.any(String),
        })
        await expect(command.digest?.({ signal: never })).rejects.toMatchObject({ code: 'E_FILE_CHANGED' })
      })
      expect(invalidated[0]).toEqual([`${tree.path}/a/SKILL.md`])
    },
  )

  it('of a file that a link to the outside has replaced is not read', async () => {
    const tree = temporary({
      'private/text.md': 'secret',
      'private/a/SKILL.md': 'secret',
      'project/skills/a/SKILL.md': 'body',
    })
    const { list } = await start(
      sourceOver([{ path: `${tree.path}/project/skills`, within: [`${tree.path}/project`] }]),
    )
    const command = onlyCommand(await list())
    tree.write({ 'project/skills/a/SKILL.md': { link: '../../../private/text.md' } })
    await expect(bodyOf(command)).rejects.toMatchObject({
      code: 'E_FILE_CHANGED',
      message: expect.stringContaining(`outside ${tree.path}/project.`),
    })
    tree.remove('project/skills/a')
    tree.write({ 'project/skills/a': { link: '../../private/a' } })
    await expect(bodyOf(command)).rejects.toMatchObject({
      code: 'E_FILE_CHANGED',
      message: expect.stringContaining(`outside ${tree.path}/project.`),
    })
  })

  it.each([
    ['unclosed', '---\nname: a\n', 'never closed'],
    ['bytes that are no text', Buffer.from([45, 45, 45, 10, 45, 45, 45, 10, 0, 1, 2]), 'NUL'],
    [
      'invalid UTF-8 in the body',
      Buffer.concat([Buffer.from('---\nname: a\n---\nbody '), Buffer.from([0xff, 0xfe, 0x80])]),
      'UTF-8',
    ],
  ])('of a file that no longer parses is an E_INVALID_SKILL: %s', async (_what, content, words) => {
    const tree = temporary({ 'a/SKILL.md': '---\nname: a\n---\nbody' })
    const { list } = await start(sourceOver(tree.path))
    const command = onlyCommand(await list())
    tree.write({ 'a/SKILL.md': content })
    await expect(bodyOf(command)).rejects.toMatchObject({
      code: 'E_INVALID_SKILL',
      message: expect.stringContaining(`${tree.path}/a/SKILL.md:`),
    })
    await expect(bodyOf(command)).rejects.toThrow(words)
  })

  it('that is no text is an error when it is read, not before', async () => {
    const result = await loaded({
      'a/SKILL.md': Buffer.concat([Buffer.from('---\nname: a\ndescription: Text.\n---\n'), Buffer.from([0, 1, 2])]),
    })
    expect(result.errors).toEqual([])
    await expect(bodyOf(onlyCommand(result))).rejects.toMatchObject({ code: 'E_INVALID_SKILL' })
  })

  it('of a file that has grown too large is refused', async () => {
    const tree = temporary({ 'a/SKILL.md': 'body' })
    const { list } = await start(sourceOver(tree.path))
    const command = onlyCommand(await list())
    tree.write({ 'a/SKILL.md': 'x'.repeat(1024 * 1024 + 1) })
    await expect(bodyOf(command)).rejects.toMatchObject({
      code: 'E_FILE_CHANGED',
      message: expect.stringContaining('1048577 bytes'),
    })
  })

  it('is not read after an abort', async () => {
    const command = onlyCommand(await loaded({ 'a/SKILL.md': 'body' }))
    await expect(bodyOf(command, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
    const controller = new AbortController()
    const reading = bodyOf(command, controller.signal)
    controller.abort('enough')
    await expect(reading).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' })
    await expect(command.digest?.({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('the digest of a skill', () => {
  it('is the SHA-256 of its file, byte by byte', async () => {
    const text = '---\nname: a\n---\nbody 🚀'
    const command = onlyCommand(await loaded({ 'a/SKILL.md': text }))
    expect(await command.digest?.({ signal: never })).toBe(createHash('sha256').update(text).digest('hex'))
  })

  it('is that of the file as it is now, and says so when it changed', async () => {
    const tree = temporary({ 'a/SKILL.md': 'body' })
    const { list, invalidated } = await start(sourceOver(tree.path))
    const command = onlyCommand(await list())
    tree.write({ 'a/SKILL.md': 'BODY' })
    utimesSync(`${tree.path}/a/SKILL.md`, 1, 1)
    expect(await command.digest?.({ signal: never })).toBe(createHash('sha256').update('BODY').digest('hex'))
    expect(invalidated).toHaveLength(1)
  })

  it('is a change too where the file has as many bytes as before and the time that it had', async () => {
    const tree = temporary({ 'a/SKILL.md': 'body' })
    utimesSync(`${tree.path}/a/SKILL.md`, 1, 1)
    const { list, invalidated } = await start(sourceOver(tree.path))
    const command = onlyCommand(await list())
    await new Promise(resolve => setTimeout(resolve, 20))
    tree.write({ 'a/SKILL.md': 'BODY' })
    utimesSync(`${tree.path}/a/SKILL.md`, 1, 1)
    await command.digest?.({ signal: never })
    expect(invalidated).toHaveLength(1)
  })
})

describe('in an engine', () => {
  it('a command whose file is gone leaves the catalog once a read failed', async () => {
    const tree = temporary({ 'a/SKILL.md': 'a', 'b/SKILL.md': 'b' })
    const skills = createSkills({ host: laterHost(), plugins: [sourceOver(tree.path)], onDiagnostic: () => {} })
    const before = await skills.catalog()
    tree.remove('a/SKILL.md')
    expect(await skills.catalog()).toBe(before)
    await expect(bodyOf(before.require('a').command)).rejects.toMatchObject({ code: 'E_FILE_CHANGED' })
    const after = await skills.catalog()
    expect(after.entries.map(({ name }) => name)).toEqual(['b'])
    expect(before.get('a')).toBeDefined()
    expect((await skills.explain('a')).answers[0]).toMatchObject({ status: 'gone' })
    await skills.close()
  })

  it('a command whose file was replaced is another one once it was read', async () => {
    const tree = temporary({ 'a/SKILL.md': '---\ndescription: old\n---\nold' })
    const skills = createSkills({ host: laterHost(), plugins: [sourceOver(tree.path)], onDiagnostic: () => {} })
    const before = (await skills.catalog()).require('a').command
    tree.write({ 'a/SKILL.md': '---\ndescription: newer\n---\nnewer' })
    expect(await bodyOf(before)).toBe('newer')
    expect((await skills.catalog()).require('a').command.description).toBe('newer')
    expect(before.description).toBe('old')
    await skills.close()
  })
})
