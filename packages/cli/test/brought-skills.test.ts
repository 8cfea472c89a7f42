import { tempTree, type TreeEntries } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { runIn } from './console.js'

/** Files of a folder, the skills that it brings, and the other skills in it. */
interface Layout {
  readonly entries: TreeEntries
  readonly brings: readonly string[]
  readonly commands?: readonly string[]
  readonly others?: readonly string[]
}

const skill = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: Does ${name}. Use when asked for ${name}.\n---\nDo ${name}.${more}\n`
const skills = (...paths: readonly string[]): TreeEntries =>
  Object.fromEntries(paths.map(path => [`${path && `${path}/`}SKILL.md`, skill(path.split('/').at(-1) || 'own')]))
const json = (value: unknown): string => JSON.stringify(value)
const market = (...plugins: readonly object[]): TreeEntries => ({
  '.claude-plugin/marketplace.json': json({ name: 'market', owner: { name: 'x' }, plugins }),
})
const many = Array.from({ length: 54 }, (_, at) => `step-${at}`)

const layouts: Readonly<Record<string, Layout>> = {
  'a skill with 54 below it': { entries: skills('', ...many), brings: ['own', ...many] },
  'a folder of skills beside those of its tests and its maintainers': {
    entries: {
      ...skills('skills/a', 'skills/b', 'test/fixtures/c', '.claude/skills/d'),
      'skills/notes.md': 'No skill.',
    },
    brings: ['a', 'b'],
    others: ['c', 'd'],
  },
  'skills in folders by category': {
    entries: skills('skills/cloud/a', 'skills/cloud/b', 'skills/ads/c'),
    brings: ['a', 'b', 'c'],
  },
  'categories without a folder of skills': { entries: skills('cloud/a', 'ads/b'), brings: ['a', 'b'] },
  'copies for several agents': {
    entries: skills('skills/a', '.claude/skills/a', '.cursor/skills/a'),
    brings: ['a'],
    others: ['a', 'a'],
  },
  'a plugin that lists its skills': {
    entries: {
      '.claude-plugin/plugin.json': json({ name: 'kit', skills: ['./skills/a', './more/b'] }),
      ...skills('skills/a', 'skills/draft', 'more/b', '.claude/skills/own-tool'),
    },
    brings: ['a', 'b'],
    others: ['draft', 'own-tool'],
  },
  'a plugin of commands, with skills beside it that it does not list': {
    entries: {
      '.claude-plugin/plugin.json': json({ name: 'kit' }),
      'commands/build.md': 'Build it.',
      'commands/ship.md': 'Ship it.',
      ...skills('agents/a', 'b'),
    },
    brings: [],
    commands: ['build', 'ship'],
    others: ['a', 'b'],
  },
  'a package that lists its skills': {
    entries: {
      'package.json': json({ name: '@acme/kit', version: '1.0.0', skillsPaths: ['./own'] }),
      ...skills('own/a', 'own/b', 'examples/c'),
    },
    brings: ['a', 'b'],
    others: ['c'],
  },
  'a marketplace of plugins here and elsewhere': {
    entries: {
      ...market(
        { name: 'one', source: './plugins/one' },
        { name: 'two', source: './plugins/two', skills: ['./picked'] },
        { name: 'far', source: { source: 'github', repo: 'o/far' } },
      ),
      ...skills('plugins/one/skills/a', 'plugins/two/picked/b', 'plugins/two/left/c', 'template'),
    },
    brings: ['a', 'b'],
    others: ['c', 'template'],
  },
  'a marketplace whose entry names the folder of its skills alone': {
    entries: {
      ...market({ name: 'cloud', source: './skills/cloud' }, { name: 'x', source: './skills/ads/x' }),
      ...skills('skills/cloud/a', 'skills/cloud/b', 'skills/ads/x'),
    },
    brings: ['a', 'b', 'x'],
  },
  'a marketplace of plugins elsewhere, with skills that none of them lists': {
    entries: {
      ...market({ name: 'far', source: { source: 'github', repo: 'o/far' } }),
      ...skills('skills/cloud/a', 'skills/cloud/b', '.claude/skills/own-tool'),
    },
    brings: ['a', 'b'],
    others: ['own-tool'],
  },
}

/** JSON that the commands print. */
interface Answer {
  readonly skills: readonly { readonly name: string }[]
  readonly others?: readonly { readonly name: string }[]
  readonly files: readonly { readonly path: string }[]
}

/** Returns the skills that `add` would install, and how many others it found; a source that brings none is refused. */
function addedIn({ stdout, stderr }: { stdout: string; stderr: string }) {
  const refused = /(\d+) more lie in it/.exec(stderr)?.[1]
  if (refused !== undefined) return { skills: [], others: Number(refused) }
  const { skills: found, others = [] } = JSON.parse(stdout) as Answer
  return { skills: found.map(({ name }) => name).sort(), others: others.length }
}

const last = (name: string): string => name.split(':').at(-1) ?? name

test.each(Object.entries(layouts))(
  'six commands say the same of %s',
  async (_what, { entries, brings, commands = [], others = [] }) => {
    const own = Object.fromEntries(Object.entries(entries).map(([path, entry]) => [`own/${path}`, entry]))
    const tree = tempTree({ ...own, 'own/.git/HEAD': 'x', home: { dir: true }, 'work/.git/HEAD': 'x' })
    onTestFinished(() => tree.dispose())
    const at = { cwd: `${tree.path}/work`, home: `${tree.path}/home` }
    const read = async (...argv: readonly string[]): Promise<Answer> => {
      const answer: unknown = JSON.parse((await runIn([...argv, '--json'], at)).stdout)
      return (Array.isArray(answer) ? { skills: answer } : answer) as Answer
    }
    const names = (list: readonly { readonly name: string }[]): readonly string[] =>
      list.map(one => last(one.name)).sort()
    const expected = [...brings, ...commands].toSorted()

    const added = await runIn(['add', '../own', '--all', '--json'], at)
    expect(addedIn(added)).toEqual({ skills: brings.toSorted(), others: others.length })
    expect(names((await read('list', '--plugin-dir', '../own')).skills)).toEqual(expected)
    expect(names((await read('plugin', 'check', '../own')).skills)).toEqual(expected)
    expect(names((await read('compat', '--plugin-dir', '../own')).skills)).toEqual(expected)
    const { files: checked } = await read('lint', '../own')
    const files = checked.map(({ path }) => path.split('/').at(-2))
    expect(files.filter(folder => folder !== 'commands').toSorted()).toEqual([...brings, ...others].toSorted())
    const { stdout } = await runIn([], { ...at, cwd: `${tree.path}/own` })
    const [count, noun] = brings.length > 0 ? [brings.length, 'skill'] : [commands.length, 'command']
    expect(stdout).toMatch(new RegExp(`^This folder is .*\\b${count} ${noun}s?\\b`, 'm'))
    const more = /^ {2}(\d+) more SKILL\.md below it/m.exec(stdout)?.[1] ?? '0'
    expect(more).toBe(String(others.length))
  },
)

test('a folder of an agent that is a link to the skills makes them no others', async () => {
  const tree = tempTree({
    'own/.git/HEAD': 'x',
    'own/.claude-plugin/plugin.json': json({ name: 'kit' }),
    'own/skills/a/SKILL.md': skill('a'),
    'own/.pi/skills': { link: '../skills' },
    home: { dir: true },
  })
  onTestFinished(() => tree.dispose())
  const { stdout } = await runIn([], { cwd: `${tree.path}/own`, home: `${tree.path}/home` })
  expect(stdout).toMatch(/ plugin kit .* 1 skill$/m)
  expect(stdout).not.toContain('more SKILL.md')
})

test('a marketplace of plugins elsewhere says so, and its next commands work', async () => {
  const tree = tempTree({
    'own/.claude-plugin/marketplace.json': json({
      name: 'market',
      owner: { name: 'x' },
      plugins: [{ name: 'far', source: { source: 'github', repo: 'o/far' } }],
    }),
    'own/.claude/skills/tool/SKILL.md': skill('tool'),
    home: { dir: true },
  })
  onTestFinished(() => tree.dispose())
  const at = { cwd: `${tree.path}/own`, home: `${tree.path}/home` }
  const { stdout } = await runIn([], at)
  expect(stdout).toMatch(/One plugin .* remote source/)
  expect(stdout).toContain('skills add plugin:far@./ --user')
  const checked = await runIn(['plugin', 'check'], at)
  expect([checked.code, checked.stdout.match(/remote-plugins|no-skills/g)]).toEqual([0, ['remote-plugins']])
  expect(await runIn(['add', './', '--all', '--user', '--yes'], at)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('its plugins lie elsewhere (far)'),
  })
})

test('lint and audit without a path check a repository of skills, and nothing checked is a failure', async () => {
  const tree = tempTree({
    'own/.git/HEAD': 'x',
    'own/skills/a/SKILL.md': skill('a', ' Read [it](gone.md).'),
    'own/skills/b/SKILL.md': '---\ndescription: x\n',
    'empty/.git/HEAD': 'x',
    home: { dir: true },
  })
  onTestFinished(() => tree.dispose())
  const run = async (cwd: string, ...argv: readonly string[]) =>
    runIn(argv, { cwd: `${tree.path}/${cwd}`, home: `${tree.path}/home` })
  const linted = await run('own', 'lint')
  expect(linted.code).toBe(1)
  expect(linted.stdout).toMatch(/ dead-link\n/)
  expect(linted.stdout).toMatch(/\n2 files checked: /)
  expect((await run('own', 'audit')).stdout).toMatch(/^own:a\t/)
  for (const command of ['lint', 'audit']) {
    expect(await run('empty', command)).toMatchObject({ code: 1, stderr: expect.stringContaining('--allow-empty') })
    expect((await run('empty', command, '--allow-empty')).code).toBe(0)
  }
  expect((await run('empty', 'lint', '.')).code).toBe(1)
  expect((await run('empty', 'lint', '.', '--allow-empty')).code).toBe(0)
})
