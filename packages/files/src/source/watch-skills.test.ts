import { execFileSync } from 'node:child_process'
import { appendFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { createSkills, defineProvider, loadResult, systemClock, type Source } from '@skills/core'
import { fakeHost } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { descriptionOf, skillText, watchedEngine } from '../../test/watched-engine.js'
import { sourceOver, temporary } from '../../test/load.js'
import { watchSkills } from './watch-skills.js'

describe('a watched catalog', () => {
  it('tells what was added, changed and removed, and nothing else', async () => {
    const { path, write, remove } = temporary({ 'a/SKILL.md': skillText('A.'), 'b/SKILL.md': skillText('B.') })
    const { changes, until, diagnostics } = await watchedEngine(path)
    write({ 'c/SKILL.md': skillText('C.') })
    await until(catalog => catalog.get('c') !== undefined)
    write({ 'a/SKILL.md': skillText('Other.') })
    await until(catalog => descriptionOf(catalog, 'a') === 'Other.')
    remove('b')
    await until(catalog => catalog.get('b') === undefined)
    // A folder appears before its file, and an empty file before its text.
    expect(changes.map(({ added, removed }) => [added, removed])).toEqual(
      expect.arrayContaining([
        [['c'], []],
        [[], ['b']],
      ]),
    )
    expect(new Set(changes.flatMap(({ changed }) => changed))).toEqual(new Set(['a']))
    expect(diagnostics).toEqual([])
  })

  it('leaves every command whose file did not change the very same object', async () => {
    const { path, write } = temporary({ 'a/SKILL.md': skillText('A.'), 'b/SKILL.md': skillText('B.') })
    const { skills, until } = await watchedEngine(path)
    const before = (await skills.catalog()).get('b')?.command
    write({ 'a/SKILL.md': skillText('Other.') })
    await until(catalog => descriptionOf(catalog, 'a') === 'Other.')
    expect((await skills.catalog()).get('b')?.command).toBe(before)
  })

  it('has the last state of a file that is written in two steps', async () => {
    const { path } = temporary({ 'a/SKILL.md': skillText('A.') })
    const { until, skills } = await watchedEngine(path, { debounceMs: 1 })
    for (let round = 0; round < 10; round++) {
      const text = skillText(`Round ${round}.`)
      // The writer waits until the first half was seen.
      writeFileSync(`${path}/a/SKILL.md`, text.slice(0, 10))
      await until(catalog => catalog.get('a') === undefined)
      appendFileSync(`${path}/a/SKILL.md`, text.slice(10))
      await until(catalog => descriptionOf(catalog, 'a') === `Round ${round}.`)
    }
    expect((await skills.catalog()).errors).toEqual([])
  })

  it('has the last of many writes that follow each other without a pause', async () => {
    const { path } = temporary({ 'a/SKILL.md': skillText('A.') })
    const { until, skills } = await watchedEngine(path)
    for (let round = 0; round < 200; round++) {
      writeFileSync(`${path}/a/SKILL.md`, '')
      writeFileSync(`${path}/a/SKILL.md`, skillText(`Round ${round}.`))
      if (round % 20 === 0) await new Promise(setImmediate)
    }
    await until(catalog => descriptionOf(catalog, 'a') === 'Round 199.')
    expect((await skills.catalog()).errors).toEqual([])
  })

  it('has what an editor put into the place of a file', async () => {
    const { path } = temporary({ 'a/SKILL.md': skillText('A.') })
    const file = `${path}/a/SKILL.md`
    const { until, skills, changes } = await watchedEngine(path, { debounceMs: 100 })
    writeFileSync(`${path}/a/4913`, '')
    unlinkSync(`${path}/a/4913`)
    renameSync(file, `${file}~`)
    writeFileSync(file, skillText('New.'))
    unlinkSync(`${file}~`)
    await until(catalog => descriptionOf(catalog, 'a') === 'New.')
    // No event reported the skill that was gone for a moment.
    expect(changes).toEqual([{ added: [], removed: [], changed: ['a'] }])
    expect((await skills.catalog()).size).toBe(1)
  })

  it('survives that a root is deleted and made again', async () => {
    const { path, write, remove } = temporary({ 'skills/a/SKILL.md': skillText('A.') })
    const { until, diagnostics } = await watchedEngine(`${path}/skills`)
    for (let round = 0; round < 3; round++) {
      remove('skills')
      await until(catalog => catalog.size === 0)
      write({ 'skills/a/SKILL.md': skillText('Again.'), [`skills/b${round}/SKILL.md`]: skillText('B.') })
      await until(catalog => catalog.size === 2)
      write({ 'skills/a/SKILL.md': skillText(`Changed ${round}.`) })
      await until(catalog => descriptionOf(catalog, 'a') === `Changed ${round}.`)
    }
    expect(diagnostics).toEqual([])
  })

  it('finds a root that is not there at first', async () => {
    const { path, write } = temporary()
    const { until, skills } = await watchedEngine(`${path}/far/away/skills`)
    write({ 'far/away/skills/a/SKILL.md': skillText('A.') })
    await until(catalog => descriptionOf(catalog, 'a') === 'A.')
    expect((await skills.catalog()).places).toMatchObject([{ state: 'read', found: 1 }])
  })

  it('sees a change behind linked roots and linked folders of skills', async () => {
    const { path, write } = temporary({
      'real/a/SKILL.md': skillText('A.'),
      'team/b/SKILL.md': skillText('B.'),
      'real/b': { link: '../team/b' },
      'real/group': { link: '../group' },
      'group/x': { dir: true },
      skills: { link: 'real' },
    })
    const { until, skills } = await watchedEngine(`${path}/skills`)
    write({ 'real/a/SKILL.md': skillText('Other A.') })
    await until(catalog => descriptionOf(catalog, 'a') === 'Other A.')
    write({ 'team/b/SKILL.md': skillText('Other B.') })
    await until(catalog => descriptionOf(catalog, 'b') === 'Other B.')
    write({ 'group/c/SKILL.md': skillText('C.') })
    await until(catalog => descriptionOf(catalog, 'c') === 'C.')
    expect((await skills.catalog()).size).toBe(3)
  })

  it('sees a sidecar that comes and goes', async () => {
    const { path, write, remove } = temporary({ 'a/SKILL.md': skillText('A.') })
    const { until, skills } = await watchedEngine([{ path, hasSidecars: true }])
    const isBarred = (catalog: Awaited<ReturnType<typeof skills.catalog>>): boolean => {
      const command = catalog.get('a')?.command
      return command?.type === 'prompt' && command.disableModelInvocation
    }
    write({ 'a/agents/openai.yaml': 'policy:\n  allow_implicit_invocation: false\n' })
    await until(isBarred)
    remove('a/agents')
    await until(catalog => !isBarred(catalog))
    expect((await skills.catalog()).warnings).toEqual([])
  })

  it('follows the places of a source that looks elsewhere later', async () => {
    const { path, write } = temporary({ 'one/a/SKILL.md': skillText('A.'), 'two/b/SKILL.md': skillText('B.') })
    let roots = [{ path: `${path}/one` }]
    const { skills, until } = await watchedEngine('', { roots: () => ({ roots }) })
    roots = [{ path: `${path}/two` }]
    await skills.refresh()
    await until(catalog => catalog.get('b') !== undefined)
    write({ 'two/b/SKILL.md': skillText('Other.') })
    await until(catalog => descriptionOf(catalog, 'b') === 'Other.')
    expect((await skills.catalog()).size).toBe(1)
  })
})

describe('git checkout of a thousand files', () => {
  it('ends in the catalog of the branch, there and back', async () => {
    const { path, write, remove } = temporary({ 'repo/other.md': 'x' })
    const cwd = `${path}/repo`
    const git = (...args: readonly string[]): unknown =>
      execFileSync(
        'git',
        ['-c', 'user.name=x', '-c', 'user.email=x@example.com', '-c', 'init.defaultBranch=one', ...args],
        { cwd, stdio: 'pipe' },
      )
    const branch = (text: string, from: number): void =>
      write(
        Object.fromEntries(
          Array.from({ length: 1000 }, (_, at) => [`repo/skills/s${at + from}/SKILL.md`, skillText(text)]),
        ),
      )
    git('init', '-q')
    branch('One.', 0)
    git('add', '.')
    git('commit', '-qm', 'one')
    git('checkout', '-qb', 'two')
    remove('repo/skills')
    branch('Two.', 500)
    git('add', '-A')
    git('commit', '-qm', 'two')

    const { until, changes, skills, diagnostics } = await watchedEngine(`${cwd}/skills`, { debounceMs: 100 })
    for (const [name, text, last, gone] of [
      ['one', 'One.', 's999', 's1000'],
      ['two', 'Two.', 's1499', 's0'],
      ['one', 'One.', 's0', 's1499'],
    ] as const) {
      const before = changes.length
      git('checkout', '-q', name)
      await until(
        catalog =>
          catalog.size === 1000 &&
          catalog.get(gone) === undefined &&
          descriptionOf(catalog, last) === text &&
          catalog.entries.every(({ command }) => command.description === text),
      )
      expect(changes.length - before).toBeLessThan(20)
    }
    // The folders that came back are watched as before.
    writeFileSync(`${cwd}/skills/s7/SKILL.md`, skillText('Seven.'))
    await until(catalog => descriptionOf(catalog, 's7') === 'Seven.')
    expect([(await skills.catalog()).errors, diagnostics]).toEqual([[], []])
  })
})

describe('what a watch reads', () => {
  it('is one file when one of many changed', async () => {
    const names = Array.from({ length: 300 }, (_, at) => `s${at}`)
    const { path } = temporary(Object.fromEntries(names.map(name => [`${name}/SKILL.md`, skillText(name)])))
    const read: string[] = []
    const adapt = (_fields: unknown, { name }: { readonly name: string }): readonly never[] => {
      read.push(name)
      return []
    }
    // With a later clock all files are settled: one that was just written may be read again to be sure.
    const clock = { ...systemClock, now: () => Date.now() + 60_000 }
    const skills = createSkills({
      plugins: [sourceOver([{ path, adapt }])],
      host: fakeHost({ clock }),
      onDiagnostic: () => {},
    })
    onTestFinished(() => skills.close())
    await watchSkills(skills, { onDiagnostic: () => {}, debounceMs: 100 })
    expect(read.length).toBe(300)
    read.length = 0
    const changed = new Promise(resolve => skills.hook('skills:changed', resolve))
    const other = `${path}/.new`
    writeFileSync(other, skillText('Other.'))
    renameSync(other, `${path}/s77/SKILL.md`)
    await changed
    expect(read).toEqual(['s77'])
  })
})

describe('sources of another sort', () => {
  const make = (source: Partial<Source>) => {
    let tell = (): void => {}
    const provider = defineProvider({
      kind: 'source',
      id: 'own',
      setup: ({ invalidate }) => {
        tell = invalidate
        return { source: 'own', list: () => loadResult({}), ...source }
      },
    })
    const skills = createSkills({ plugins: [provider], host: fakeHost({ clock: systemClock }), onDiagnostic: () => {} })
    onTestFinished(() => skills.close())
    return { skills, tell: () => tell() }
  }

  it('are asked about the files that they name', async () => {
    const { path, write } = temporary({ 'manifest.json': '{}' })
    let seen: (paths: readonly string[] | undefined) => void = () => {}
    const asked = new Promise<readonly string[] | undefined>(resolve => {
      seen = paths => {
        if (paths?.length === 1 && paths[0] === `${path}/manifest.json` && isWatched) resolve(paths)
      }
    })
    let isWatched = false
    const { skills } = make({ watched: () => [`${path}/manifest.json`], refresh: paths => void seen(paths) })
    await watchSkills(skills, { onDiagnostic: () => {}, debounceMs: 20 })
    isWatched = true
    write({ 'manifest.json': '{ }' })
    expect(await asked).toEqual([`${path}/manifest.json`])
  })

  it('are loaded again when they say that they are out of date', async () => {
    let loads = 0
    let loaded = (): void => {}
    const again = new Promise<void>(resolve => {
      loaded = resolve
    })
    const { skills, tell } = make({ list: () => (++loads > 1 && loaded(), loadResult({})) })
    await watchSkills(skills, { onDiagnostic: () => {} })
    tell()
    await again
    expect(loads).toBe(2)
  })
})

describe('closing', () => {
  it('drops a batch that waits: nothing is loaded afterwards', async () => {
    const { path, write } = temporary({ 'a/SKILL.md': skillText('A.') })
    const { watch, changes, skills, diagnostics } = await watchedEngine(path, { debounceMs: 1000 })
    write({ 'a/SKILL.md': skillText('Other.') })
    // The event has arrived; its batch has not.
    await new Promise(setImmediate)
    await watch.close()
    await watch.close()
    expect([changes, diagnostics]).toEqual([[], []])
    // The engine still works.
    expect(descriptionOf(await skills.refresh(), 'a')).toBe('Other.')
  })

  it("comes with the engine's end, and with an abort", async () => {
    const { path } = temporary({ 'a/SKILL.md': skillText('A.') })
    const { skills, watch, diagnostics } = await watchedEngine(path)
    await skills.close()
    await watch.close()
    const controller = new AbortController()
    const other = await watchedEngine(path, { signal: controller.signal })
    controller.abort()
    await other.watch.close()
    expect([diagnostics, other.diagnostics]).toEqual([[], []])
    await expect(watchSkills(other.skills, { signal: controller.signal, onDiagnostic: () => {} })).rejects.toThrow(
      /abort|closed/i,
    )
  })
})
