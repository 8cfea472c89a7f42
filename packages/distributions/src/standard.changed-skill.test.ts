import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { createSkills, processHost, type Command, type Diagnostic, type Skills } from '@skills/core'
import { Invoker, type Outcome } from '@skills/invocation'
import type { OnAsk } from '@skills/rules'
import { tempTree, type TempTree } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { standard, type StandardOptions } from './agents/standard/index.js'
import { openState, trustFolder } from './trust.js'

const path = 'repo/.claude/skills/dep/SKILL.md'
const skill = (fields: string, body: string): string => `---\nname: dep\ndescription: Deploys.\n${fields}---\n${body}\n`

interface Open {
  readonly tree: TempTree
  readonly skills: Skills
  /** Questions that were asked, each with the tools that it says the skill allows itself. */
  readonly asked: string[]
  invoke(signal?: AbortSignal, caller?: 'user' | 'model'): Promise<Outcome>
}

/** Makes an engine that has listed the skill of a trusted folder and stays open. */
async function open(
  text: string,
  {
    rules,
    answer = () => 'allow',
    at = path,
  }: { readonly rules?: StandardOptions['rules']; readonly answer?: OnAsk; readonly at?: string } = {},
): Promise<Open> {
  const tree = tempTree({ 'home/.keep': '', 'repo/.git/HEAD': '', [at]: text })
  onTestFinished(() => tree.dispose())
  const host = processHost({ cwd: `${tree.path}/repo`, home: `${tree.path}/home`, env: { PATH: process.env['PATH'] } })
  const told: Diagnostic[] = []
  const skills = createSkills(
    standard({
      host,
      managed: { dirs: [] },
      bundled: false,
      onDiagnostic: one => told.push(one),
      ...(rules && { rules }),
    }),
  )
  onTestFinished(() => skills.close())
  await trustFolder(openState(host, { report: one => told.push(one) }), host.cwd, host)
  await skills.catalog()
  const asked: string[] = []
  const onAsk: OnAsk = question => {
    const {
      tool,
      content,
      entry: { command },
    } = question.request
    asked.push(`${tool}(${content}) ${command.type === 'prompt' ? command.allowedTools.join() : ''}`)
    return answer(question)
  }
  const invoker = new Invoker(skills, { onAsk })
  return { tree, skills, asked, invoke: (signal, caller = 'model') => invoker.invoke({ name: 'dep', caller, signal }) }
}

/** Says yes, and that rules count for the skill as it is now. */
const approving = async ({ approve }: Parameters<OnAsk>[0]): Promise<'allow'> => {
  await approve?.()
  return 'allow'
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const textOf = ({ newMessages }: Outcome): string => JSON.stringify(newMessages)

describe('a skill that was changed since the engine listed it', () => {
  it('is asked about as it is now: what it allows itself by now has been seen by the code that says yes', async () => {
    const { tree, asked, invoke } = await open(skill('model: haiku\n', 'Harmless.'), {
      rules: { allow: ['Skill(dep)'] },
      answer: approving,
    })
    await invoke()
    await invoke()
    expect(asked.splice(0)).toEqual(['Skill(dep) '])
    tree.write({ [path]: skill('model: haiku\nallowed-tools: Bash\n', '!`printf r; printf an`') })
    expect(textOf(await invoke())).toContain('ran')
    expect(asked).toEqual(['Skill(dep) Bash'])
  })

  it('is asked about again after a yes that approves nothing for later', async () => {
    const { asked, invoke } = await open(skill('allowed-tools: Bash\n', '!`printf r; printf an`'), {
      rules: { allow: ['Skill(dep)'] },
    })
    // The yes holds for the whole invocation: what the skill allows itself is not asked about.
    expect(textOf(await invoke())).toContain('ran')
    await invoke()
    expect(asked).toEqual(['Skill(dep) Bash', 'Skill(dep) Bash'])
  })

  it('runs nothing by what it allowed itself once and does not any more', async () => {
    const { tree, asked, invoke } = await open(skill('allowed-tools: Bash\n', '!`printf o; printf ld`'), {
      answer: ({ request: { tool } }) => (tool === 'Skill' ? 'allow' : 'deny'),
    })
    tree.write({ [path]: skill('', '!`printf n; printf ew`') })
    const text = textOf(await invoke())
    expect(asked).toEqual(['Skill(dep) ', 'Bash(printf n; printf ew) '])
    expect(text).toContain('[shell command not run')
  })

  it.each([
    ['a project', path, 'E_DENIED', 'does not count'],
    [
      'the user',
      'home/.claude/skills/dep/SKILL.md',
      'E_FILE_CHANGED',
      'its file changed while a person was being asked',
    ],
  ])('is not run when that was done while the question was open, in %s', async (_whose, at, code, message) => {
    const { tree, invoke } = await open(skill('model: haiku\n', 'Harmless.'), {
      at,
      answer: () => {
        tree.write({ [at]: skill('allowed-tools: Bash\n', '!`printf r; printf an`') })
        return 'allow'
      },
    })
    await expect(invoke()).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
  })

  it('is judged and run by the bytes that were read, also when the file changes meanwhile', async () => {
    const text = skill('', '!`printf o; printf ld`')
    const { tree, skills, asked, invoke } = await open(text, {
      rules: { allow: ['Skill(dep)', 'Bash'] },
      at: 'home/.claude/skills/dep/SKILL.md',
    })
    const trust = skills.use('trust')
    // Everything in the user's folder is trusted, so only the text that was read shows which version is used.
    expect(trust.ids).toEqual(['trust'])
    const entry = (await skills.catalog()).require('dep')
    const snapshot =
      entry.command.type === 'prompt' ? await entry.command.snapshot?.({ signal: skills.signal }) : undefined
    tree.write({ 'home/.claude/skills/dep/SKILL.md': skill('model: haiku\n', '!`printf n; printf ew`') })
    expect(await snapshot?.load('', { signal: skills.signal })).toEqual({ template: '!`printf o; printf ld`\n' })
    expect([snapshot?.isSnapshot, snapshot?.model, await snapshot?.digest?.({ signal: skills.signal })]).toEqual([
      true,
      undefined,
      sha256(text),
    ])
    expect(await snapshot?.snapshot?.({ signal: skills.signal })).toBe(snapshot)
    expect(textOf(await invoke())).toContain('new')
    expect(asked).toEqual([])
  })

  it('has no approval for bytes that were read before the approved ones came back', async () => {
    const [approved, other] = [
      skill('model: haiku\n', '!`printf o; printf ld`'),
      skill('model: haiku\n', '!`printf e; printf vl`'),
    ]
    const { tree, skills, invoke } = await open(approved, {
      rules: { allow: ['Skill(dep)', 'Bash'] },
      answer: approving,
    })
    await invoke()
    const judge = async (command: Command): Promise<boolean | undefined> =>
      command.type !== 'prompt'
        ? undefined
        : (await skills.use('trust').first((trust, call) => trust.judge(command, true, call)))?.isApproved
    const snapshotNow = async (): Promise<Command> => {
      const { command } = (await skills.refresh()).require('dep')
      return command.type === 'prompt' ? ((await command.snapshot?.({ signal: skills.signal })) ?? command) : command
    }
    const good = await snapshotNow()
    tree.write({ [path]: other })
    const evil = await snapshotNow()
    expect([await judge(good), await judge(evil)]).toEqual([false, false])
    tree.write({ [path]: approved })
    expect([await judge(good), await judge(evil)]).toEqual([true, false])
  })

  it('is kept from a model when the file beside it says so by now', async () => {
    const { tree, skills } = await open(skill('', 'Harmless.'), { at: 'repo/.agents/skills/dep/SKILL.md' })
    const invoker = new Invoker(skills)
    const call = () => invoker.invoke({ name: 'dep', caller: 'model' })
    await call()
    tree.write({ 'repo/.agents/skills/dep/agents/openai.yaml': 'policy:\n  allow_implicit_invocation: false\n' })
    await expect(call()).rejects.toMatchObject({ code: 'E_NOT_INVOCABLE' })
  })

  it('is not asked about when it is gone', async () => {
    const { tree, asked, invoke } = await open(skill('model: haiku\n', 'Harmless.'))
    rmSync(`${tree.path}/${path}`)
    await expect(invoke()).rejects.toMatchObject({ code: 'E_FILE_CHANGED' })
    expect(asked).toEqual([])
  })

  it('is one that a person may not invoke any more, where it says so now', async () => {
    const { tree, invoke } = await open(skill('', 'Harmless.'))
    tree.write({ [path]: skill('user-invocable: false\n', 'Harmless.') })
    await expect(invoke(undefined, 'user')).rejects.toMatchObject({ code: 'E_NOT_INVOCABLE' })
  })
})

describe.runIf(process.platform !== 'win32')('an invocation that is given up', () => {
  it('is over when its processes are, and until then the skill is running', async () => {
    const { tree, invoke } = await open(
      skill('allowed-tools: Bash\n', '```!\ntrap "" TERM; echo $$ >pid; while :; do sleep 0.05; done\n```'),
    )
    const controller = new AbortController()
    const invoked = invoke(controller.signal).catch((error: unknown) => error)
    const pid = await pidIn(`${tree.path}/repo/pid`)
    controller.abort('enough')
    await expect(invoke()).rejects.toMatchObject({ code: 'E_ALREADY_RUNNING' })
    expect(isAlive(pid)).toBe(true)
    expect(await invoked).toMatchObject({ name: 'AbortError', cause: 'enough' })
    expect(isAlive(pid)).toBe(false)
  })
})

async function pidIn(file: string): Promise<number> {
  for (;;) {
    try {
      const text = readFileSync(file, 'utf8')
      if (text.endsWith('\n')) return Number(text)
    } catch {
      // The file is not written yet.
    }
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
