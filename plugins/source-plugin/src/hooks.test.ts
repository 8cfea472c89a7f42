import { describe, expect, it, onTestFinished, test } from 'vitest'
import { createSkills, type Diagnostic, type PromptCommand } from '@skills/core'
import { fakeClock, fakeHost, type TreeEntries } from '@skills/testing'
import { manifest, shortly, temporary } from '../test/engine.js'
import { pluginSource, type PluginSourceOptions } from './index.js'

const map = { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] }
const other = { PreToolUse: [] }
const file = (data: unknown): string => (typeof data === 'string' ? data : JSON.stringify(data))

interface Handed {
  readonly path: string
  readonly hooks: readonly PromptCommand[]
  readonly told: readonly Diagnostic[]
  again(): Promise<readonly PromptCommand[]>
}

/** Returns what the plugin `acme` passes to the hooks provider. */
async function handed(entries: TreeEntries, options: PluginSourceOptions = { plugins: ['acme'] }): Promise<Handed> {
  const { path } = temporary(entries)
  const told: Diagnostic[] = []
  const source = pluginSource({ stateFolder: `${path}/state`, ...options })
  const skills = createSkills({
    host: fakeHost({ cwd: path, home: `${path}/home`, clock: fakeClock(Date.now() + 60_000) }),
    plugins: [source],
    onDiagnostic: diagnostic => told.push(diagnostic),
  })
  onTestFinished(() => skills.close())
  const again = async (): Promise<readonly PromptCommand[]> => {
    const answers = await skills
      .use('source')
      .each(async (one, { signal }) =>
        'hooks' in one && typeof one.hooks === 'function' ? await one.hooks({ signal }) : [],
      )
    return answers.flatMap(({ value }) => value)
  }
  return { path, hooks: await again(), told, again }
}

describe('hooks of a plugin', () => {
  it('stand in its hooks/hooks.json, in files that the manifest names, or in the manifest', async () => {
    const usual = await handed({
      'acme/skills/a/SKILL.md': 'a',
      'acme/hooks/hooks.json': file({ description: 'x', hooks: map }),
    })
    expect(usual.hooks).toMatchObject([
      {
        name: 'acme',
        source: 'plugin',
        loadedFrom: 'plugin',
        pluginName: 'acme',
        hooks: map,
        baseDir: `${usual.path}/acme`,
        filePath: `${usual.path}/acme/hooks/hooks.json`,
        plugin: { from: 'host' },
      },
    ])
    const named = await handed({
      ...manifest('acme', { name: 'acme', hooks: ['./own.json', './hooks/hooks.json'] }),
      'acme/hooks/hooks.json': file({ hooks: map }),
      'acme/own.json': file(other),
    })
    expect(named.hooks.map(({ hooks }) => hooks)).toEqual([map, other])
    for (const hooks of [map, { hooks: map }]) {
      const held = await handed(manifest('acme', { name: 'acme', hooks }))
      expect(held.hooks).toMatchObject([{ hooks: map, filePath: `${held.path}/acme/.claude-plugin/plugin.json` }])
      expect(held.told).toEqual([])
    }
    expect((await handed({ 'acme/skills/a/SKILL.md': 'a' })).hooks).toEqual([])
  })

  it('come from plugins that are on, as the options name them', async () => {
    const entries = {
      ...manifest('on', { name: 'on', hooks: map }),
      ...manifest('off', { name: 'off', hooks: map }),
      ...manifest('unnamed', { name: 'unnamed', hooks: map }),
    }
    const { hooks } = await handed(entries, {
      plugins: [
        { path: 'on', from: 'project' },
        { path: 'off', enabled: false },
      ],
    })
    expect(hooks).toMatchObject([{ name: 'on', plugin: { from: 'project' } }])
  })

  it('know the variables of the plugin, sensitive ones too', async () => {
    const { hooks, path } = await handed(
      manifest('acme', { name: 'acme', hooks: map, userConfig: { key: { sensitive: true }, open: {}, unset: {} } }),
      { plugins: [{ path: 'acme', config: { key: 'secret', open: 'yes' } }] },
    )
    const [command] = hooks
    if (command === undefined || !('resolveVariable' in command) || typeof command.resolveVariable !== 'function')
      throw new Error('It knows no variables.')
    const { resolveVariable } = command
    expect(
      ['CLAUDE_PLUGIN_ROOT', 'user_config.key', 'user_config.open', 'HOME'].map(name => resolveVariable(name)),
    ).toEqual([`${path}/acme`, 'secret', 'yes', undefined])
    expect(() => resolveVariable('user_config.unset')).toThrow('has no value')
    expect(() => resolveVariable('user_config.none')).toThrow(
      expect.objectContaining({ code: 'E_INVALID_SKILL', message: expect.stringContaining('no setting') }),
    )
    expect(JSON.stringify(command)).not.toContain('secret')
  })
})

test.each<readonly [title: string, entries: TreeEntries, problems: readonly string[]]>([
  [
    'a file that is none',
    { ...manifest('acme', { name: 'acme', hooks: './no.json' }) },
    ['missing-plugin-path hooks:3'],
  ],
  ['broken JSON', { 'acme/skills/a/SKILL.md': 'a', 'acme/hooks/hooks.json': '{' }, ['invalid-plugin-hooks :1']],
  ['a list', { 'acme/skills/a/SKILL.md': 'a', 'acme/hooks/hooks.json': '[]' }, ['invalid-plugin-hooks']],
  [
    'a file that is nested too deep',
    { 'acme/skills/a/SKILL.md': 'a', 'acme/hooks/hooks.json': `{ "Stop": ${'['.repeat(5_000)}${']'.repeat(5_000)} }` },
    ['invalid-plugin-hooks'],
  ],
  [
    'a link out of the plugin',
    {
      'acme/skills/a/SKILL.md': 'a',
      'elsewhere.json': file({ hooks: map }),
      'acme/hooks/hooks.json': { link: '../../elsewhere.json' },
    },
    ['link-escapes'],
  ],
])('%s costs these hooks alone, and is reported', async (_, entries, problems) => {
  const { hooks, told } = await handed(entries)
  expect(hooks).toEqual([])
  expect(shortly(told)).toEqual(problems)
  // A plugin is not a project.
  expect(told.map(({ message, hint }) => `${message} ${hint}`).join()).not.toContain('project')
})

test('a path out of the plugin is refused when the manifest is read, and hooks of no known form make it invalid', async () => {
  const { path } = temporary({
    ...manifest('acme', { name: 'acme', hooks: '../own.json' }),
    ...manifest('wrong', { name: 'wrong', hooks: 5 }),
  })
  const skills = createSkills({
    host: fakeHost({ cwd: path, home: path }),
    plugins: [pluginSource({ plugins: ['acme', 'wrong'] })],
    onDiagnostic: () => {},
  })
  onTestFinished(() => skills.close())
  expect(shortly((await skills.catalog()).errors).toSorted()).toEqual([
    'invalid-manifest hooks:3',
    'plugin-path-outside hooks:3',
  ])
})
