import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSkills, messageOf, type Skills } from '@skills/core'
import { distributionNamed, distributionNames } from '@skills/distributions/distribution-named'
import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { engineFor } from './engine-for.js'
import type { DistributionOptions } from '@skills/distributions'
import type { Io } from '../io.js'
import type { Made } from './engine.js'

/** Names that differ in case, look alike, or begin or end with one another, and some unrelated ones. */
const names = [
  'deploy',
  'Deploy',
  'dep1oy',
  'depIoy',
  'deploy-1',
  'deploy-l',
  'd\u0435ploy',
  'deploy-me',
  'burn',
  'bum',
  'ship',
  'skill',
  'user:deploy',
  'de\u0301ploy',
  'sh ip',
]
const name = fc.constantFrom(...names)
const written = fc.oneof(
  name,
  name.map(one => JSON.stringify(one)),
  name.map(one => `'${one}'`),
  name.map(one => `>-\n  ${one}`),
  name.map(one => `"\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}${one.slice(1)}"`),
  fc.constant('*other'),
  fc.constant('\u212aarl'),
  fc.constant('[broken'),
)
const seldom = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: one })
const skill = fc.record({
  root: fc.constantFrom(
    'home/.claude/skills',
    'home/.claude/skills',
    'work/.claude/skills',
    'work/.agents/skills',
    'work/.claude/commands',
    'work/.claude/skills/group',
    'work/.opencode/skills',
  ),
  folder: name,
  field: seldom(written),
  alias: seldom(written),
  about: fc.oneof(name, fc.constant('Something.')),
  linked: seldom(name),
  body: fc.constantFrom('One.', 'Two.'),
  head: fc.constantFrom('---\n', '---\n', '---\r\n', '\ufeff---\n', '<!-- x -->\n---\n', '--- yaml\n', ''),
  isLoose: fc.boolean(),
})

type Drawn = typeof skill extends fc.Arbitrary<infer One> ? One : never

const user = {
  root: 'home/.claude/skills',
  field: null,
  alias: null,
  about: 'Something.',
  linked: null,
  body: 'One.',
  head: '---\n',
  isLoose: false,
} satisfies Partial<Drawn>

function entriesOf(skills: readonly Drawn[]): TreeEntries {
  const entries: Record<string, TreeEntries[string]> = { 'work/.git': { dir: true }, home: { dir: true } }
  const taken = new Set<string>()
  for (const { root, folder, field, alias, about, linked, body, head, isLoose } of skills) {
    const at = `${root}/${folder}`
    // Skips a path that exists already, also one that differs only in Unicode normalization.
    if (taken.has(at.normalize())) continue
    taken.add(at.normalize())
    if (linked !== null && linked !== folder) {
      entries[at] = { link: linked }
      continue
    }
    const fields = [
      `description: &other ${about}`,
      ...(field === null ? [] : [`name: ${field}`]),
      ...(alias === null ? [] : [`aliases:\n  - ${alias.replace(/\n\s*/g, ' ')}`]),
    ]
    const text = `${head}${fields.join('\n')}\n---\n${body}\n`
    entries[root.endsWith('commands') && isLoose ? `${at}.md` : `${at}/SKILL.md`] = text
  }
  return entries
}

async function saidOf({ skills }: Pick<Made, 'skills'>, asked: string): Promise<unknown> {
  const { answers, notes } = await skills.explain(asked)
  const catalog = await skills.catalog()
  let found: unknown
  try {
    const entry = catalog.lookup(asked)
    found = entry && { ...entry, command: undefined }
  } catch (error) {
    found = messageOf(error)
  }
  return JSON.parse(JSON.stringify({ answers, notes, found }))
}

test('says of one name what the full engine says, in every distribution', async () => {
  let quick = 0
  const distribution = fc.constantFrom('standard', ...distributionNames)
  const overrides = fc.constantFrom({}, { deploy: 'on' as const }, { 'deploy-1': 'off' as const })
  await fc.assert(
    fc.asyncProperty(
      distribution,
      fc.array(skill, { minLength: 1, maxLength: 12 }),
      overrides,
      async (named, skills, override) => {
        const make = await distributionNamed(named)
        const tree: TempTree = tempTree(entriesOf(skills))
        const engines: Skills[] = []
        const start = async (sharedReads?: DistributionOptions['sharedReads']): Promise<Made> => {
          const made = make({
            host: { cwd: `${tree.path}/work`, home: `${tree.path}/home`, env: {} },
            managed: { dirs: [] },
            overrides: override,
            bundled: false,
            sharedReads,
            onDiagnostic: () => {},
          })
          const engine = createSkills(made)
          engines.push(engine)
          return { distribution: made, skills: engine }
        }
        try {
          const full = await start()
          for (const asked of names) {
            const made = await engineFor(asked, { signal: new AbortController().signal } as Io)(start)
            if (made === undefined) continue
            quick++
            expect({ asked, ...((await saidOf(made, asked)) as object) }).toEqual({
              asked,
              ...((await saidOf(full, asked)) as object),
            })
          }
        } finally {
          for (const engine of engines) await engine.close()
          tree.dispose()
        }
      },
    ),
    {
      numRuns: 180,
      // A name that only looks like the wanted one is reached by a link, and is missing if the file has its own name.
      examples: [
        [
          'standard',
          [
            { ...user, folder: 'deploy-l', linked: 'deploy' },
            { ...user, folder: 'bum', field: "'deploy-1'" },
            { ...user, folder: 'deploy' },
          ],
          {},
        ],
      ],
    },
  )
  // Otherwise the test would hardly run the quick way.
  expect(quick).toBeGreaterThan(150)
})
