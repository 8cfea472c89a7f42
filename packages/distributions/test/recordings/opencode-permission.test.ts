import { Invoker } from '@skills/invocation'
import { enginePort, skillTool } from '@skills/invocation/skill-tool'
import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { openOver } from '../open-over.js'
import type { WildcardMap as Map } from '@skills/permission-rules/internal'

// Recorded decisions of OpenCode 1.18.33 for `permission.skill` of its `opencode.json`. A host gives that map as
// `rules: { wildcards }`. Where its rules make the program ask, the decision here is `ask`.

const names = ['ext', 'int-a', 'int-b-x']

/** Returns the decision for each of the skills. OpenCode allows a skill that no rule matches. */
async function decided(...maps: readonly Map[]): Promise<string> {
  const tree = tempTree({
    'home/.keep': '',
    'p/.git/HEAD': '',
    ...Object.fromEntries(
      names.map(name => [`p/.agents/skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: D.\n---\nBody.\n`]),
    ),
  })
  onTestFinished(() => tree.dispose())
  const wildcards = [{ '*': 'allow' } as const, ...maps].map((map, at) => ({ source: `map ${at}`, map }))
  const { skills, distribution } = await openOver(tree, 'opencode', {
    cwd: 'p',
    home: 'home',
    rules: { files: [], wildcards },
  })
  onTestFinished(() => skills.close())
  const invoker = new Invoker(skills, { ...distribution.invoker, onAsk: () => 'deny' })
  const tool = await skillTool(enginePort(skills, { ...distribution.port, invoker }), distribution.tool)
  const all = await Promise.all(names.map(name => tool.checkPermissions({ name })))
  return all.map(({ behavior }) => behavior).join(' ')
}

test.each<[string, readonly Map[], string]>([
  ['perm-string-deny', [{ skill: 'deny' }], 'deny deny deny'],
  ['perm-string-ask', [{ skill: 'ask' }], 'ask ask ask'],
  ['perm-allow-one-last', [{ skill: { '*': 'deny', 'int-*': 'allow' } }], 'deny allow allow'],
  ['perm-star-last-wins', [{ skill: { 'int-*': 'allow', '*': 'deny' } }], 'deny deny deny'],
  ['perm-question-mark', [{ skill: { '*': 'allow', 'ex?': 'deny' } }], 'deny allow allow'],
  ['perm-regex-chars', [{ skill: { 'e.t': 'deny' } }], 'allow allow allow'],
  ['perm-trail-space-star', [{ skill: { 'int *': 'deny' } }], 'allow allow allow'],
  ['perm-exact-then-wild', [{ skill: { ext: 'allow', 'e*': 'deny' } }], 'deny allow allow'],
  ['perm-agent-override', [{ skill: { '*': 'deny' } }, { skill: { 'int-*': 'allow' } }], 'deny allow allow'],
])('the same: %s', async (_, maps, behaviors) => {
  expect(await decided(...maps)).toBe(behaviors)
})

test('safer on purpose: perm-case, since what forbids a name forbids it in any letters', async () => {
  expect(await decided({ skill: { EXT: 'deny' } })).toBe('deny allow allow')
})

test('not reproducible here: perm-bad-action, of which OpenCode ends; a word that is no behaviour asks', async () => {
  const map = JSON.parse('{ "skill": { "ext": "nope" } }') as Map
  expect(await decided(map)).toBe('ask allow allow')
})
