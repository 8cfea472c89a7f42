import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createSkills, SkillsError, type Diagnostic, type LoadParts, type MaybePromise } from '@skills/core'
import { describe, expect, it } from 'vitest'
import { bodyOf, laterHost, loaded, namesOf, shortly, sourceOver, start, temporary } from '../../test/load.js'
import { LocalStore } from '../local-store.js'
import { fileSource } from './file-source.js'
import type { Store } from '@skills/store'
import type { SkillRoots } from './layout.js'

describe('a file source', () => {
  it('gives the skills of its roots in order, and says what it found where', async () => {
    const { path } = temporary({ 'one/b/SKILL.md': 'b', 'one/a/SKILL.md': 'a', 'two/c/SKILL.md': 'c' })
    const { list, source } = await start(
      sourceOver([{ path: `${path}/two` }, { path: `${path}/one` }, { path: `${path}/three` }]),
    )
    const result = await list()
    expect(source.source).toBe('user')
    expect(namesOf(result)).toEqual(['c', 'a', 'b'])
    expect(result.places).toEqual([
      { path: `${path}/two`, state: 'read', found: 1 },
      { path: `${path}/one`, state: 'read', found: 2 },
      { path: `${path}/three`, state: 'missing', found: 0 },
    ])
    expect(result.hasErrors).toBe(false)
  })

  it('takes source and qualifier from the root, else from itself', async () => {
    const { path } = temporary({ 'one/a/SKILL.md': 'a', 'two/b/SKILL.md': 'b', 'three/c/SKILL.md': 'c' })
    const { list } = await start(
      sourceOver(
        [
          { path: `${path}/one` },
          { path: `${path}/two`, source: 'additional' },
          { path: `${path}/three`, source: 'additional', qualifier: 'apps/web' },
        ],
        { source: 'project' },
      ),
    )
    expect(
      (await list()).commands.map(command => command.type === 'prompt' && [command.source, command.qualifier]),
    ).toEqual([
      ['project', 'project'],
      ['additional', 'additional'],
      ['additional', 'apps/web'],
    ])
  })

  it('asks nothing of a root that is given again while something changed in another', async () => {
    const { path, write } = temporary({ 'one/a/SKILL.md': 'a', 'two/b/SKILL.md': 'b' })
    let reads = 0
    const one = {
      get path() {
        reads++
        return `${path}/one`
      },
    }
    const { refresh, list } = await start(sourceOver([one, { path: `${path}/two` }]))
    await list()
    const before = reads
    expect(before).toBeGreaterThan(0)
    write({ 'two/c/SKILL.md': 'c' })
    const found = await refresh([`${path}/two`])
    expect(found && namesOf(found)).toEqual(['a', 'b', 'c'])
    expect(reads).toBe(before)
  })

  it('looks at a root that is given twice once, however it is written', async () => {
    const { path } = temporary({ 'a/SKILL.md': 'a' })
    let folders = 0
    const clock = { now: () => ++folders, after: () => () => {} }
    const { list } = await start(
      sourceOver([{ path }, { path: `${path}/` }, { path: `${path}/./a/..` }]),
      laterHost({ clock }),
    )
    const result = await list()
    expect(namesOf(result)).toEqual(['a'])
    // The time is read once for each folder that is looked at.
    expect(folders).toBe(2)
    expect(result.places).toEqual([{ path, state: 'read', found: 1 }])
  })

  it('hands on what there is to say about finding roots', async () => {
    const { path } = temporary()
    const warning: Diagnostic = { severity: 'warning', type: 'io', code: 'odd', message: 'Odd.' }
    const error: Diagnostic = { severity: 'error', type: 'io', code: 'bad', message: 'Bad.' }
    const roots: SkillRoots = {
      roots: [{ path }],
      diagnostics: [warning, error],
      skipped: [{ path: '/theirs', state: 'skipped', found: 0, note: 'Not ours.' }],
    }
    const { list } = await start(sourceOver(path, { roots: async () => roots }))
    expect(await list()).toMatchObject({
      warnings: [warning],
      errors: [error],
      places: [
        { path, state: 'read' },
        { path: '/theirs', state: 'skipped', note: 'Not ours.' },
      ],
    })
  })

  it('asks for its roots with the host that it was set up with', async () => {
    const { path } = temporary({ 'home/skills/a/SKILL.md': 'a' })
    const { list } = await start(
      sourceOver(path, { roots: host => ({ roots: [{ path: `${host.home}/skills` }] }) }),
      laterHost({ home: `${path}/home` }),
    )
    expect(namesOf(await list())).toEqual(['a'])
  })

  it('honours its layout', async () => {
    const tree = { 'a/SKILL.md': 'a', 'group/b/SKILL.md': 'b', 'group/deep/c/SKILL.md': 'c', 'd/skill.md': 'd' }
    expect(namesOf(await loaded(tree))).toEqual(['a', 'd', 'b', 'c'])
    expect(namesOf(await loaded(tree, { layout: { walk: 'flat' } }))).toEqual(['a', 'd'])
    expect(namesOf(await loaded(tree, { layout: { depth: 2 } }))).toEqual(['a', 'd', 'b'])
    expect(namesOf(await loaded(tree, { layout: { folders: 3 } }))).toEqual(['a', 'd'])
    expect(namesOf(await loaded(tree, { layout: { otherCase: 'report' } }))).toEqual(['a', 'b', 'c'])
    const limited = await loaded(
      { 'a/SKILL.md': '---\ndescription: too long\n---\n' },
      { layout: { fields: { limits: { description: 3 }, limitSeverity: 'error' } } },
    )
    expect(shortly(limited.errors, limited.path)).toEqual(['description-too-long a/SKILL.md:2:14'])
  })

  it('names id, order and limit as it was told', () => {
    expect(fileSource({ id: 'x', source: 'user', roots: () => ({ roots: [] }), order: 3, limitMs: 5 })).toMatchObject({
      kind: 'source',
      id: 'x',
      order: 3,
      limitMs: 5,
    })
    expect(fileSource({ id: 'x', source: 'user', roots: () => ({ roots: [] }) })).toEqual({
      kind: 'source',
      id: 'x',
      setup: expect.any(Function),
    })
  })

  it('tells of problems with path, line and column of the file', async () => {
    const result = await loaded({
      'a/SKILL.md': '---\nname: a\ndescription: fine\nuser-invocable: perhaps\n---\n',
      'b/SKILL.md': '---\r\nname: b\r\nallowed-tools:\r\n  - Read\r\n  - [nested]\r\n---\r\n',
      'c/SKILL.md': '---\nname: c\nhooks:\n  - one\n---\n',
      'd/SKILL.md': '---\nname: d\neffort: enormous\nusr-invocable: true\n---\n',
      'group/e/SKILL.md': '---\nname: e\n',
    })
    expect(shortly(result.errors, result.path)).toEqual([
      'invalid-boolean a/SKILL.md:4:17',
      'invalid-list b/SKILL.md:5:5',
      'unclosed-frontmatter group/e/SKILL.md:1:1',
    ])
    expect(shortly(result.warnings, result.path)).toEqual([
      'invalid-map c/SKILL.md:3:1',
      'unknown-choice d/SKILL.md:3:9',
      'misspelt-field d/SKILL.md:4:1',
    ])
    expect(result.errors[0]).toMatchObject({ name: 'a', field: 'user-invocable', hint: expect.any(String) })
    expect(namesOf(result)).toEqual(['c', 'd'])
  })

  it('describes the file that it read last, when that was replaced between two reads of one look', async () => {
    const head = `<!-- ${'a comment longer than what is read at first '.repeat(100)}-->\n---\nversion: 1\n---\n`
    const tree = temporary({ 'a/SKILL.md': `${head}old`, 'b/x.md': '' })
    let reads = 0
    const disk = new LocalStore({ reads: 'callbacks' })
    const store: Store = {
      id: disk.id,
      list: (path, call) => disk.list(path, call),
      stat: (path, call) => disk.stat(path, call),
      realPath: (path, call) => disk.realPath(path, call),
      read: async (path, call) => {
        const file = await disk.read(path, call)
        if (++reads === 1) tree.write({ 'a/SKILL.md': `${head}replaced` })
        return file
      },
    }
    const { list, refresh } = await start(sourceOver(tree.path, { store }), laterHost())
    const [command] = (await list()).commands
    expect(reads).toBeGreaterThan(1)
    expect(command).toMatchObject({
      name: 'a',
      description: 'replaced',
      contentLength: 8,
      file: { size: head.length + 8, realPath: `${tree.path}/a/SKILL.md` },
    })
    await refresh()
    expect(await refresh()).toBeUndefined()
  })

  it('tells how far it is, never less than before', async () => {
    const folders = Array.from({ length: 510 }, (_, at) => `f${at}`)
    const { path } = temporary(
      Object.fromEntries(['one', 'two'].flatMap(root => folders.map(folder => [`${root}/${folder}`, { dir: true }]))),
    )
    const { source } = await start(sourceOver([{ path: `${path}/one` }, { path: `${path}/two` }]))
    const told: number[] = []
    await source.list({ signal: new AbortController().signal, progress: done => told.push(done) })
    // A slow machine reports progress more often.
    expect(told).toEqual(expect.arrayContaining([0, 500, 1000]))
    expect(told.toSorted((a, b) => a - b)).toEqual(told)
  })

  it('gives what it found so far at any moment, and goes on from there when it was given up for being late', async () => {
    const { path } = temporary(
      Object.fromEntries(
        ['one', 'two'].flatMap(root =>
          Array.from({ length: 700 }, (_, at) => [`${root}/${root}-${at}/SKILL.md`, 'Text.']),
        ),
      ),
    )
    const { source, list, refresh } = await start(sourceOver([{ path: `${path}/one` }, { path: `${path}/two` }]))
    const controller = new AbortController()
    let give: (() => MaybePromise<LoadParts>) | undefined
    let found: MaybePromise<LoadParts> | undefined
    const listing = async () =>
      source.list({
        signal: controller.signal,
        progress: (done, soFar) => {
          give ??= soFar
          if (done < 1000) return
          controller.abort(new SkillsError('E_TIMEOUT', 'It took too long.'))
          found = give?.()
        },
      })
    await expect(listing()).rejects.toMatchObject({ name: 'AbortError' })
    const { commands = [], places } = (await found) ?? {}
    expect(commands.length).toBeGreaterThan(900)
    expect(places).toEqual([
      { path: `${path}/one`, state: 'read', found: 700 },
      { path: `${path}/two`, state: 'read', found: expect.any(Number) as number },
    ])
    expect((await list()).commands).toHaveLength(1400)
    expect(await refresh()).toBeUndefined()
  })

  it('stops when aborted, before and meanwhile', async () => {
    const { path } = temporary({ 'a/SKILL.md': 'a', 'b/SKILL.md': '---\r\nname: b\r\n---\r\n' })
    const { list, refresh } = await start(sourceOver(path))
    await expect(list(AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
    const controller = new AbortController()
    const listing = list(controller.signal)
    controller.abort('enough')
    await expect(listing).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' })
    await expect(refresh(undefined, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
    expect(namesOf(await list())).toEqual(['a', 'b'])
  })

  it('keeps skills apart whose names differ in case or in how Unicode writes them', async () => {
    const composed = 'caf\u00e9'
    const decomposed = 'cafe\u0301'
    const result = await loaded({
      [`${composed}/SKILL.md`]: 'one',
      [`${decomposed}/SKILL.md`]: 'two',
      'Deploy/SKILL.md': 'three',
      'deploy/SKILL.md': 'four',
    })
    expect(namesOf(result)).toEqual(['Deploy', decomposed, composed, 'deploy'])
  })
})

describe('a refresh', () => {
  it('gives undefined when nothing changed, and the same commands for what did not', async () => {
    const tree = temporary({
      'a/SKILL.md': 'a',
      'b/SKILL.md': '---\r\nname: b\r\n---\r\n',
      'c/SKILL.md': '---\nname: c\n---',
    })
    const { list, refresh } = await start(sourceOver(tree.path))
    const before = await list()
    expect(await refresh()).toBeUndefined()
    tree.write({ 'c/SKILL.md': '---\nname: changed\n---' })
    const after = await refresh()
    expect(after?.commands.map(({ displayName }) => displayName)).toEqual(['a', 'b', 'changed'])
    expect(after?.commands[0]).toBe(before.commands[0])
    expect(after?.commands[1]).toBe(before.commands[1])
    expect(after?.commands[2]).not.toBe(before.commands[2])
  })

  it('gives undefined although files are read again that a look cannot tell to be the same', async () => {
    const tree = temporary({
      'texts/plain.md': '---\nname: p\n---\n',
      'texts/windows.md': '---\r\nname: w\r\n---\r\n',
      'texts/broken.md': '---\nname: b\n',
      'skills/p/SKILL.md': { link: '../../texts/plain.md' },
      'skills/w/SKILL.md': { link: '../../texts/windows.md' },
      'skills/b/SKILL.md': { link: '../../texts/broken.md' },
      'skills/small/skill.md': '---\r\nname: s\r\n---\r\n',
    })
    const { list, refresh } = await start(sourceOver(`${tree.path}/skills`))
    const before = await list()
    expect(namesOf(before)).toEqual(['p', 'small', 'w'])
    expect(await refresh()).toBeUndefined()
    tree.write({ 'texts/windows.md': '---\r\nname: x\r\n---\r\n' })
    const after = await refresh()
    expect(after?.commands.map(({ displayName }) => displayName)).toEqual(['p', 's', 'x'])
    expect(after?.commands[0]).toBe(before.commands[0])
    expect(after?.commands[1]).toBe(before.commands[1])
  })

  it('gives undefined for files that were written just before, with each way of reading', async () => {
    const tree = temporary({
      'a/SKILL.md': 'a',
      'b/SKILL.md': '---\r\nname: b\r\n---\r\n',
      'c/SKILL.md': '---\nname: c\n',
    })
    // The clock of the fake host stands still long ago, so no file counts as settled.
    const { list, refresh } = await start(sourceOver(tree.path), {
      ...laterHost(),
      clock: { now: () => 0, after: () => () => {} },
    })
    await list()
    expect(await refresh()).toBeUndefined()
  })

  it('looks only at the paths it is told of', async () => {
    const tree = temporary({ 'one/a/SKILL.md': 'a', 'two/b/SKILL.md': 'b' })
    const { list, refresh } = await start(sourceOver([{ path: `${tree.path}/one` }, { path: `${tree.path}/two` }]))
    await list()
    tree.write({ 'one/a/SKILL.md': 'a changed', 'two/b/SKILL.md': 'b changed' })
    expect((await refresh([`${tree.path}/two/b/SKILL.md`]))?.commands.map(({ description }) => description)).toEqual([
      'a',
      'b changed',
    ])
    expect(await refresh([`${tree.path}/elsewhere`])).toBeUndefined()
    expect((await refresh())?.commands.map(({ description }) => description)).toEqual(['a changed', 'b changed'])
  })

  it.runIf(process.platform !== 'win32')(
    'leaves out what is refused for what the system says of a file, and asks again once that is something else',
    async () => {
      const { path } = temporary({
        'a/SKILL.md': 'a',
        'b/SKILL.md': '---\ndescription: Use it: now\n---\n',
        'b/other.md': 'b',
      })
      const asked: string[] = []
      const { list, refresh } = await start(
        sourceOver(path, {
          refuse(file, { mode = 0 }, { platform }) {
            asked.push(`${file.name} on ${platform}`)
            return (mode & 0o002) === 0
              ? undefined
              : {
                  severity: 'error',
                  type: 'validation',
                  code: 'open',
                  name: file.name,
                  path: file.path,
                  message: 'Anyone may write it.',
                }
          },
        }),
      )
      chmodSync(`${path}/b/SKILL.md`, 0o666)
      expect(await list()).toMatchObject({
        commands: [{ name: 'a' }],
        errors: [{ code: 'open', name: 'b', path: `${path}/b/SKILL.md` }],
        places: [{ found: 1 }],
      })
      expect(asked.toSorted()).toEqual(['a on linux', 'b on linux'])
      expect(await refresh()).toBeUndefined()
      chmodSync(`${path}/b/SKILL.md`, 0o644)
      chmodSync(`${path}/a/SKILL.md`, 0o666)
      expect(await refresh()).toMatchObject({ commands: [{ name: 'b' }], errors: [{ name: 'a' }] })
      // A function may return something else in a later process, which an index could not notice.
      expect(existsSync(`${path}/index`)).toBe(false)
    },
  )

  it('mends what was broken and breaks what was sound, leaving the rest', async () => {
    const tree = temporary({ 'a/SKILL.md': '---\nname: a\n', 'b/SKILL.md': 'b', 'c/SKILL.md': 'c' })
    const { list, refresh } = await start(sourceOver(tree.path))
    expect(await list()).toMatchObject({ commands: [{ name: 'b' }, { name: 'c' }], errors: [{ name: 'a' }] })
    tree.write({ 'a/SKILL.md': '---\nname: a\n---\n', 'b/SKILL.md': '---\nname: b\n' })
    expect(await refresh()).toMatchObject({ commands: [{ name: 'a' }, { name: 'c' }], errors: [{ name: 'b' }] })
  })

  it('follows roots that come and go, or mean something else', async () => {
    const tree = temporary({ 'one/a/SKILL.md': 'a', 'two/b/SKILL.md': 'b' })
    let roots: SkillRoots = { roots: [{ path: `${tree.path}/one` }] }
    const { list, refresh } = await start(sourceOver(tree.path, { roots: () => roots }))
    await list()
    roots = { roots: [...roots.roots, { path: `${tree.path}/two` }] }
    expect(await refresh()).toMatchObject({ commands: [{ name: 'a' }, { name: 'b' }] })
    roots = { roots: [{ path: `${tree.path}/two` }] }
    expect(await refresh()).toMatchObject({ commands: [{ name: 'b', source: 'user' }] })
    roots = { roots: [{ path: `${tree.path}/two`, source: 'additional' }] }
    expect(await refresh()).toMatchObject({ commands: [{ name: 'b', source: 'additional' }] })
    roots = { ...roots, skipped: [{ path: '/theirs', state: 'skipped', found: 0 }] }
    expect(await refresh()).toMatchObject({ places: [{}, { path: '/theirs' }] })
    expect(await refresh()).toBeUndefined()
    roots = { roots: [] }
    expect(await refresh()).toMatchObject({ commands: [], places: [] })
  })

  it('finds everything although the one before was aborted', async () => {
    const tree = temporary({ 'a/SKILL.md': 'a', 'b/SKILL.md': 'b' })
    const { list, refresh } = await start(sourceOver(tree.path))
    await list()
    tree.write({ 'a/SKILL.md': 'a changed', 'c/SKILL.md': '---\r\nname: c\r\n---\r\n' })
    const controller = new AbortController()
    const refreshing = refresh(undefined, controller.signal)
    controller.abort()
    await expect(refreshing).rejects.toMatchObject({ name: 'AbortError' })
    expect((await refresh([`${tree.path}/b`]))?.commands.map(({ description }) => description)).toEqual([
      'a changed',
      'b',
      'c',
    ])
  })
})

describe('why there is no skill of a name', () => {
  const notes = async (
    tree: Readonly<Record<string, string>>,
    name: string,
    options = {},
  ): Promise<readonly (string | undefined)[]> => {
    const { path } = temporary(tree)
    const { list, source } = await start(sourceOver(path, options))
    await list()
    const found = await source.explain?.(name, undefined, { signal: new AbortController().signal })
    return (found ?? []).map(({ text }) => text.replaceAll(`${path}/`, ''))
  }

  it.each([
    [
      'a folder without a SKILL.md',
      { 'deploy/notes.md': '', 'deploy/x/y': '' },
      'deploy has no SKILL.md of its own; only the folders in it are searched for skills.',
    ],
    ['an empty folder', { 'deploy/': '' }, 'deploy is empty; a skill needs a SKILL.md in it.'],
    [
      'a file of the name',
      { 'deploy.md': '' },
      'deploy.md is not loaded: it is a single file, and a skill is a folder. Move the file to deploy/SKILL.md.',
    ],
    [
      'a hidden folder',
      { '.deploy/SKILL.md': '' },
      '.deploy has a SKILL.md, but hidden folders and node_modules are not searched.',
    ],
    [
      'a folder in node_modules',
      { 'node_modules/deploy/SKILL.md': '' },
      'node_modules/deploy has a SKILL.md, but hidden folders and node_modules are not searched.',
    ],
    [
      'a file whose name is nearly right',
      { 'deploy/SKILLS.md': '' },
      'deploy/SKILLS.md is not loaded: the file must be called SKILL.md. Rename the file to SKILL.md.',
    ],
    [
      'a broken file',
      { 'deploy/SKILL.md': '---\nname: x\n' },
      'deploy has a SKILL.md that could not be loaded as a skill; look at the errors of that file.',
    ],
  ])('is told: %s', async (_what, tree, expected) => {
    const { path } = temporary()
    for (const [file, text] of Object.entries(tree)) {
      mkdirSync(`${path}/${file.slice(0, Math.max(0, file.lastIndexOf('/')))}`, { recursive: true })
      if (!file.endsWith('/')) writeFileSync(`${path}/${file}`, text)
    }
    const { list, source } = await start(sourceOver(path))
    await list()
    const found = await source.explain?.('deploy', undefined, { signal: new AbortController().signal })
    expect(found?.map(({ text }) => text.replaceAll(`${path}/`, ''))).toEqual([expected])
    expect(found?.[0]?.path).toContain(`${path}/`)
  })

  it('is told as the layout walks', async () => {
    expect(await notes({ 'deploy/inner/SKILL.md': 'x' }, 'deploy', { layout: { walk: 'flat' } })).toEqual([
      'deploy has no SKILL.md.',
    ])
  })

  it('is told of a folder further down than a flat layout looks', async () => {
    expect(
      await notes({ 'group/deploy/SKILL.md': 'x', 'group/other/SKILL.md': 'x', 'file.md': '' }, 'deploy', {
        layout: { walk: 'flat' },
      }),
    ).toEqual([
      expect.stringMatching(/^group\/deploy has a SKILL\.md, but only folders directly in .* are skills\.$/) as string,
    ])
    expect(await notes({ 'group/deploy/SKILL.md': 'x' }, 'missing', { layout: { walk: 'flat' } })).toEqual([])
  })

  it.each([
    [
      'outer/inner/SKILL.md',
      { 'outer/SKILL.md': 'x' },
      {},
      /^outer\/inner has a SKILL\.md, but that folder is inside the skill outer, so it belongs to that skill: move the folder out of that skill\.$/,
    ],
    [
      'g/.hid/inner/SKILL.md',
      {},
      {},
      /^g\/\.hid\/inner has a SKILL\.md, but hidden folders and node_modules are not searched\.$/,
    ],
    ['g/node_modules/inner/SKILL.md', {}, {}, /^g\/node_modules\/inner has a SKILL\.md, but hidden folders/],
    ['g/.inner/SKILL.md', {}, {}, /^g\/\.inner has a SKILL\.md, but hidden folders/],
    [
      'a/b/c/inner/SKILL.md',
      {},
      { layout: { depth: 3 } },
      /^a\/b\/c\/inner has a SKILL\.md, but the folder is more than 3 levels below .*, where nothing is searched: move the folder up\.$/,
    ],
  ])('is told where one lies that is passed over: %s', async (file, others, options, expected) => {
    expect(await notes({ [file]: 'x', ...others }, 'inner', options)).toEqual([expect.stringMatching(expected)])
    // A skill that is found needs no explanation.
    expect(
      await notes({ 'outer/SKILL.md': 'x', 'outer/inner/SKILL.md': 'x' }, 'inner', { layout: { nested: true } }),
    ).toEqual([])
  })

  it('is told of a skill that goes by the name in its frontmatter', async () => {
    expect(
      await notes({ 'deploy/SKILL.md': '---\nname: ship\ndescription: Ships.\n---\n' }, 'deploy', {
        layout: { names: 'field' },
      }),
    ).toEqual([expect.stringContaining('"ship"')])
  })

  it('is not that hidden folders are passed over where they are searched', async () => {
    expect(
      await notes({ '.deploy/SKILL.md': '---\nname: ship\ndescription: Ships.\n---\n' }, 'deploy', {
        layout: { names: 'field', skipped: [] },
      }),
    ).toEqual([])
  })

  it.each(['.deploy', 'node_modules'])('is told of %s itself, which is not searched', async name => {
    expect(await notes({ [`${name}/SKILL.md`]: 'x' }, name)).toEqual([
      `${name} is not searched: hidden folders and node_modules never are.`,
    ])
  })

  it('does not describe what a link leads out of the project to', async () => {
    const tree = temporary({
      'out/private-plans.md': '',
      'out/skills.txt': '',
      'out/inner/SKILL.md': 'x',
      'file.md': 'x',
      'project/skills/ship': { link: '../../out' },
      'project/skills/note.md': { link: '../../file.md' },
      'project/skills/in': { link: '../own' },
      'project/own/notes.md': '',
    })
    const within = [`${tree.path}/project`]
    const told = async (name: string, layout = {}, bound = true): Promise<readonly (string | undefined)[]> => {
      const { list, source } = await start(
        sourceOver([{ path: `${tree.path}/project/skills`, within: bound ? within : undefined }], { layout }),
      )
      await list()
      return ((await source.explain?.(name, undefined, { signal: new AbortController().signal })) ?? []).map(
        ({ text }) => text,
      )
    }
    expect(await Promise.all([told('ship'), told('note'), told('inner', { walk: 'flat' })])).toEqual([[], [], []])
    expect(await told('in')).toEqual([expect.stringMatching(/\bin has no/)])
    expect(await told('ship', {}, false)).toEqual([expect.stringContaining('skills.txt')])
  })

  it('is told of a skill.md that is only reported', async () => {
    expect(await notes({ 'deploy/skill.md': '' }, 'deploy', { layout: { otherCase: 'report' } })).toEqual([
      'deploy/skill.md is not loaded: the file must be called SKILL.md. Rename the file to SKILL.md.',
    ])
  })

  it('is told by every root that was read, and by none that was not', async () => {
    const { path } = temporary({ 'one/deploy.md': '', 'two/deploy.md': '' })
    const { list, source } = await start(
      sourceOver([{ path: `${path}/one` }, { path: `${path}/two` }, { path: `${path}/three` }]),
    )
    await list()
    expect(await source.explain?.('deploy', undefined, { signal: new AbortController().signal })).toHaveLength(2)
  })

  it('is nothing when nothing is there, or there is such a skill', async () => {
    expect(await notes({ 'lint/SKILL.md': '' }, 'deploy')).toEqual([])
    const { path } = temporary({ 'deploy/SKILL.md': 'Text.' })
    const { list, source } = await start(sourceOver(path))
    const [command] = (await list()).commands
    expect(await source.explain?.('deploy', command, { signal: new AbortController().signal })).toEqual([])
  })

  it.each(['', '.', '..', '../secret', 'a/b', 'a\\b', 'a\0b', 'x'.repeat(300)])(
    'does not look elsewhere for %j',
    async name => {
      expect(await notes({ 'lint/SKILL.md': '', 'a/b/x': '' }, name)).toEqual([])
    },
  )
})

describe('in an engine', () => {
  it('skills are listed, found, loaded, refreshed and explained', async () => {
    const tree = temporary({
      'deploy/SKILL.md': '---\ndescription: Ships it.\naliases: [ship]\n---\nShip now.',
      'broken/SKILL.md': '---\nname: x\n',
      'notes/x.md': '',
    })
    const reported: string[] = []
    const skills = createSkills({
      host: laterHost(),
      plugins: [sourceOver(tree.path)],
      onDiagnostic: ({ code }) => reported.push(code),
    })
    const catalog = await skills.catalog()
    expect(catalog.entries.map(({ name }) => name)).toEqual(['deploy'])
    expect(await bodyOf(catalog.require('ship').command)).toBe('Ship now.')
    expect(reported).toEqual(['unclosed-frontmatter'])
    expect(await skills.refresh()).toBe(catalog)
    expect(await skills.refresh([`${tree.path}/deploy`])).toBe(catalog)
    expect((await skills.explain('broken')).answers).toMatchObject([
      { status: 'failed', path: `${tree.path}/broken/SKILL.md` },
    ])
    expect((await skills.explain('notes')).notes).toMatchObject([{ provider: 'files', path: `${tree.path}/notes` }])
    tree.write({ 'lint/SKILL.md': 'Lints.' })
    const after = await skills.refresh()
    expect(after.entries.map(({ name }) => name)).toEqual(['deploy', 'lint'])
    expect(after.get('deploy')?.command).toBe(catalog.get('deploy')?.command)
    await skills.close()
  })

  it('one file behind two links is one skill; twins in Unicode are two; twins in case are warned of', async () => {
    const tree = temporary({
      'real/a/SKILL.md': 'a',
      'one/a': { link: '../real/a' },
      'two/b': { link: '../real/a' },
      'one/caf\u00e9/SKILL.md': 'one',
      'one/cafe\u0301/SKILL.md': 'two!',
      'one/Deploy/SKILL.md': 'x',
      'one/deploy/SKILL.md': 'yy',
    })
    const skills = createSkills({
      host: laterHost(),
      plugins: [sourceOver([{ path: `${tree.path}/one` }, { path: `${tree.path}/two` }])],
      onDiagnostic: () => {},
    })
    const catalog = await skills.catalog()
    expect(catalog.entries.map(({ name }) => name)).toEqual(['Deploy', 'a', 'caf\u00e9', 'deploy', 'user:caf\u00e9'])
    expect(catalog.collisions.map(({ name, rule, reachableAs }) => [name, rule, reachableAs])).toEqual([
      ['b', 'same-file', undefined],
      ['caf\u00e9', 'precedence', 'user:caf\u00e9'],
    ])
    expect(catalog.warnings.map(({ code }) => code)).toEqual(['case-collision'])
    await skills.close()
  })
})
