import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { engine, skill, source } from '../test/engine.js'
import { mayModelInvoke, shownName } from './index.js'
import { looksOf, oddityOf, plainLookOf } from './name-look.js'
import type { Command, Override } from './index.js'

/** Makes the catalog of a user's skills and a project's. */
async function catalogOf(
  user: readonly Command[],
  project: readonly Command[],
  overrides: Record<string, Override> = {},
) {
  const { skills } = engine({ plugins: [source('user', user), source('project', project)], overrides })
  return skills.catalog()
}

const ofProject = (name: string, more: Parameters<typeof skill>[1] = {}): Command =>
  skill(name, { source: 'project', ...more })

// Names of a project's skills beside the user's `deploy`, and how they are shown.
const alike: readonly (readonly [string, string, string])[] = [
  ['white space at its end', 'deploy ', '"deploy "'],
  ['white space before it', ' deploy', '" deploy"'],
  ['an unusual space', 'deploy\u00a0', '"deploy\\u{a0}"'],
  ['another one in its middle', 'de\u2003ploy', '"de\\u{2003}ploy"'],
  ['the end of an entry', 'deploy: Shows a harmless preview', '"deploy: Shows a harmless preview"'],
  ['a dash', 'deploy - Shows', '"deploy - Shows"'],
  ['a display name', 'deploy (Deploy)', '"deploy (Deploy)"'],
  ['a quotation mark', 'de"ploy', '"de\\"ploy"'],
  ['a tag', 'deploy<b', '"deploy<b"'],
  ['a line break', 'deploy\n- other', '"deploy\\u{a}- other"'],
  ['an escape', '\u001b[2Kdeploy', '"\\u{1b}[2Kdeploy"'],
  ['a zero-width space', 'de\u200bploy', '"de\\u{200b}ploy"'],
  ['a soft hyphen', 'de\u00adploy', '"de\\u{ad}ploy"'],
  ['an override', '\u202eyolped', '"\\u{202e}yolped"'],
  ['a joiner', 'de\u200dploy', '"de\\u{200d}ploy"'],
  ['a variation selector', 'deploy\ufe0f', '"deploy\\u{fe0f}"'],
  ['a mark of no letter', 'deploy\u0332', '"deploy\\u{332}"'],
  ['half a character', 'deploy\ud83d', '"deploy\\u{d83d}"'],
  ['a Cyrillic letter', 'depl\u043ey', '"depl\\u{43e}y"'],
  ['a Greek letter', 'depl\u03bfy', '"depl\\u{3bf}y"'],
  ['full width', '\uff44\uff45\uff50\uff4c\uff4f\uff59', '"\\u{ff44}\\u{ff45}\\u{ff50}\\u{ff4c}\\u{ff4f}\\u{ff59}"'],
  ['a mathematical letter', '\u{1d41d}eploy', '"\\u{1d41d}eploy"'],
  ['a nought', 'depl0y', '"depl0y"'],
  ['a one', 'dep1oy', '"dep1oy"'],
  ['a capital I', 'depIoy', '"depIoy"'],
  ['a capital letter', 'Deploy', '"Deploy"'],
]

describe.each(alike)('a name with %s', (_what, name, shown) => {
  test('is reported, kept from models, and shown for what it is', async () => {
    const catalog = await catalogOf([skill('deploy')], [ofProject(name)])
    const entry = catalog.entries.find(({ command }) => command.source === 'project')
    expect(entry).toMatchObject({ doubt: expect.any(String) as string, dormant: expect.any(String) as string })
    expect(shownName(name, true)).toBe(shown)
    expect(catalog.get('deploy')).toMatchObject({ command: { source: 'user' } })
    expect(catalog.get('deploy')?.doubt).toBeUndefined()
    expect(catalog.warnings).toMatchObject([
      { name: entry?.name, provider: 'project', code: name === 'Deploy' ? 'case-collision' : 'misleading-name' },
    ])
  })

  test('is listed once an override names it, and still shown so', async () => {
    const catalog = await catalogOf([skill('deploy')], [ofProject(name)], {
      [name.includes(':') ? `project:${name}` : name]: 'on',
    })
    const entry = catalog.entries.find(({ command }) => command.source === 'project')
    expect(entry).toMatchObject({ doubt: expect.any(String) as string })
    expect(entry?.dormant).toBeUndefined()
    expect(entry !== undefined && mayModelInvoke(entry.command)).toBe(true)
  })
})

test.each([
  'deploy',
  'déploiement',
  'развёртывание',
  '部署',
  'नमस्ते',
  'שלום',
  '🚀',
  '⚙️',
  '👩‍👩‍👧',
  'a b',
  'C++',
  "it's",
  'v1.0',
  'modern',
  'deploy-2',
  'деплой-prod',
  'acme/x',
])('nothing is odd about %s', async name => {
  const catalog = await catalogOf([skill('hello')], [ofProject(name)])
  expect(catalog.warnings).toEqual([])
  expect(catalog.get(name)?.doubt).toBeUndefined()
  expect(shownName(name)).toBe(name)
})

test('of two names that look alike the plain ASCII one stays, also when it ranks second', async () => {
  const catalog = await catalogOf([skill('dерlоу')], [ofProject('deploy')])
  expect(catalog.get('deploy')?.doubt).toBeUndefined()
  expect(catalog.get('dерlоу')?.dormant).toBe(
    'Its name "d\\u{435}\\u{440}l\\u{43e}\\u{443}" looks like deploy of project.',
  )
})

test.each([
  [[skill('Deploy')], [ofProject('deploy')], 'deploy'],
  [[skill('deploy')], [ofProject('Deploy')], 'Deploy'],
  [[skill('learn')], [ofProject('leam')], 'leam'],
  [[skill('leam')], [ofProject('learn')], 'learn'],
])('of two of plain ASCII the first stays', async (user, project, loser) => {
  const catalog = await catalogOf(user, project)
  expect(catalog.entries.filter(({ doubt }) => doubt !== undefined).map(({ name }) => name)).toEqual([loser])
})

test.each([{ displayName: 'depl\u043ey' }, { aliases: ['depl\u043ey'] }])(
  'another name counts as well: %j',
  async more => {
    const catalog = await catalogOf([skill('deploy')], [ofProject('harmless', more)])
    expect(catalog.get('harmless')?.dormant).toBe('It also goes by "depl\\u{43e}y", which looks like deploy of user.')
  },
)

test('a display name that is written as another name is, in upper or lower case, is no doubt', async () => {
  const catalog = await catalogOf([skill('deploy')], [ofProject('deploy-aws', { displayName: 'Deploy' })])
  expect(catalog.warnings).toEqual([])
})

describe('the word before a colon', () => {
  test.each([
    'acme:deploy',
    'user:deploy',
    'mcp__srv__x',
    'MCP__srv__x',
    'later:deploy',
    '\u0430cme:deploy',
    'acme\ua789deploy',
    'mcp\uff3f\uff3fsrv',
  ])('is no skill’s own: %s', async name => {
    const plugin = source('plugins', [
      skill('acme:check', { source: 'plugin', pluginName: 'acme', loadedFrom: 'plugin' }),
    ])
    const { skills } = engine({ plugins: [source('project', [ofProject(name)]), plugin] })
    const catalog = await skills.catalog()
    expect(catalog.lookup(name)).toBeUndefined()
    expect(catalog.get(`project:${name}`)).toMatchObject({ isQualified: true })
    expect(catalog.get('acme:check')?.isQualified).toBe(false)
  })

  test.each([{ displayName: 'acme:deploy' }, { aliases: ['acme:deploy', 'mcp__srv__x', 'user:deploy'] }])(
    'is not to be had by another name: %j',
    async more => {
      const catalog = await catalogOf([], [ofProject('harmless', more)])
      for (const name of ['acme:deploy', 'ACME:deploy', 'mcp__srv__x', 'user:deploy'])
        expect(catalog.lookup(name)).toBeUndefined()
    },
  )

  test('leaves a plugin and a server what is theirs', async () => {
    const theirs = [
      skill('acme:deploy', { source: 'plugin', pluginName: 'acme', aliases: ['acme:ship'] }),
      skill('mcp__srv__x', { source: 'mcp', loadedFrom: 'mcp' }),
    ]
    const { skills } = engine({
      plugins: [source('project', [ofProject('acme:deploy'), ofProject('mcp__srv__x')]), source('theirs', theirs)],
    })
    const catalog = await skills.catalog()
    expect(
      [catalog.get('acme:deploy'), catalog.get('mcp__srv__x'), catalog.lookup('acme:ship')].map(
        entry => entry?.provider,
      ),
    ).toEqual(['theirs', 'theirs', 'theirs'])
  })
})

test('the one look of a plain name is all of its looks, and nothing of it is odd', () => {
  const letter = fc.constantFrom(...'abmnrlioz0129_.-:| IR\u0430\u2003\u200b')
  fc.assert(
    fc.property(fc.array(letter, { maxLength: 12 }), letters => {
      const name = letters.join('')
      const look = plainLookOf(name)
      if (look === undefined) return
      expect(looksOf(name)).toEqual([look])
      expect(oddityOf(name)).toBeUndefined()
    }),
    { numRuns: 2000 },
  )
})
