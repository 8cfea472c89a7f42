import { readFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bodyOf } from './load.js'
import { indexed, sample } from './indexed.js'

describe('a start with an index', () => {
  it('says the same as one without, and reads no unchanged file', async () => {
    const { list, fresh, bytesRead } = indexed()
    const expected = await fresh()
    expect(await list()).toBe(expected)
    let warm = ''
    expect(await bytesRead(async () => (warm = await list()))).toBe(0)
    expect(warm).toBe(expected)
    expect(warm).toContain('half ')
  })

  it('reads a sound skill that only the full parser understands, and one that a comment precedes, no second time', async () => {
    const { list, fresh, bytesRead } = indexed({ 'all/root/a/SKILL.md': `<!-- ${'x'.repeat(5000)} -->\n---\ndescription: Text.\n---\nBody` })
    const cold = await list()
    expect(cold).toBe(await fresh())
    expect(await bytesRead(list)).toBe(0)
    expect(await list()).toBe(cold)
  })

  it('is the same for folders of commands, of a plugin, and with files beside a skill', async () => {
    const plugin = { name: 'p', from: 'user', path: '/', resolveVariable: () => undefined }
    const layouts = [{ layout: { holds: 'commands' } }, { plugin }, { hasSidecars: true }, { mayBeSkill: true }, { layout: { walk: 'flat', fields: { limits: { description: 3 } } } }] as const
    for (const root of layouts) {
      const { list, fresh, bytesRead } = indexed({
        ...sample, 'all/root/loose.md': 'A file.', 'all/root/group/loose.md': 'Another.', 'all/root/plain/agents/openai.yaml': 'policy:\n  allow_implicit_invocation: false\n',
      }, {}, root)
      const cold = await list()
      expect(cold).toBe(await fresh())
      expect(await bytesRead(list)).toBe(0)
      expect(await list()).toBe(cold)
    }
  })

  it('loads bodies, digests and explanations as any other', async () => {
    const { run, list } = indexed()
    await list()
    const look = (index: boolean) => run(async ({ catalog, skills }) => {
      const { command } = catalog.require('plain')
      const digest = command.type === 'prompt' ? await command.digest?.({ signal: new AbortController().signal }) : undefined
      return [await bodyOf(command), digest, JSON.stringify(await skills.explain('empty')), JSON.stringify(await skills.explain('broken'))]
    }, index ? {} : { index: false })
    const warm = await look(true)
    expect(warm[0]).toBe('Body of plain')
    expect(warm).toEqual(await look(false))
  })

  it('sees what changes while it runs', async () => {
    const { tree, run, list } = indexed()
    await list()
    await run(async ({ skills, catalog }) => {
      expect(await skills.refresh()).toBe(catalog)
      tree.write({ 'all/root/plain/SKILL.md': '---\ndescription: Another.\n---\nNew', 'all/root/new/SKILL.md': 'New.' })
      tree.remove('all/root/named')
      const after = await skills.refresh()
      expect([after.get('plain')?.command.description, after.get('new')?.command.description, after.get('named')]).toEqual(['Another.', 'New.', undefined])
    })
    expect(await list()).toContain('Another.')
  })

  it.each<[string, (path: string) => void]>([
    ['written anew', path => writeFileSync(path, '---\ndescription: Other, and longer than before.\n---\n')],
    ['written anew with as many bytes and its old time', path => {
      const { atimeMs, mtimeMs } = statSync(path)
      writeFileSync(path, readFileSync(path, 'utf8').replace('Lower', 'Upper').replace('First', 'Other').replace('Text', 'Taxt'))
      utimesSync(path, atimeMs / 1000, mtimeMs / 1000)
    }],
    ['replaced by another of its size and time', path => {
      const { atimeMs, mtimeMs } = statSync(path)
      writeFileSync(`${path}.new`, readFileSync(path, 'utf8').replace('Text', 'Taxt'))
      utimesSync(`${path}.new`, atimeMs / 1000, mtimeMs / 1000)
      renameSync(`${path}.new`, path)
    }],
    ['removed', path => rmSync(path)],
    ['replaced by a link', path => {
      renameSync(path, `${path}.kept`)
      symlinkSync('../../elsewhere/SKILL.md', path)
    }],
    ['moved with its folder', path => renameSync(path.replace('/SKILL.md', ''), path.replace('/a/SKILL.md', '/z'))],
  ])('reads a file that was %s, and no other', async (_what, change) => {
    const { tree, list, fresh, bytesRead } = indexed({
      'all/root/a/SKILL.md': '---\ndescription: Text.\n---\nBody', 'all/root/b/SKILL.md': `---\ndescription: Other.\n---\n${'b'.repeat(5000)}`, 'all/elsewhere/SKILL.md': 'Elsewhere.',
    })
    const cold = await list()
    change(`${tree.path}/all/root/a/SKILL.md`)
    const expected = await fresh()
    let warm = ''
    expect(await bytesRead(async () => (warm = await list()))).toBeLessThan(1000)
    expect(warm).toBe(expected)
    expect(warm).not.toBe(cold)
    // What was read then is in the index by now.
    expect(await bytesRead(list)).toBe(0)
  })
})
