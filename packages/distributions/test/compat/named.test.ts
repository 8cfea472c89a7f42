import { createSkills, processHost } from '@skills/core'
import { LocalStore } from '@skills/files'
import type { FileReads } from '@skills/files/internal'
import { compat } from '@skills/inspect/compat'
import type { CompatAgent, SkillCompat } from '@skills/inspect/internal'
import { memoryState } from '@skills/state'
import { tempTree } from '@skills/testing'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { agentsNamed } from '../../src/agents.js'
import { standard } from '../../src/agents/standard/index.js'

const agents = ['claude-code', 'codex', 'opencode', 'gemini-cli', 'openskills', 'vercel-skills']
const folders = ['.claude/skills', '.agents/skills', '.opencode/skills']
const words = ['deploy', 'Deploy', 'dep1oy', 'review', 'rn-check', 'm-check', 'plan']

const hostIn = (path: string) => processHost({ cwd: `${path}/p`, home: `${path}/h`, env: {} })

/** Returns what each of these agents makes of a project's skills: of some names, or of all. */
async function compatIn(path: string, all: readonly CompatAgent[], only?: string[]): Promise<readonly SkillCompat[]> {
  const [reference] = await agentsNamed(['standard'])
  return (await compat({ reference: reference!, agents: all, host: hostIn(path), only })).skills
}

/** The same by a look at every skill: an engine that is given is the only one there is. */
async function compatOfAll(path: string, all: readonly CompatAgent[], only: string[]): Promise<readonly SkillCompat[]> {
  const [reference] = await agentsNamed(['standard'])
  const host = hostIn(path)
  const distribution = standard({
    host,
    onDiagnostic: () => {},
    trust: { all: true },
    state: memoryState(),
    bundled: false,
  })
  const skills = createSkills(distribution)
  try {
    return (await compat({ reference: reference!, engine: { skills, distribution }, agents: all, host, only })).skills
  } finally {
    await skills.close()
  }
}

test('of a name says what a look at every skill says', async () => {
  const all = await agentsNamed(agents)
  const oneSkill = fc.record({
    at: fc.tuple(fc.constantFrom('p', 'h'), fc.constantFrom(...folders), fc.constantFrom(...words)),
    name: fc.option(fc.constantFrom(...words), { nil: undefined }),
    alias: fc.option(fc.constantFrom(...words), { nil: undefined }),
    // Many of them find no room together.
    length: fc.constantFrom(10, 900),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(oneSkill, { minLength: 1, maxLength: 12 }), async skills => {
      const files = skills.map(({ at, name, alias, length }): [string, string] => [
        `${at.join('/')}/SKILL.md`,
        `---\n${name ? `name: ${name}\n` : ''}${alias ? `aliases: [${alias}]\n` : ''}description: ${'Does it. '.repeat(length / 9)}\n---\nDo it.\n`,
      ])
      const others = Array.from({ length: 12 }, (_, at): [string, string] => [
        `p/.claude/skills/other-${at}/SKILL.md`,
        `---\ndescription: ${'Another. '.repeat(150)}\n---\nDo it.\n`,
      ])
      const tree = tempTree({ 'p/.git/HEAD': '', 'h/.keep': '', ...Object.fromEntries([...files, ...others]) })
      try {
        const every = await compatIn(tree.path, all)
        for (const name of new Set(every.map(one => one.name).filter(one => !one.startsWith('other'))))
          expect(await compatIn(tree.path, all, [name])).toEqual(await compatOfAll(tree.path, all, [name]))
      } finally {
        tree.dispose()
      }
    }),
    { numRuns: 5 },
  )
})

test('of a name passes the files of others over, but where what is told of one depends on all', async () => {
  const other = 'p/.claude/skills/other/SKILL.md'
  const text = '---\ndescription: Does it.\n---\nDo it.\n'
  const tree = tempTree({ 'p/.git/HEAD': '', 'h/.keep': '', 'p/.claude/skills/deploy/SKILL.md': text, [other]: text })
  onTestFinished(() => tree.dispose())
  const reads: [agent: string, FileReads | undefined][] = []
  const watched = (await agentsNamed(agents)).map(agent => ({
    ...agent,
    make: (options: Parameters<typeof agent.make>[0]) => {
      // Where the skills lie, and not where samples stand.
      if (options.host?.cwd === `${tree.path}/p`) reads.push([agent.name, options.sharedReads])
      return agent.make(options)
    },
  }))
  await compatIn(tree.path, watched, ['deploy'])
  const path = `${tree.path}/${other}`
  const call = { signal: new AbortController().signal, head: 4096, maxBytes: 65_536, within: 'anywhere' as const }
  const got = await Promise.all(
    reads.map(async ([agent, shared]) => [agent, (await shared?.over(new LocalStore()).read(path, call))?.found]),
  )
  expect(got).toEqual([...agents.map(agent => [agent, 'unwanted']), ['claude-code', 'file']])
})
