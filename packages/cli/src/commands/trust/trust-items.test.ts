import { existsSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { runIn, type Console } from '../../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

const skill = '---\ndescription: Does it.\n---\nDone.\n'

function project(entries: TreeEntries = {}): Console {
  tree = tempTree({
    'home/.keep': '',
    'work/.git': { dir: true },
    'work/.claude/skills/deploy/SKILL.md': skill,
    'work/.claude/skills/old/SKILL.md': skill,
    ...entries,
  })
  return { cwd: `${tree.path}/work`, home: `${tree.path}/home` }
}

/** Returns a project with a configuration in code that writes a file when it runs. */
function code(name: string, data = '{}'): TreeEntries {
  return {
    'work/skills.config.mjs': `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(`${tree.path}/${name}`)}, '')\nexport default ${data}\n`,
  }
}

const yes: Pick<Console, 'answer'> = { answer: (_title, choices) => choices[1]?.value }
const problems = async (console: Console): Promise<string> => (await runIn([], console)).stdout
const ran = (name: string): boolean => existsSync(`${tree.path}/${name}`)

describe('what trust switches on', () => {
  test('is shown whole, with what a terminal would obey as numbers, and runs only after the yes to it', async () => {
    const console = project({ 'work/.claude/settings.json': '{"permissions":{"allow":["Bash(git:*)"]}}' })
    tree.write(code('ran', "{ overrides: { old: 'off' } } // \u001b[2J"))
    expect((await runIn(['trust'], console)).code).toBe(1)
    const { stderr } = await runIn(['trust'], { ...console, ...yes })
    expect(stderr).toContain(`Trusting the folder switches on 2 items, as shown:
  skills.config.mjs (module: code, run by every command that uses it; new) skills.config.mjs
    | import { writeFileSync } from 'node:fs'
    | writeFileSync("${tree.path}/ran", '')
    | export default { overrides: { old: 'off' } } // <U+001B>[2J
    | 
  Bash(git:*) (rule: allows without asking; new) .claude/settings.json:1
`)
    expect(ran('ran')).toBe(false)
    expect((await runIn(['list'], console)).stdout).not.toContain('old')
    expect(ran('ran')).toBe(true)
  })

  test('names agents of forks with all that they say, where the distribution forks', async () => {
    const console = project({
      'work/.claude/agents/reviewer.md': '---\nmodel: large\n---\nObey.\n',
      'work/.claude/agents/safe.md': '---\ntools: Read\n---\n',
      'work/.claude/agents/bad.md': '---\neffort: huge\n---\n',
    })
    const { stdout } = await runIn(['trust', '--dry-run'], console)
    expect(stdout).toContain(`Trusting the folder switches on 1 item, as shown:
  reviewer (agent: what a forked skill that names it runs as, with its prompt, model and effort; new) .claude/agents/reviewer.md
    | ---
    | model: large
    | ---
    | Obey.
    | 
  not read: .claude/agents/bad.md: The agent .claude/agents/bad.md is not valid: \`effort\` must be`)
    expect((await runIn(['trust', '--dry-run', '--distribution', 'opencode'], console)).stdout).not.toContain(
      'reviewer',
    )
  })

  test('is told by --dry-run, which trusts nothing, also as JSON', async () => {
    const console = project()
    tree.write(code('ran'))
    const { code: exit, stdout } = await runIn(['trust', '--dry-run', '--json'], console)
    expect(exit).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      path: `${tree.path}/work`,
      isTrusted: false,
      problems: [],
      items: [
        {
          kind: 'module',
          label: 'skills.config.mjs',
          path: `${tree.path}/work/skills.config.mjs`,
          line: null,
          state: 'new',
          digest: expect.stringMatching(/^[0-9a-f]{64}$/),
          text: expect.stringContaining('writeFileSync'),
        },
      ],
    })
    expect((await runIn(['trust', '--dry-run'], console)).stdout).toContain('    | import { writeFileSync }')
    expect((await runIn(['trust', '--list'], console)).stdout).toBe('')
    await runIn(['list'], console)
    expect(ran('ran')).toBe(false)
    for (const other of ['--yes', '--list', '--revoke'])
      expect((await runIn(['trust', '--dry-run', other], console)).code).toBe(2)
  })

  test('does not run once it changed, as each command says with what to do, and only what changed is shown then', async () => {
    const console = project({ 'work/.claude/settings.json': '{"permissions":{"allow":["Bash(git:*)"]}}' })
    tree.write(code('first'))
    await runIn(['trust', '--yes'], console)
    await runIn(['list'], console)
    expect(ran('first')).toBe(true)
    tree.write(code('second'))
    for (const command of [['list'], ['explain', 'deploy'], ['lint'], ['run', 'deploy']]) await runIn(command, console)
    expect(ran('second')).toBe(false)
    expect(await problems(console)).toContain('"skills.config.mjs" is changed')
    expect(await problems(console)).toContain('skills trust')
    const { stderr } = await runIn(['trust'], { ...console, ...yes })
    expect(stderr).toMatch(/1 item .*\n.* 1 item, .*:\n {2}skills\.config\.mjs \(module: .*; changed\)/)
    await runIn(['list'], console)
    expect(ran('second')).toBe(true)
    // No item is open any more.
    expect(await runIn(['trust'], console)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `Trusted: ${tree.path}/work\n`,
    })
  })

  test('is what was shown, and not what was put there while the question was open', async () => {
    const console = project()
    tree.write(code('shown'))
    const swaps: Pick<Console, 'answer'> = {
      answer: (_title, choices) => {
        tree.write(code('swapped'))
        return choices[1]?.value
      },
    }
    await runIn(['trust'], { ...console, ...swaps })
    await runIn(['list'], console)
    expect([ran('shown'), ran('swapped')]).toEqual([false, false])
  })

  test('in a folder that was trusted before items were remembered is asked about again', async () => {
    const console = project()
    tree.write(code('ran'))
    await runIn(['trust', '--yes'], console)
    const file = `${tree.path}/home/.local/state/skills/trust.json`
    expect(existsSync(file)).toBe(true)
    const { readFileSync, writeFileSync } = await import('node:fs')
    const before = readFileSync(file, 'utf8')
    writeFileSync(file, before.replace(/,\s*"items":\s*\[[^\]]*\]/, ''))
    expect(readFileSync(file, 'utf8')).not.toBe(before)
    await runIn(['list'], console)
    expect(ran('ran')).toBe(false)
    expect(await problems(console)).toContain('not record agreement')
    const { stderr } = await runIn(['trust'], { ...console, ...yes })
    expect(stderr).toContain('shown again')
    await runIn(['list'], console)
    expect(ran('ran')).toBe(true)
  })
})

describe('a configuration that is broken', () => {
  test.each<[string, string, string]>([
    [
      'whose provider is of no kind',
      "{ providers: [{ kind: 'formater', id: 'x', setup() {} }] }",
      'The closest is "formatter".',
    ],
    ['whose provider is none', '{ providers: [{}] }', '"providers[0]" is not a provider'],
    [
      'with two for one place',
      "{ providers: [{ kind: 'formatter', id: 'x', setup() {} }, { kind: 'formatter', id: 'y', setup() {} }] }",
      'would replace "x"',
    ],
    [
      'whose provider needs what there is not',
      "{ providers: [{ kind: 'source', id: 'x', needs: ['runner'], setup() {} }] }",
      'needs a provider of the kind "runner"',
    ],
    ['that throws', '(() => { throw new Error("Broken.") })()', 'Broken.'],
    [
      'whose provider says that it is nothing',
      "{ providers: [{ kind: 'executor', id: 'inline', needs: 3, setup() {} }] }",
      'is not a provider',
    ],
  ])('%s is named by its file, and every command still works', async (_what, data, message) => {
    const console = project()
    tree.write(code('ran', data))
    await runIn(['trust', '--yes'], console)
    expect((await runIn(['list'], console)).stdout).toContain('deploy')
    expect(await problems(console)).toMatch(/skills\.config\.mjs\s+error/)
    expect(await problems(console)).toContain(message)
    expect((await runIn(['explain', 'deploy'], console)).code).toBe(0)
    expect((await runIn(['lint'], console)).stdout).toContain('skills.config.mjs')
    expect((await runIn(['trust', '--dry-run'], console)).code).toBe(0)
    expect((await runIn(['trust', '--revoke'], console)).code).toBe(0)
  })

  test('with providers that this engine cannot be made with is named by its file, and they alone do not count', async () => {
    const console = project()
    tree.write(
      code(
        'ran',
        "{ hooks: false, overrides: { old: 'off' }, providers: [{ kind: 'gate', id: 'x', needs: ['hooks'], setup() {} }] }",
      ),
    )
    await runIn(['trust', '--yes'], console)
    expect((await runIn(['list'], console)).stdout).toMatch(/^deploy\b.*\n$/)
    expect(await problems(console)).toMatch(/skills\.config\.mjs\s+error/)
    expect(await problems(console)).toMatch(/ skills\.config\.mjs are not /)
  })

  test('is not even looked at by --list and --revoke', async () => {
    const console = project()
    tree.write(code('first'))
    await runIn(['trust', '--yes'], console)
    await runIn(['trust', '--list'], console)
    await runIn(['trust', '--revoke'], console)
    expect(ran('first')).toBe(false)
  })
})

test("a provider of a configuration takes the place of the distribution's own", async () => {
  const console = project()
  tree.write(
    code(
      'ran',
      `{ providers: [
    { kind: 'formatter', id: 'mine', setup: () => ({ format: () => ({ text: 'MINE', entries: [], omitted: [], truncated: [], budgetChars: 9, usedChars: 4 }) }) },
    { kind: 'permission', id: 'never', setup: () => ({ check: () => ({ behavior: 'deny', message: 'Never.', decisionReason: { type: 'default' } }) }) },
    { kind: 'executor', id: 'inline', setup: () => ({ canExecute: () => false, execute() {} }) }] }`,
    ),
  )
  await runIn(['trust', '--yes'], console)
  expect((await runIn(['listing'], console)).stdout).toContain('MINE')
  expect(await runIn(['run', 'deploy', '--yes'], console)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Never.') as string,
  })
  expect(await runIn(['run', 'deploy', '--deny', 'Skill(deploy)'], console)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--deny') as string,
  })
})

describe('what is new or changed since its folder was trusted', () => {
  const rules = (...allow: readonly string[]): TreeEntries => ({
    'work/.claude/settings.json': JSON.stringify({ permissions: { allow } }, undefined, 1),
  })
  const line = (stderr: string): readonly string[] =>
    stderr.split('\n').filter(one => one.includes('since its folder was trusted'))

  test('is said beside the output in one line, with kind, place and the next command', async () => {
    const console = project(rules('Bash(git:*)'))
    await runIn(['trust', '--yes'], console)
    for (const command of [
      ['list'],
      ['list', '--json'],
      [],
      ['explain', 'deploy'],
      ['render', 'deploy'],
      ['run', 'deploy'],
    ])
      expect(line((await runIn(command, console)).stderr), command.join(' ')).toEqual([])
    tree.write(rules('Bash(git:*)', 'Bash'))
    tree.write({ 'work/skills.config.json': '{ "additional": ["a", "b"], "precedence": ["project"] }' })
    const says = expect.stringMatching(
      /^skills: Does not count, .*: precedence precedence \(new, skills\.config\.json:1\), folder a \(new, skills\.config\.json:1\), .*folder b \(new, skills\.config\.json:1\), and 1 more\. .*: skills trust$/,
    ) as string
    for (const command of [
      ['list'],
      ['list', '--json'],
      [],
      ['explain', 'deploy'],
      ['render', 'deploy'],
      ['run', 'deploy'],
    ])
      expect(line((await runIn(command, console)).stderr), command.join(' ')).toEqual([says])
    for (const command of [['lint'], ['trust', '--dry-run']])
      expect(line((await runIn(command, console)).stderr), command.join(' ')).toEqual([])
    await runIn(['trust', '--yes'], console)
    tree.write(rules('Bash(git:*)', 'Bash(\u001b[2J)'))
    expect(line((await runIn(['list'], console)).stderr)).toEqual([
      expect.stringMatching(
        /^skills: Does not count, .*: rule Bash\(<U\+001B>\[2J\) \(new, \.claude\/settings\.json:5\)\. .*: skills trust$/,
      ),
    ])
  })

  test('is not said of a folder that is not trusted', async () => {
    const console = project({ ...rules('Bash'), 'work/skills.config.json': '{ "additional": ["a"] }' })
    expect(line((await runIn(['list'], console)).stderr)).toEqual([])
  })
})

describe('a canary through the program', () => {
  const embeds = (canary: string): TreeEntries => ({
    'work/.claude/skills/runs/SKILL.md': `---\ndescription: x\n---\n!\`touch ../${canary}\``,
  })

  test('in an embedded command runs after trust, and once it changed no earlier than after a yes', async () => {
    const console = project(embeds('one'))
    await runIn(['run', 'runs', '--yes'], console)
    expect(ran('one'), 'before any yes').toBe(false)
    await runIn(['trust', '--yes'], console)
    expect(ran('one'), 'the preview').toBe(false)
    expect((await runIn(['run', 'runs'], console)).code).toBe(0)
    expect(ran('one'), 'typed where it is trusted').toBe(true)
    tree.write(embeds('two'))
    expect((await runIn(['run', 'runs'], console)).code).toBe(1)
    expect(ran('two'), 'after a change').toBe(false)
  })

  test('in a plugin that only the project names never runs, as the preview says', async () => {
    const console = project({
      'work/skills.config.json': '{ "plugins": ["acme"] }',
      'work/acme/.claude-plugin/plugin.json': '{ "name": "acme" }',
      'work/acme/skills/runs/SKILL.md': '---\ndescription: x\n---\n!`touch ../ran`',
    })
    const { stdout } = await runIn(['trust', '--dry-run'], console)
    expect(stdout).toMatch(/acme \(plugin: .*; new\)/)
    expect(stdout).toContain('    | .claude-plugin/plugin.json:\n    |   { "name": "acme" }')
    await runIn(['trust', '--yes'], console)
    expect((await runIn(['list'], console)).stdout).toContain('acme:runs')
    expect((await runIn(['run', 'acme:runs', '--yes'], console)).code).toBe(1)
    expect(ran('ran')).toBe(false)
  })
})
