import { tempTree, type TempTree } from '@skills/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runIn, type Console } from './console.js'

/** Makes a home folder in which Claude Code has installed the plugin `acme`, as it writes its files. */
function home(enabled = true): { readonly tree: TempTree; readonly console: Console } {
  const plugins = 'home/.claude/plugins'
  const place = `${plugins}/cache/market/acme/1.2.0`
  const tree = tempTree({
    'work/.git': { dir: true },
    'home/.claude/settings.json': JSON.stringify({ enabledPlugins: { 'acme@market': enabled } }),
    [`${plugins}/marketplaces/market/.claude-plugin/marketplace.json`]: JSON.stringify({
      name: 'market',
      owner: { name: 'Ann' },
      plugins: [{ name: 'acme', source: './acme' }],
    }),
    [`${place}/.claude-plugin/plugin.json`]: JSON.stringify({ name: 'acme', version: '1.2.0' }),
    [`${place}/skills/go/SKILL.md`]: '---\nname: go\ndescription: Goes. Use to go.\n---\nGo: !`echo now`\n',
  })
  onTestFinished(() => tree.dispose())
  const { path } = tree
  tree.write({
    [`${plugins}/known_marketplaces.json`]: JSON.stringify({
      market: { source: { source: 'github', repo: 'a/b' }, installLocation: `${path}/${plugins}/marketplaces/market` },
    }),
    [`${plugins}/installed_plugins.json`]: JSON.stringify({
      version: 2,
      plugins: { 'acme@market': [{ scope: 'user', installPath: `${path}/${place}`, version: '1.2.0' }] },
    }),
  })
  return { tree, console: { cwd: `${path}/work`, home: `${path}/home` } }
}

async function names(argv: readonly string[], console: Console): Promise<readonly string[]> {
  const { stdout } = await runIn(['list', '--json', ...argv], console)
  return (JSON.parse(stdout) as readonly { readonly name: string }[]).map(({ name }) => name)
}

describe('plugins that Claude Code has installed', () => {
  test.each([[[]], [['--distribution', 'claude-code']]])('are in the list with %j', async argv => {
    const { console } = home()
    expect(await names(argv, console)).toEqual(['acme:go'])
    expect(await names(argv, home(false).console)).toEqual([])
  })

  test('are switched by the settings of the root and of the working folder that Claude Code reads there', async () => {
    const settings = (word: boolean): string => JSON.stringify({ enabledPlugins: { 'acme@market': word } })
    const listed = async (file: string, word: boolean): Promise<boolean> => {
      const { tree, console } = home(!word)
      tree.write({ [`work/${file}`]: settings(word), 'work/a/x': '' })
      return (await names([], { ...console, cwd: `${tree.path}/work/a` })).length > 0
    }
    for (const file of ['.claude/settings.local.json', 'a/.claude/settings.local.json', 'a/.claude/settings.json'])
      expect([file, await listed(file, true), await listed(file, false)]).toEqual([file, true, false])
    expect([await listed('.claude/settings.json', true), await listed('.claude/settings.json', false)]).toEqual([
      false,
      true,
    ])
  })

  test('are in no list of an agent that does not read them', async () => {
    for (const agent of ['codex', 'opencode', 'mini'])
      expect(await names(['--distribution', agent], home().console)).toEqual([])
  })

  test('move with CLAUDE_CONFIG_DIR', async () => {
    const { tree, console } = home()
    const moved = { ...console, home: `${tree.path}/other`, env: { CLAUDE_CONFIG_DIR: `${tree.path}/home/.claude` } }
    expect(await names([], moved)).toEqual(['acme:go'])
  })

  test.each([
    ['an absolute path', (path: string) => `${path}/home/.claude/plugins`],
    ['a path from the working folder', () => '../home/.claude/plugins'],
    ['a path from the home folder', () => '~/../home/.claude/plugins'],
  ])('lie where CLAUDE_CODE_PLUGIN_CACHE_DIR says, by %s', async (_, written) => {
    const { tree, console } = home()
    tree.write({ 'other/.claude/settings.json': JSON.stringify({ enabledPlugins: { 'acme@market': true } }) })
    const elsewhere = { ...console, home: `${tree.path}/other` }
    expect(await names([], elsewhere)).toEqual([])
    const env = { CLAUDE_CODE_PLUGIN_CACHE_DIR: written(tree.path) }
    expect(await names([], { ...elsewhere, env })).toEqual(['acme:go'])
    expect(await names([], { ...console, env: { CLAUDE_CODE_PLUGIN_CACHE_DIR: 'nowhere' } })).toEqual([])
    // A home that is named is looked at without the variables of another one.
    expect(await names(['--home', elsewhere.home], { ...elsewhere, env })).toEqual([])
  })

  test('are named by explain, and by it when they are off', async () => {
    const { stdout } = await runIn(['explain', 'acme:go'], home().console)
    expect(stdout).toMatch(/The plugin "acme" 1\.2\.0 at \S+ was installed by Claude\s+Code as "acme@market"/)
    const off = await runIn(['explain', 'acme:go'], home(false).console)
    expect(off.stdout + off.stderr).toMatch(/"enabledPlugins" in \S+\s+switches it off/)
  })

  test('run their embedded commands as the user’s own do', async () => {
    const { stdout } = await runIn(['run', 'acme:go', '--allow', 'Bash(echo now)'], home().console)
    expect(stdout).toContain('Go: now')
  })

  test('that lie elsewhere are said by doctor, with what to do', async () => {
    const { tree, console } = home()
    tree.write({
      'far/.claude-plugin/plugin.json': '{ "name": "acme" }',
      'home/.claude/plugins/installed_plugins.json': JSON.stringify({
        version: 2,
        plugins: { 'acme@market': [{ scope: 'user', installPath: `${tree.path}/far` }] },
      }),
    })
    const { code, stdout } = await runIn(['doctor', '--json'], console)
    const { findings } = JSON.parse(stdout) as { readonly findings: readonly { readonly code: string }[] }
    expect([code, findings.map(one => one.code)]).toEqual([1, ['installed-plugin-outside']])
  })
})
