import { existsSync, readdirSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { runIn, type Ran } from './console.js'
import { atTerminal, hasTerminals, keys, type Step } from './terminal.js'

// Runs the built program at a real terminal, which needs `script` of util-linux.

let tree: TempTree
afterEach(() => tree.dispose())

function project(): { readonly cwd: string } {
  tree = tempTree({
    home: { dir: true },
    'work/.git': { dir: true },
    'work/.claude/skills/touch/SKILL.md': '---\ndescription: Touches.\n---\nA !`touch ran`B \u001b]0;title\u0007',
  })
  return { cwd: `${tree.path}/work` }
}

const home = ['--home', '../home']
/** Runs a command in this process, where there is no terminal. */
const without = (args: readonly string[], { cwd }: { readonly cwd: string }): Promise<Ran> =>
  runIn([...args, ...home], { cwd, env: { PATH: process.env['PATH'] } })
/** Changes a skill after its folder was trusted: it is asked about even if its name is typed. */
const change = (): void =>
  tree.write({
    'work/.claude/skills/touch/SKILL.md':
      '---\ndescription: Touches.\n---\nA !`touch ran`B \u001b]0;title\u0007 changed',
  })
const hasRun = (): boolean => existsSync(`${tree.path}/work/ran`)
/** Last of the choices: once it is shown, keys are read. */
const question = 'Skill(touch:*)'

describe.runIf(hasTerminals)('at a real terminal', () => {
  test('a question is answered with the keys, and no is what a careless one chooses', async () => {
    const at = project()
    expect(
      (await atTerminal(['trust', ...home], [{ after: 'Yes, as it is shown here', type: keys.enter }], at)).code,
    ).toBe(1)
    const { code, screen } = await atTerminal(
      ['trust', ...home],
      [{ after: 'Yes, as it is shown here', type: keys.down + keys.enter }],
      at,
    )
    expect(code).toBe(0)
    expect(screen).toContain(`Trusted: ${tree.path}/work`)

    change()
    const denied = await atTerminal(['run', 'touch', ...home], [{ after: question, type: keys.enter }], at)
    expect(denied.code).toBe(1)
    expect(hasRun()).toBe(false)
    const run = await atTerminal(
      ['run', 'touch', ...home],
      [
        { after: question, type: keys.down + keys.enter },
        { after: 'always: Bash(touch ran)', type: keys.down + keys.enter },
      ],
      at,
    )
    expect(run.code).toBe(0)
    expect(hasRun()).toBe(true)
    // No terminal obeys the text of a skill.
    expect(run.screen).not.toContain('\u001b]0;')
    expect(run.screen).toContain('A B <U+001B>]0;title<U+0007>')
  })

  test('the end of the input at a question is a cancel, as Ctrl-C is', async () => {
    const at = project()
    const steps = (type: string): readonly Step[] => [{ after: 'Yes, as it is shown here', type }]
    const ended = await atTerminal(['trust', ...home], steps(keys.endOfInput), at)
    expect(ended.code).toBe((await atTerminal(['trust', ...home], steps(keys.interrupt), at)).code)
    expect(ended.screen).not.toContain('report')
  })

  test('y and yes mark yes, n and no mark no, and the default is said', async () => {
    const at = project()
    const trust = async (typed: string): Promise<unknown> =>
      (await atTerminal(['trust', ...home], [{ after: 'Yes, as it is shown here', type: typed }], at)).code
    for (const typed of ['n\r', 'no\r', 'yn\r', 'YES\u001b[A\r']) expect(await trust(typed), typed).toBe(1)
    const { code, screen } = await atTerminal(
      ['trust', ...home],
      [{ after: 'Yes, as it is shown here', type: 'yes\r' }],
      at,
    )
    expect([code, screen.includes('Trust it? (y/N)')]).toEqual([0, true])
    change()
    const run = await atTerminal(
      ['run', 'touch', ...home],
      [
        { after: question, type: 'y\r' },
        { after: 'always: Bash(touch ran)', type: `${keys.down}${keys.down}y\r` },
      ],
      at,
    )
    expect([run.code, hasRun()]).toEqual([0, true])
    // The answer was "once", so no rule is saved.
    expect(existsSync(`${tree.path}/home/.local/state/skills/permissions`)).toBe(false)
  })

  test.each([
    ['Ctrl-C', keys.interrupt],
    ['Escape', keys.escape],
  ])('%s at a question ends with 130 and denies', async (_name, key) => {
    const at = project()
    expect((await atTerminal(['trust', ...home], [{ after: 'Yes, as it is shown here', type: key }], at)).code).toBe(
      130,
    )
    expect((await without(['trust', '--list'], at)).stdout).toBe('')
    await without(['trust', '--yes'], at)
    change()
    expect((await atTerminal(['run', 'touch', ...home], [{ after: question, type: key }], at)).code).toBe(130)
    expect(
      (await atTerminal(['render', 'touch', ...home], [{ after: 'always: Bash(touch ran)', type: key }], at)).code,
    ).toBe(130)
    expect(hasRun()).toBe(false)
  })
})

test.runIf(hasTerminals)('skills to install are chosen from a list, more than one', async () => {
  const skill = (name: string): string => `---\ndescription: Does ${name}.\n---\nDo ${name}.\n`
  tree = tempTree({
    home: { dir: true },
    'work/.git': { dir: true },
    ...Object.fromEntries(['one', 'two', 'three'].map(name => [`shared/${name}/SKILL.md`, skill(name)])),
  })
  const { code, screen } = await atTerminal(
    ['add', '../shared', ...home],
    [
      { after: 'to search', type: `\t${keys.down}\t${keys.enter}` },
      { after: 'Install it?', type: 'y\r' },
    ],
    { cwd: `${tree.path}/work` },
  )
  expect(screen).toMatch(/Which of 3 skills\? .*--all /)
  expect(code).toBe(0)
  const there = ['one', 'two', 'three'].filter(name => existsSync(`${tree.path}/work/.agents/skills/${name}`))
  expect(there).toHaveLength(2)
})

test.runIf(hasTerminals)('one that does not know its size is taken for 80 columns', async () => {
  expect((await atTerminal(['list', ...home], [], { ...project(), columns: 0 })).screen).toContain('Touches.')
})

test.skipIf(!hasTerminals)(
  'a distribution is asked about, shown whole, and what is swapped while the question is open does not run',
  async () => {
    const { cwd } = project()
    const acme = (mark: string): string =>
      `import { writeFileSync } from 'node:fs'\nimport './lib/part.js'\nwriteFileSync('${cwd}/${mark}', '')\nexport const base = 'mini'\nexport default (options, mini) => mini(options)\n`
    tree.write({
      'work/.claude/skills/folder/SKILL.md': '---\nname: field\ndescription: Named.\n---\nBody.\n',
      'work/acme.js': acme('ran-top'),
      'work/lib/part.js': `import { writeFileSync } from 'node:fs'\nwriteFileSync('${cwd}/ran-part', '')\n`,
    })
    const ran = (): readonly string[] => readdirSync(cwd).filter(name => name.startsWith('ran-'))
    const args = ['list', '--distribution', './acme.js', ...home]
    const asked = 'Yes, as it is shown here'
    const no = await atTerminal(args, [{ after: asked, type: keys.enter }], { cwd })
    expect([no.code, no.screen]).toEqual([
      1,
      expect.stringContaining('| export default (options, mini) => mini(options)'),
    ])
    expect(no.screen).toContain('not agreed to')
    expect((await atTerminal(args, [{ after: asked, type: keys.interrupt }], { cwd })).code).toBe(130)
    expect(ran()).toEqual([])
    const swap = (): void => tree.write({ 'work/acme.js': acme('ran-swapped') })
    const swapped = await atTerminal(args, [{ after: asked, type: 'y\r', first: swap }], { cwd })
    expect([swapped.code, swapped.screen]).toEqual([1, expect.stringContaining('acme.js (changed)')])
    expect(ran()).toEqual([])
    const yes = await atTerminal(args, [{ after: asked, type: 'y\r' }], { cwd })
    expect([yes.code, yes.screen]).toEqual([0, expect.stringContaining('field')])
    expect(ran()).toEqual(['ran-part', 'ran-swapped'])
  },
)

describe('without a terminal', () => {
  test('the program asks no question and denies', async () => {
    const at = project()
    expect(await without(['trust'], at)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/Nothing is trusted, .* --yes\.\n$/),
    })
    await without(['trust', '--yes'], at)
    change()
    expect(await without(['run', 'touch'], at)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(' Skill(touch)'),
    })
    expect(await without(['render', 'touch'], at)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('A !`touch ran`B \u001b]0;title\u0007'),
    })
    expect(hasRun()).toBe(false)
    expect(await without(['run', 'touch', '--yes'], at)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('A B'),
    })
    expect(hasRun()).toBe(true)
  })

  test('the program tells what a model is told of', async () => {
    const at = project()
    expect(await without(['listing'], at)).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('- touch: Touches.\n'),
    })
  })
})
