import { describe, expect, it } from 'vitest'
import { engine, manifest, marketplace, temporary } from '../test/engine.js'
import type { PluginSourceOptions } from './plugin-options.js'
import type { TreeEntries } from '@skills/testing'

async function explaining(entries: TreeEntries, options: PluginSourceOptions) {
  const { path } = temporary(entries)
  const skills = engine(path, options)
  await skills.catalog()
  return async (name: string) => (await skills.explain(name)).notes.map(({ text }) => text.replaceAll(`${path}/`, ''))
}

describe('explain', () => {
  it('says of a command which plugin it came with, and who named that', async () => {
    const explain = await explaining(
      { ...manifest('acme', { name: 'acme', version: '1.2.0' }), 'acme/skills/a/SKILL.md': 'a' },
      { plugins: [{ path: 'acme', from: 'user' }] },
    )
    expect(await explain('acme:a')).toEqual(['The plugin "acme" 1.2.0 at acme is named by the user configuration.'])
  })

  it('says of a name that a plugin has not what it has, and what stands in the place', async () => {
    const explain = await explaining(
      {
        'acme/skills/a/SKILL.md': 'a',
        'acme/skills/group/empty': { dir: true },
        'acme/commands/b.md': 'b',
        'none/skills/x': { dir: true },
      },
      { plugins: ['acme', 'none'] },
    )
    expect(await explain('acme:group:empty')).toEqual([
      expect.stringMatching(/"acme" .*host configuration/),
      'The plugin has these commands: acme:a, acme:b.',
      expect.stringContaining('acme/skills/group/empty '),
    ])
    expect(await explain('acme')).toHaveLength(2)
    expect((await explain('none:y')).at(-1)).toMatch(/ no commands/)
    expect(await explain('other:a')).toEqual([])
  })

  it('says of a skill that its manifest does not list that it does not', async () => {
    const explain = await explaining(
      {
        ...manifest('acme', { name: 'acme', skills: ['./skills/a'] }),
        'acme/skills/a/SKILL.md': 'a',
        'acme/skills/g/draft/SKILL.md': 'x',
      },
      { plugins: ['acme'] },
    )
    expect((await explain('acme:g:draft')).at(-1)).toMatch(
      /^acme\/skills\/g\/draft .* acme\/\.claude-plugin\/plugin\.json .*"acme"/,
    )
    expect(await explain('acme:g:../draft')).toHaveLength(2)
  })

  it('shows ten names at most', async () => {
    const explain = await explaining(
      Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`acme/skills/s${at}/SKILL.md`, 'x'])),
      { plugins: ['acme'] },
    )
    expect((await explain('acme:x'))[1]).toMatch(/acme:s7, 2 more\.$/)
  })

  it('says why a plugin is not loaded: off, refused, not there, second of its name, elsewhere or not wanted', async () => {
    const explain = await explaining(
      {
        ...manifest('off', { name: 'off' }),
        ...manifest('bad', { name: 'bad', skills: 5 }),
        ...manifest('user', { name: 'user' }),
        ...manifest('one', { name: 'twice' }),
        ...manifest('two', { name: 'twice' }),
        ...marketplace('market', [
          { name: 'far', source: { source: 'url' } },
          { name: 'unwanted', source: './x' },
          { name: 'outside', source: '../x' },
        ]),
      },
      {
        plugins: [{ path: 'off', enabled: false }, 'bad', 'user', 'gone', 'one', 'two'],
        packages: [{ name: 'missing', folder: '.' }],
        marketplaces: [{ path: 'market', only: ['far', 'outside'] }],
      },
    )
    expect(await explain('off:a')).toEqual([expect.stringMatching(/"off" at off .* The host /)])
    expect(await explain('bad:a')).toEqual([expect.stringMatching(/"bad" .*: "skills" /)])
    expect(await explain('user:a')).toEqual([expect.stringContaining('"user"')])
    expect(await explain('gone:a')).toEqual([expect.stringMatching(/"gone" .* gone\.$/)])
    expect((await explain('twice:a')).at(-1)).toMatch(/ two .* one .*"twice"/)
    expect(await explain('missing:a')).toEqual([expect.stringContaining('not installed')])
    expect(await explain('far:a')).toEqual([
      expect.stringMatching(/"far" .*\(url\) .*market\/\.claude-plugin\/marketplace\.json/),
    ])
    expect(await explain('unwanted:a')).toEqual([expect.stringContaining('wanted')])
    expect(await explain('outside:a')).toEqual([expect.stringContaining('its marketplace')])
  })
})
