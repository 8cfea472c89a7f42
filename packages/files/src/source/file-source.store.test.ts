import fc from 'fast-check'
import { createSkills } from '@skills/core'
import { MemoryStore, TreeStore, type Store } from '@skills/store'
import { withRead, type MemoryContent } from '@skills/store/internal'
import { fakeHost } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bodyOf, namesOf, onlyCommand, shortly, sourceOver, start, temporary } from '../../test/load.js'
import { fileSource, type SkillRoot } from '../source.js'

const text = (description: string, body = 'Body.'): string => `---\ndescription: ${description}\n---\n${body}\n`

/** Wraps a store so that it never answers at once. */
function slow(store: Store): Store {
  return { ...withRead(store, async (path, call) => store.read(path, call)), isSlow: true }
}

describe('a source over a store', () => {
  it('lists what a walk finds in it, reads a body when it is asked for, and has no folder to run commands in', async () => {
    const store = new MemoryStore({
      'deploy/SKILL.md': text('Ship it.', 'Ship $ARGUMENTS.'),
      'group/lint/SKILL.md': text('Find faults.'),
      'notes.md': 'no skill',
    })
    const { list } = await start(sourceOver('memory:', { store }))
    const { commands, places, errors } = await list()
    expect(commands).toMatchObject([
      { name: 'deploy', description: 'Ship it.', filePath: 'memory:/deploy/SKILL.md', baseDir: undefined },
      { name: 'lint' },
    ])
    expect([places, errors]).toEqual([[{ path: 'memory:', state: 'read', found: 2 }], []])
    expect(await bodyOf(commands[0])).toBe('Ship $ARGUMENTS.\n')
  })

  it('is the same over one that answers later', async () => {
    const store = new MemoryStore(
      Object.fromEntries(
        Array.from({ length: 300 }, (_, at) => [
          `g${at % 7}/s${at}/SKILL.md`,
          text(`Number ${at}.`, 'x'.repeat(at * 40)),
        ]),
      ),
    )
    const [atOnce, later] = await Promise.all(
      [store, slow(store)].map(async one => (await start(sourceOver('memory:', { store: one }))).list()),
    )
    expect(namesOf(later ?? { commands: [] })).toEqual(namesOf(atOnce ?? { commands: [] }))
    expect(JSON.stringify(later)).toBe(JSON.stringify(atOnce))
  })

  it('asks again only for what the store says is other than before', async () => {
    const store = new MemoryStore({ 'a/SKILL.md': text('Old.'), 'b/SKILL.md': text('B.') })
    const read: string[] = []
    const { watch: _watch, ...counted } = withRead(store, (path, call) => {
      read.push(path)
      return store.read(path, call)
    })
    const { list, refresh } = await start(sourceOver('memory:', { store: counted }))
    await list()
    read.length = 0
    expect([await refresh(), read]).toEqual([undefined, []])
    store.set('a/SKILL.md', text('New.'))
    store.set('c/SKILL.md', text('C.'))
    expect((await refresh())?.commands.map(({ description }) => description)).toEqual(['New.', 'B.', 'C.'])
    expect(read.filter(path => path.includes('/b/'))).toEqual([])
    store.remove('a')
    expect(namesOf((await refresh()) ?? { commands: [] })).toEqual(['b', 'c'])
  })

  it('follows links within the store, and says of those that leave it that they lead to nothing', async () => {
    const store = new MemoryStore({
      'skills/a/SKILL.md': text('A.'),
      'skills/again': { link: '../shared/b' },
      'shared/b/SKILL.md': text('B.'),
      'skills/out': { link: '../../../etc' },
      'skills/file/SKILL.md': { link: '../a/SKILL.md' },
      'skills/loop': { link: 'loop' },
      'skills/up': { link: '..' },
    })
    const { list } = await start(sourceOver([{ path: 'memory:/skills', within: ['memory:/skills'] }], { store }))
    const { commands, errors, warnings } = await list()
    expect(commands.map(command => command.type === 'prompt' && [command.name, command.file?.realPath])).toEqual([
      ['a', 'memory:/skills/a/SKILL.md'],
      ['file', 'memory:/skills/a/SKILL.md'],
    ])
    expect(shortly([...errors, ...warnings], 'memory:/skills').toSorted()).toEqual([
      'dangling-link out',
      'link-escapes again',
      'link-escapes up',
      'unreadable loop',
    ])
  })

  it('has the files beside a skill, near misses and reasons why there is none, as on disk', async () => {
    const store = new MemoryStore({
      'a/SKILL.md': text('A.'),
      'a/agents/openai.yaml': 'policy: {allow_implicit_invocation: false}',
      'deploy/skill.markdown': 'x',
      'lint/skill.md': text('L.'),
    })
    for (const one of [store, slow(store)]) {
      const { list, source } = await start(sourceOver([{ path: 'memory:', hasSidecars: true }], { store: one }))
      const { commands, warnings } = await list()
      expect(commands.map(command => command.type === 'prompt' && command.disableModelInvocation)).toEqual([
        true,
        false,
      ])
      expect(shortly(warnings, 'memory:')).toEqual(['near-miss deploy/skill.markdown', 'other-case lint/skill.md'])
      expect(await source.explain?.('deploy', undefined, { signal: new AbortController().signal })).toEqual([
        { path: 'memory:/deploy', text: expect.stringContaining('memory:/deploy/skill.markdown') as string },
      ])
    }
  })

  it('rejects in whichever turn of the event loop it is aborted', async () => {
    const names = Array.from({ length: 1200 }, (_, at) => `s${at}`)
    const store = new MemoryStore(Object.fromEntries(names.map(name => [`${name}/SKILL.md`, text('D.')])))
    let aborted = 0
    for (let wanted = 1, isOver = false; !isOver; wanted++) {
      const { list } = await start(sourceOver('memory:', { store }))
      const controller = new AbortController()
      const listing = list(controller.signal)
      let turns = 0
      const count = (): void => {
        if (isOver) return
        if (++turns === wanted) controller.abort()
        else setImmediate(count)
      }
      setImmediate(count)
      const outcome = await listing.then(
        ({ commands }) => commands.length,
        (error: Error) => error.name,
      )
      isOver = !controller.signal.aborted
      if (!isOver) aborted++
      expect(outcome).toBe(isOver ? 1200 : 'AbortError')
    }
    expect(aborted).toBeGreaterThan(0)
  })

  it('tells an engine of changes by itself, and closes its store with it', async () => {
    const files = new MemoryStore({ 'a/SKILL.md': text('A.') })
    let closed = 0
    const store = withRead(files, (path, call) => files.read(path, call))
    const provider = fileSource({
      id: 'notes',
      source: 'user',
      roots: () => ({ roots: [{ path: 'memory:' }] }),
      store: () => ({ ...store, close: () => void closed++ }),
    })
    const skills = createSkills({ plugins: [provider], host: fakeHost(), onDiagnostic: () => {} })
    onTestFinished(() => skills.close())
    expect((await skills.catalog()).entries.map(({ name }) => name)).toEqual(['a'])
    files.set('b/SKILL.md', text('B.'))
    expect((await skills.catalog()).entries.map(({ name }) => name)).toEqual(['a', 'b'])
    await skills.close()
    expect(closed).toBe(1)
  })

  it('says what failed and where, and hides nothing else', async () => {
    const files = new MemoryStore({ 'a/SKILL.md': text('A.'), 'b/SKILL.md': text('B.'), 'c/SKILL.md': text('C.') })
    const store = withRead(files, (path, call) => {
      if (path.includes('/b/')) throw Object.assign(new Error('The table is locked.'))
      return path.includes('/c/')
        ? Promise.reject(Object.assign(new Error('No.'), { code: 'EACCES' }))
        : files.read(path, call)
    })
    const { list } = await start(sourceOver('memory:', { store }))
    const { commands, errors } = await list()
    expect(namesOf({ commands })).toEqual(['a'])
    expect(errors).toMatchObject([
      { code: 'unreadable', message: expect.stringMatching(/memory:\/b\/SKILL\.md .*: The table is locked/) },
      { code: 'unreadable', message: expect.stringContaining('memory:/c/SKILL.md') },
    ])
  })

  it('an invocation whose file changed meanwhile is of the file as it is, and of one that is gone is refused', async () => {
    const store = new MemoryStore({ 'a/SKILL.md': text('A.', 'Old.') })
    const { list, invalidated } = await start(sourceOver('memory:', { store }))
    const command = onlyCommand(await list())
    store.set('a/SKILL.md', text('A.', 'New.'))
    expect(await bodyOf(command)).toBe('New.\n')
    expect(invalidated).toContainEqual(['memory:/a/SKILL.md'])
    store.remove('a')
    await expect(bodyOf(command)).rejects.toMatchObject({ code: 'E_FILE_CHANGED' })
  })
})

const name = fc.constantFrom(
  'a',
  'b',
  'SKILL.md',
  'skill.md',
  '.hidden',
  'node_modules',
  'agents',
  'openai.yaml',
  'x.md',
)
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map(parts => parts.join('/'))
const content: fc.Arbitrary<MemoryContent> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      text('One.'),
      text('Two: with a colon.'),
      'Plain text.',
      '---\nname: [\n---\n',
      'policy: {allow_implicit_invocation: false}',
      '',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('a', '../a', 'b/SKILL.md', '../../..', 'nowhere', '.').map(link => ({ link })),
  },
)

it('of any tree a source finds on disk what it finds in memory', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(path, content, { maxKeys: 12 }),
      fc.record({
        hasSidecars: fc.boolean(),
        layout: fc.constantFrom({}, { walk: 'flat' } as const, { nested: true }, { holds: 'commands' } as const),
      }),
      async (given, root) => {
        const memory = new Map<string, MemoryContent>()
        // A disk cannot have a path below a file.
        for (const [at, one] of Object.entries(given))
          if (![...memory.keys()].some(other => at.startsWith(`${other}/`) || other.startsWith(`${at}/`)))
            memory.set(at, one)
        const tree = temporary(
          Object.fromEntries(
            [...memory].map(([at, one]) => [
              `s/${at}`,
              typeof one === 'string' ? one : 'link' in one ? { link: one.link } : Buffer.from(one),
            ]),
          ),
        )
        const store = new MemoryStore(Object.fromEntries(memory), { root: `${tree.path}/s` })
        const roots: readonly SkillRoot[] = [{ path: `${tree.path}/s`, within: [`${tree.path}/s`], ...root }]
        const [disk, kept, later] = await Promise.all(
          [undefined, store, slow(store)].map(async one => {
            const { list } = await start(sourceOver(roots, { store: one }))
            const { commands, errors, warnings, places } = await list()
            return {
              commands: commands.map(command =>
                command.type === 'prompt'
                  ? { ...JSON.parse(JSON.stringify(command)), file: command.file?.realPath, baseDir: 0 }
                  : 0,
              ),
              // A link out of the root leads to nothing in the memory store, and to another folder on disk.
              diagnostics: [...errors, ...warnings]
                .map(({ code, path: at, message }) =>
                  code === 'dangling-link' || code === 'link-escapes' ? at : `${at} ${message}`,
                )
                .sort(),
              places,
            }
          }),
        )
        expect(kept).toEqual(later)
        // For an empty tree the disk reports that there is no folder.
        expect(memory.size === 0 ? { ...kept, places: [] } : kept).toEqual(
          memory.size === 0 ? { ...disk, places: [] } : disk,
        )
        tree.dispose()
      },
    ),
    { numRuns: 150 },
  )
})

// #region key-value
/** Storage that keeps values by key, such as a table, a bucket or a cache. */
interface KeyValue {
  list(): Promise<readonly { key: string; bytes: number; etag: string }[]>
  get(key: string): Promise<Uint8Array>
}

const skillsIn = (values: KeyValue) =>
  fileSource({
    id: 'values',
    source: 'user',
    roots: () => ({ roots: [{ path: 'values:' }] }),
    store: new TreeStore({
      id: 'values',
      root: 'values:',
      isSlow: true,
      entries: async () =>
        new Map(
          (await values.list()).map(({ key, bytes, etag }) => [
            key,
            { size: bytes, version: etag, read: () => values.get(key) },
          ]),
        ),
    }),
  })
// #endregion key-value

it('a source over a key-value storage is what the README says', async () => {
  const values = new Map([
    ['deploy/SKILL.md', text('Ship it.', 'Ship.')],
    ['lint/SKILL.md', text('Find faults.')],
  ])
  const { list } = await start(
    skillsIn({
      list: async () => [...values].map(([key, one]) => ({ key, bytes: one.length, etag: String(one.length) })),
      get: async key => Buffer.from(values.get(key) ?? ''),
    }),
  )
  const { commands } = await list()
  expect(namesOf({ commands })).toEqual(['deploy', 'lint'])
  expect(await bodyOf(commands[0])).toBe('Ship.\n')
})
