import { createSkills, defineProvider, loadResult, promptCommand, type Diagnostic, type Skills } from '@skills/core'
import { Invoker, type Outcome } from '@skills/invocation'
import { enginePort, skillTool } from '@skills/invocation/skill-tool'
import { fakeHost, tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { standardPermissions } from './permissions.js'
import { standard, type StandardOptions } from './agents/standard/index.js'
import { openState, trustFolder } from './trust.js'

const uid = process.getuid?.()
const shellSkill = '---\ndescription: Shows what is there.\nallowed-tools: Bash(printf *)\n---\n!`printf found` for $0.'

function standardOver(
  entries: TreeEntries,
  options: Partial<StandardOptions> = {},
): { readonly tree: TempTree; readonly skills: Skills; readonly told: Diagnostic[] } {
  const tree = tempTree({ 'home/.keep': '', 'repo/.git/HEAD': '', ...entries })
  onTestFinished(() => tree.dispose())
  const told: Diagnostic[] = []
  const skills = createSkills(
    standard({
      host: hostOf(tree),
      managed: { dirs: [] },
      bundled: false,
      onDiagnostic: diagnostic => told.push(diagnostic),
      ...options,
    }),
  )
  onTestFinished(() => skills.close())
  return { tree, skills, told }
}

function hostOf({ path }: TempTree) {
  return fakeHost({ cwd: `${path}/repo`, home: `${path}/home`, uid, env: { PATH: process.env['PATH'] } })
}

function textOf({ newMessages }: Outcome): string {
  return newMessages
    .flatMap(({ isMeta, content }) =>
      isMeta === true && typeof content !== 'string'
        ? content.map(block => (block.type === 'text' ? block.text : ''))
        : [],
    )
    .join('')
}

describe('the standard distribution', () => {
  it('runs a harmless skill without a question, with its arguments and its folder', async () => {
    const { skills, tree } = standardOver({
      'repo/.claude/skills/greet/SKILL.md': '---\ndescription: Greets.\n---\nGreet $0, not $1.50.',
    })
    const outcome = await new Invoker(skills).invoke({ name: '/greet', args: "'the world'", caller: 'user' })
    expect(textOf(outcome)).toBe(
      `Base directory for this skill: ${tree.path}/repo/.claude/skills/greet\n\nGreet the world, not $1.50.`,
    )
  })

  it("asks about a skill of the user's that runs something, and runs what it allows itself", async () => {
    const { skills } = standardOver({ 'home/.claude/skills/look/SKILL.md': shellSkill })
    await expect(new Invoker(skills).invoke({ name: 'look', args: 'ann', caller: 'model' })).rejects.toMatchObject({
      code: 'E_DENIED',
    })
    const asked: string[] = []
    const onAsk = ({ request }: { readonly request: { readonly tool: string; readonly content: string } }) => {
      asked.push(`${request.tool}(${request.content})`)
      return 'allow' as const
    }
    expect(textOf(await new Invoker(skills, { onAsk }).invoke({ name: 'look', args: 'ann', caller: 'model' }))).toMatch(
      /found for ann\.$/,
    )
    expect(asked).toEqual(['Skill(look)'])
  })

  it('runs nothing of a project that is not trusted, with any answer, and of one that is only what was approved', async () => {
    const { skills, tree } = standardOver({
      'repo/.claude/skills/look/SKILL.md': shellSkill,
      'repo/.claude/settings.json': '{"permissions":{"allow":["Skill","Bash"]}}',
    })
    const asked: string[] = []
    const yes = new Invoker(skills, { onAsk: ({ request: { content } }) => (asked.push(content), 'allow') })
    const tool = await skillTool(enginePort(skills, { invoker: yes }))
    await expect(yes.invoke({ name: 'look', caller: 'user' })).rejects.toMatchObject({
      code: 'E_DENIED',
      message: expect.stringContaining('not trusted'),
    })
    expect(await tool.checkPermissions({ skill: 'look' })).toMatchObject({
      behavior: 'deny',
      decisionReason: { type: 'trust' },
    })
    // A yes would have no effect, so nothing is asked. The skill may still be listed to the model.
    expect([asked, (await enginePort(skills).listing({})).text]).toEqual([[], '- look: Shows what is there.'])
    const host = hostOf(tree)
    await trustFolder(openState(host, { report: () => {} }), '.', host)
    expect(await tool.checkPermissions({ skill: 'look' })).toMatchObject({ behavior: 'ask' })
    expect(textOf(await yes.invoke({ name: 'look', args: 'ann', caller: 'user' }))).toMatch(/found for ann\.$/)
    expect(asked).toEqual(['look'])
  })

  it('asks no question about a skill of a trusted project that cannot be approved, nor about one of a server', async () => {
    const { skills, tree } = standardOver(
      { 'repo/.claude/skills/look/SKILL.md': shellSkill, 'repo/.claude/skills/look/more': 'more' },
      {
        trust: { limits: { files: 1 } },
        rules: { allow: ['Skill(look)'], ask: ['Skill(prompt)'] },
        plugins: [
          defineProvider({
            kind: 'source',
            id: 'server',
            setup: () => ({
              source: 'mcp',
              list: () =>
                loadResult({
                  commands: [promptCommand({ name: 'prompt', source: 'mcp', load: () => ({ blocks: [] }) })],
                }),
            }),
          }),
        ],
      },
    )
    const host = hostOf(tree)
    await trustFolder(openState(host, { report: () => {} }), '.', host)
    const invoker = new Invoker(skills, {
      onAsk: () => {
        throw new Error('No one is to be asked.')
      },
    })
    await expect(invoker.invoke({ name: 'look', caller: 'user' })).rejects.toMatchObject({
      code: 'E_DENIED',
      message: expect.stringContaining(' 1 files'),
    })
    await expect(invoker.invoke({ name: 'prompt', caller: 'user' })).rejects.toMatchObject({
      code: 'E_DENIED',
      message: expect.stringContaining(' server'),
    })
  })

  it('allows a skill of the remote provider, which never runs anything, as it did', async () => {
    const { skills } = standardOver({})
    const command = promptCommand({ name: 'far', source: 'mcp', model: 'large', load: () => ({ template: 'Far.' }) })
    const remote = () => ({ name: 'far', command, provider: 'remote', override: 'on', isQualified: false }) as const
    const tool = await skillTool(enginePort(skills, { remote }))
    expect(await tool.checkPermissions({ skill: '_canonical_far' })).toMatchObject({
      behavior: 'allow',
      decisionReason: { type: 'safe' },
    })
    expect(textOf(await tool.call({ skill: '_canonical_far' }))).toBe('Far.')
  })

  it('leaves embedded commands as they are written where none is to run', async () => {
    const { skills } = standardOver(
      { 'home/.claude/skills/look/SKILL.md': shellSkill },
      { shell: false, rules: { allow: ['Skill(look)'] } },
    )
    expect(textOf(await new Invoker(skills).invoke({ name: 'look', args: 'ann', caller: 'user' }))).toMatch(
      /!`printf found` for ann\.$/,
    )
  })

  it('brings files into a body only where it is told to', async () => {
    const entries = {
      'home/.claude/skills/house/SKILL.md': '---\ndescription: Rules.\n---\n@RULES.md',
      'repo/RULES.md': 'No tabs.',
    }
    const off = standardOver(entries)
    expect(textOf(await new Invoker(off.skills).invoke({ name: 'house', caller: 'user' }))).toMatch(/@RULES\.md$/)
    const on = standardOver(entries, { files: {} })
    expect(textOf(await new Invoker(on.skills).invoke({ name: 'house', caller: 'user' }))).toMatch(/No tabs\.$/)
  })

  it('tells a model of skills and answers its tool, with the used ones first', async () => {
    const { skills } = standardOver({
      'home/.claude/skills/a/SKILL.md': '---\ndescription: Does a.\n---\nA.',
      'home/.claude/skills/b/SKILL.md': '---\ndescription: Does b.\n---\nB.',
    })
    const port = enginePort(skills)
    const tool = await skillTool(port)
    expect((await port.listing({})).text).toBe('- a: Does a.\n- b: Does b.')
    expect(textOf(await tool.call({ skill: 'b' }, { toolUseId: 't1' }))).toMatch(/B\.$/)
    expect((await port.listing({})).text).toBe('- b: Does b.\n- a: Does a.')
  })

  it('obeys rules that its host holds in its hand, and saves them for this user and project outside of it', async () => {
    const tree = tempTree({ 'home/.claude/skills/look/SKILL.md': shellSkill, 'repo/.git/HEAD': '' })
    onTestFinished(() => tree.dispose())
    const permission = standardPermissions(hostOf(tree))
    const open = (provider: typeof permission) => {
      const skills = createSkills(
        standard({ host: hostOf(tree), managed: { dirs: [] }, permission: provider, onDiagnostic: () => {} }),
      )
      onTestFinished(() => skills.close())
      return new Invoker(skills)
    }
    const invoker = open(permission)
    permission.addRules({ behavior: 'allow', rules: ['Skill(look)'], destination: 'localSettings' })
    await permission.save('localSettings')
    expect(textOf(await invoker.invoke({ name: 'look', args: 'ann', caller: 'user' }))).toMatch(/found for ann\.$/)
    // Another session of the same user in the same project.
    expect(
      textOf(await open(standardPermissions(hostOf(tree))).invoke({ name: 'look', args: 'bob', caller: 'user' })),
    ).toMatch(/found for bob\.$/)
    expect(await permission.listRules()).toMatchObject([{ behavior: 'allow', source: 'localSettings' }])
  })

  it('has four skills about skills if a host asks for them, the lowest of all prompts, and runs one with its files', async () => {
    const { skills } = standardOver(
      { 'home/.claude/skills/write-skill/SKILL.md': '---\ndescription: Mine.\n---\nMine.' },
      { authorSkills: true, bundled: undefined, builtin: false },
    )
    expect((await skills.catalog()).entries.map(({ name, command }) => `${name} from ${command.source}`)).toEqual([
      'write-skill from user',
      'check-skill from bundled',
      'explain-skills from bundled',
      'make-plugin from bundled',
      'bundled:write-skill from bundled',
    ])
    const outcome = await new Invoker(skills, { onAsk: () => 'allow' }).invoke({
      name: 'explain-skills',
      caller: 'user',
    })
    expect(textOf(outcome)).toMatch(/^Base directory for this skill: .*\/\.cache\/skills\/bundled\/[\da-f]{64}\n\n/)
  })

  it('tells a model of a conditional skill, and of one further down, once a file of theirs was touched', async () => {
    const { skills, tree } = standardOver({
      'repo/.claude/skills/styles/SKILL.md': '---\ndescription: Styles.\npaths: "*.css"\n---\nStyles.',
      'repo/web/.claude/skills/styles/SKILL.md': '---\ndescription: Of the web.\n---\nWeb.',
    })
    const port = enginePort(skills)
    expect((await port.listing({})).text).toBe('')
    await expect(new Invoker(skills).invoke({ name: 'styles', caller: 'model' })).rejects.toMatchObject({
      code: 'E_NOT_INVOCABLE',
    })
    expect(textOf(await new Invoker(skills).invoke({ name: 'styles', caller: 'user' }))).toMatch(/Styles\.$/)
    skills.emit('file:touched', { paths: [`${tree.path}/repo/web/main.css`] })
    expect((await port.listing({})).text.split('\n').sort()).toEqual(['- styles: Styles.', '- web:styles: Of the web.'])
  })

  it('gives the same catalog again when nothing changed, with all that it has', async () => {
    const { skills } = standardOver(
      { 'repo/.claude/skills/a/SKILL.md': '---\ndescription: Does a.\npaths: "*.css"\n---\nA.' },
      { bundled: {}, published: { plugins: [] } },
    )
    expect(await skills.refresh()).toBe(await skills.catalog())
  })

  it('obeys a policy that switches embedded commands off', async () => {
    const tree = tempTree({ 'managed/managed-settings.json': '{"skills":{"disableShell":true}}' })
    onTestFinished(() => tree.dispose())
    const { skills } = standardOver(
      { 'home/.claude/skills/look/SKILL.md': shellSkill },
      { managed: { dirs: [`${tree.path}/managed`] }, rules: { allow: ['Skill'] } },
    )
    expect(textOf(await new Invoker(skills).invoke({ name: 'look', args: 'ann', caller: 'user' }))).toMatch(
      / by policy\] for ann\.$/,
    )
  })
})
