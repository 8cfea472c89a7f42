import { describe, expect, it } from 'vitest'
import { bodyOf, loaded, start, sourceOver, temporary } from '../../test/load.js'
import { rootsIn } from './agent-folders.js'
import type { LoadResult, PromptCommand } from '@skills/core'

const layout = { holds: 'commands' } as const

function namesOf({ commands }: LoadResult): readonly string[] {
  return commands.map(({ name }) => name)
}

describe('a folder of legacy commands', () => {
  it('gives a command for every Markdown file, named by its path', async () => {
    const result = await loaded(
      { 'deploy.md': '---\ndescription: Ships it.\n---\nShip.', 'git/push.md': 'Push.', 'git/remote/add.md': 'Add.' },
      { layout },
    )
    expect(namesOf(result)).toEqual(['deploy', 'git:push', 'git:remote:add'])
    expect(result.commands[0]).toMatchObject({
      type: 'prompt',
      name: 'deploy',
      displayName: 'deploy',
      description: 'Ships it.',
      hasUserSpecifiedDescription: true,
      loadedFrom: 'commands',
      isSkill: false,
      progressMessage: 'running',
      baseDir: undefined,
      filePath: `${result.path}/deploy.md`,
      contentLength: 5,
    })
    expect(result.commands[1]).toMatchObject({ description: 'Push.', hasUserSpecifiedDescription: false })
    expect(await bodyOf(result.commands[0] as PromptCommand)).toBe('Ship.')
  })

  it('ignores what a file says of its name and its paths, and keeps it', async () => {
    const result = await loaded({ 'a.md': '---\nname: b\npaths: src/**\nallowed-tools: Read\n---\n' }, { layout })
    expect(result.commands[0]).toMatchObject({
      name: 'a',
      displayName: 'a',
      paths: [],
      allowedTools: ['Read'],
      metadata: { name: 'b', paths: 'src/**' },
    })
  })

  it('takes a folder with a SKILL.md for a command that is a skill, and nothing else in it', async () => {
    const result = await loaded(
      { 'ops/deploy/SKILL.md': 'Ship.', 'ops/deploy/notes.md': 'x', 'ops/check.md': 'Check.' },
      { layout },
    )
    expect(namesOf(result)).toEqual(['ops:check', 'ops:deploy'])
    expect(result.commands[1]).toMatchObject({
      loadedFrom: 'commands',
      isSkill: true,
      progressMessage: 'loading',
      baseDir: `${result.path}/ops/deploy`,
    })
  })

  it('does so too when the file is called skill.md', async () => {
    const result = await loaded({ 'ops/deploy/skill.md': 'Ship.' }, { layout })
    expect(result.warnings).toMatchObject([{ code: 'other-case' }])
    expect(result.commands).toMatchObject([
      { name: 'ops:deploy', isSkill: true, progressMessage: 'loading', baseDir: `${result.path}/ops/deploy` },
    ])
  })

  it('says how many namespaces lie too deep, unless it may go deeper', async () => {
    const deep = 'a/b/c/d/e/f/g/h/i/j'
    const tree = { [`${deep}/x.md`]: 'x', 'a/b/c/d/e/f/y.md': 'y' }
    const result = await loaded(tree, { layout })
    expect(namesOf(result)).toEqual(['a:b:c:d:e:f:y'])
    expect(result.errors).toMatchObject([
      { code: 'depth-limit', message: expect.stringMatching(/ 6 levels .* a folder\.$/) },
    ])
    expect(namesOf(await loaded(tree, { layout: { ...layout, depth: 10 } }))).toEqual([
      'a:b:c:d:e:f:g:h:i:j:x',
      'a:b:c:d:e:f:y',
    ])
  })

  it('tells of a broken file under the name that people ask for', async () => {
    const result = await loaded(
      { 'git/bad.md': '---\nuser-invocable: maybe\n---\n', 'git/link.md': { link: 'none' }, 'ok.md': 'Fine.' },
      { layout },
    )
    expect(namesOf(result)).toEqual(['ok'])
    expect(result.errors).toMatchObject([
      { code: 'dangling-link', name: 'git:link' },
      { code: 'invalid-boolean', name: 'git:bad', line: 2, column: 17 },
    ])
  })

  it('refuses an invisible character in any part of the name', async () => {
    const result = await loaded({ 'a\u202eb/c.md': 'x' }, { layout })
    expect(result.errors).toMatchObject([{ code: 'unsafe-name' }])
  })

  it('that is not there is not a place that anyone misses', async () => {
    const { path } = temporary()
    const { list } = await start(sourceOver([{ path: `${path}/commands`, layout }, { path: `${path}/skills` }]))
    expect((await list()).places).toMatchObject([{ path: `${path}/skills`, state: 'missing' }])
  })
})

describe("agents' folders", () => {
  it('keep what their names say, skills before commands', () => {
    expect(
      rootsIn(['.claude', '.opencode', '.codex', '.github', '.agents', '.own'], folder => `/p/${folder}`, {
        qualifier: 'q',
      }),
    ).toEqual([
      { path: '/p/.claude/skills', qualifier: 'q', hasSidecars: false },
      { path: '/p/.opencode/skill', qualifier: 'q', hasSidecars: false },
      { path: '/p/.opencode/skills', qualifier: 'q', hasSidecars: false },
      { path: '/p/.codex/skills', qualifier: 'q', hasSidecars: true },
      { path: '/p/.github/skills', qualifier: 'q', hasSidecars: false },
      { path: '/p/.agents/skills', qualifier: 'q', hasSidecars: true },
      { path: '/p/.own/skills', qualifier: 'q', hasSidecars: false },
      { path: '/p/.claude/commands', qualifier: 'q', layout },
    ])
  })

  it('may be said to keep something else, and left out', () => {
    expect(
      rootsIn([{ name: '.claude', skills: ['s'], commands: [] }, '.agents'], folder =>
        folder === '.agents' ? undefined : `/${folder}`,
      ),
    ).toEqual([{ path: '/.claude/s', hasSidecars: false }])
  })
})
