import { createSkills, defineProvider, type Diagnostic, type Skills } from '@skills/core'
import { fakeClock, fakeHost, tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { standard, type StandardOptions } from './agents/standard/index.js'

const uid = process.getuid?.()

interface Running {
  readonly tree: TempTree
  readonly skills: Skills
  readonly told: readonly Diagnostic[]
}

/** Makes the standard engine over a tree with `home`, `repo`, `more` and the managed folder `managed`. */
function standardOver(entries: TreeEntries, options: Partial<StandardOptions> = {}): Running {
  const tree = tempTree({
    'repo/.git/HEAD': '',
    'managed/.claude/skills/audit/SKILL.md': 'managed',
    'home/.claude/skills/deploy/SKILL.md': 'the user',
    'repo/.claude/skills/lint/SKILL.md': 'the project',
    'more/.claude/skills/extra/SKILL.md': 'additional',
    ...entries,
  })
  onTestFinished(() => tree.dispose())
  const told: Diagnostic[] = []
  const host = fakeHost({
    cwd: `${tree.path}/repo`,
    home: `${tree.path}/home`,
    uid,
    clock: fakeClock(Date.now() + 60_000),
  })
  const skills = createSkills(
    standard({
      host,
      managed: { dirs: [`${tree.path}/managed`], owner: uid },
      additional: [`${tree.path}/more`],
      bundled: false,
      onDiagnostic: diagnostic => told.push(diagnostic),
      ...options,
    }),
  )
  onTestFinished(() => skills.close())
  return { tree, skills, told }
}

async function shown(skills: Skills): Promise<readonly string[]> {
  return (await skills.catalog()).entries.map(({ name, command }) => `${name} from ${command.source}`)
}

const policy = (skills: object): TreeEntries => ({ 'managed/managed-settings.json': JSON.stringify({ skills }) })

describe('the standard distribution under a policy', () => {
  it('has managed skills first and built-in commands last', async () => {
    const { skills, told } = standardOver({})
    expect(await shown(skills)).toEqual([
      'audit from managed',
      'deploy from user',
      'lint from project',
      'extra from additional',
      'help from builtin',
      'skills from builtin',
    ])
    expect(told).toEqual([])
  })

  it('keeps out what the policy says, and no one can say otherwise', async () => {
    const { skills } = standardOver(policy({ disabledSources: ['project'], disabledSkills: ['deploy'] }), {
      overrides: { deploy: 'pinned' },
    })
    expect(await shown(skills)).toEqual(['audit from managed', 'help from builtin', 'skills from builtin'])
  })

  it('explains a skill that the policy switched off, and where to look', async () => {
    const { skills, tree } = standardOver(policy({ disabledSkills: ['deploy'] }))
    const file = `${tree.path}/managed/managed-settings.json`
    expect(await skills.explain('deploy')).toMatchObject({
      answers: [
        {
          status: 'disabled',
          source: 'user',
          isListed: false,
          notListedBecause: [{ cause: 'gate', text: `The policy ${file} names "deploy" among its disabled skills.` }],
        },
      ],
      notes: [{ path: file, provider: 'managed-policy' }, { provider: 'rules' }],
    })
  })

  it('shows it in /skills with the reason', async () => {
    const { skills } = standardOver(policy({ disabledSkills: ['deploy'] }))
    const { command } = (await skills.catalog()).require('skills')
    if (command.type !== 'local-ui') throw new TypeError('/skills shows nothing.')
    const states: string[] = []
    await command.call('', {
      signal: new AbortController().signal,
      catalog: () => skills.catalog(),
      render: async ({ table }) =>
        void states.push(...(table?.rows.map(([name, , , state]) => `${name ?? ''}: ${state ?? ''}`) ?? [])),
    })
    expect(states).toEqual([
      'audit: active',
      'lint: active',
      'extra: active',
      expect.stringMatching(/^deploy: disabled: The policy /),
    ])
  })

  it('keeps managed skills and built-in commands alone when the policy is broken', async () => {
    const { skills, told } = standardOver({ 'managed/managed-settings.json': '{ skills }' })
    expect(await shown(skills)).toEqual(['audit from managed', 'help from builtin', 'skills from builtin'])
    expect(told).toMatchObject([{ severity: 'error', code: 'invalid-policy' }])
  })

  it('asks a gate of the host besides', async () => {
    const own = defineProvider({
      kind: 'gate',
      id: 'own',
      setup: () => ({ rules: () => ({ command: ({ source }) => (source === 'user' ? 'Not here.' : undefined) }) }),
    })
    const { skills } = standardOver(policy({ disabledSources: ['project'] }), { plugins: [own], builtin: false })
    expect(await shown(skills)).toEqual(['audit from managed'])
  })

  it('takes commands of the host, and none when it is told so', async () => {
    const { skills } = standardOver({}, { builtin: { without: ['skills'] } })
    expect((await shown(skills)).filter(line => line.endsWith('builtin'))).toEqual(['help from builtin'])
    expect((await shown(standardOver({}, { builtin: false }).skills)).filter(line => line.endsWith('builtin'))).toEqual(
      [],
    )
  })
})
