import { createSkills, processHost, type Skills } from '@skills/core'
import { Invoker, type InvokerOptions, type Outcome } from '@skills/invocation'
import type { PermissionDecision } from '@skills/rules'
import { tempTree, type TempTree } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { consentItems } from './consent.js'
import { standard, type StandardOptions } from './agents/standard/index.js'
import { openState, trustFolder } from './trust.js'

const dir = 'repo/.claude/skills'
const runs = '---\nname: runs\ndescription: Runs.\nallowed-tools: Read\n---\n!`printf found` $0'
const fields: Readonly<Record<string, string>> = {
  'allowed-tools': 'Bash',
  model: 'opus',
  effort: 'high',
  hooks: '{Stop: [{hooks: [{type: command, command: echo x}]}]}',
}

interface Bench {
  readonly tree: TempTree
  readonly skills: Skills
  readonly asked: string[]
  readonly decided: PermissionDecision[]
  trust(): Promise<void>
  type(name: string, more?: Partial<InvokerOptions>): Promise<Outcome>
}

function bench(files: Readonly<Record<string, string>>, options: Partial<StandardOptions> = {}): Bench {
  const tree = tempTree({ 'home/.keep': '', 'repo/.git/HEAD': '', ...files })
  const host = processHost({ cwd: `${tree.path}/repo`, home: `${tree.path}/home`, env: { PATH: process.env['PATH'] } })
  const made = standard({ host, managed: { dirs: [] }, bundled: false, onDiagnostic: () => {}, ...options })
  const skills = createSkills(made)
  onTestFinished(async () => {
    await skills.close()
    tree.dispose()
  })
  const asked: string[] = []
  const decided: PermissionDecision[] = []
  skills.hook('permission:decided', ({ decision }) => void decided.push(decision))
  const state = openState(host, { report: () => {} })
  return {
    tree,
    skills,
    asked,
    decided,
    async trust() {
      const { items } = await consentItems(host, { state, catalog: await skills.catalog(), shell: made.shell })
      await trustFolder(state, host.cwd, host, { items })
    },
    type: (name, more) =>
      new Invoker(skills, {
        onAsk({ decision: { message } }) {
          asked.push(message)
          return 'allow'
        },
        ...more,
      }).invoke({ name, args: 'it', caller: 'user' }),
  }
}
const textOf = ({ newMessages }: Outcome): string => JSON.stringify(newMessages)

describe('typing is consent', () => {
  it.each(Object.entries(fields))('to a skill of a trusted folder that sets %s', async (field, value) => {
    const { trust, type, asked, decided } = bench({
      [`${dir}/one/SKILL.md`]: `---\ndescription: One.\n${field}: ${value}\n---\nOne.`,
    })
    await trust()
    await type('one')
    expect([asked, decided.map(({ decisionReason }) => decisionReason.type)]).toEqual([[], ['typed']])
  })

  it('to what the skill embeds, of a trusted folder and of the user', async () => {
    const { trust, type, asked } = bench({
      [`${dir}/runs/SKILL.md`]: runs,
      'home/.claude/skills/mine/SKILL.md': runs.replace('name: runs', 'name: mine'),
    })
    await trust()
    expect([textOf(await type('runs')), textOf(await type('mine')), asked]).toEqual([
      expect.stringContaining('found it'),
      expect.stringContaining('found it'),
      [],
    ])
  })

  it('to nothing that a rule denies or wants to have asked', async () => {
    const { trust, type, asked } = bench(
      { [`${dir}/runs/SKILL.md`]: runs, [`${dir}/other/SKILL.md`]: runs.replace('name: runs', 'name: other') },
      { rules: { deny: ['Bash(printf:*)'], ask: ['Skill(other)'] } },
    )
    await trust()
    expect(textOf(await type('runs'))).toContain('[shell command not run')
    await type('other')
    expect(asked).toEqual(['Execute skill: other'])
  })

  it('to nothing that changed since the folder was trusted until that was said: the question says what did, each time', async () => {
    const { tree, trust, type, asked } = bench({
      [`${dir}/runs/SKILL.md`]: runs,
      [`${dir}/runs/a.sh`]: 'a',
      [`${dir}/runs/b.sh`]: 'b',
    })
    await trust()
    tree.write({
      [`${dir}/runs/SKILL.md`]: runs.replace('Read', 'Bash'),
      [`${dir}/runs/a.sh`]: 'c',
      [`${dir}/runs/c.sh`]: 'new',
    })
    tree.remove(`${dir}/runs/b.sh`)
    await type('runs')
    await type('runs')
    const question =
      'Execute skill: runs (it changed since its folder was trusted: allowed-tools was Read and is Bash; SKILL.md changed; a.sh changed; b.sh is gone; c.sh is new)'
    // A yes is for one invocation, with every command in it.
    expect(asked).toEqual([question, question])
  })

  it('to nothing that is new since the folder was trusted', async () => {
    const { tree, trust, type, asked, skills } = bench({ [`${dir}/runs/SKILL.md`]: runs })
    await trust()
    tree.write({ [`${dir}/late/SKILL.md`]: runs.replace('name: runs', 'name: late') })
    await skills.refresh()
    await type('late')
    expect(asked).toEqual([expect.stringMatching(/^Execute skill: late \(.* new /)])
  })

  it('is not what a model invokes, nor where a host says otherwise', async () => {
    const { trust, skills, type, asked } = bench({ [`${dir}/runs/SKILL.md`]: runs })
    await trust()
    await expect(new Invoker(skills).invoke({ name: 'runs', caller: 'model' })).rejects.toMatchObject({
      code: 'E_DENIED',
    })
    await type('runs', { typing: 'asks' })
    expect(asked).toHaveLength(2)
  })
})

describe('a place that is not trusted', () => {
  it('is asked about once, and then what was typed runs', async () => {
    const { trust, type, asked } = bench({ [`${dir}/runs/SKILL.md`]: runs })
    let questions = 0
    const onUntrusted = async (): Promise<boolean> => {
      questions += 1
      await trust()
      return true
    }
    expect(textOf(await type('runs', { onUntrusted }))).toContain('found it')
    expect([questions, asked]).toEqual([1, []])
    await type('runs', { onUntrusted })
    expect(questions).toBe(1)
  })

  it('stays denied after a no, and where trust was not remembered', async () => {
    const { type } = bench({ [`${dir}/runs/SKILL.md`]: runs })
    for (const answer of [false, true])
      await expect(type('runs', { onUntrusted: () => answer })).rejects.toMatchObject({ code: 'E_DENIED' })
  })

  it('is no question for a skill that is only read', async () => {
    const { type } = bench({ [`${dir}/plain/SKILL.md`]: '---\ndescription: Plain.\n---\nText.' })
    expect(textOf(await type('plain', { onUntrusted: () => expect.fail('It was asked.') }))).toContain('Text.')
  })
})
