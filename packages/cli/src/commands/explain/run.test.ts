import { afterEach, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { plain, runIn, type Console } from '../../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

function project(): Console {
  tree = tempTree({
    'home/.claude/skills/deploy/SKILL.md': '---\ndescription: Mine.\n---\nx',
    'work/.claude/skills/deploy/SKILL.md': "---\ndescription: The project's: here\n---\ny",
    'work/.git': { dir: true },
    'work/.claude/skills/quiet/SKILL.md':
      '---\ndescription: x\ndisable-model-invocation: true\nrequires: deploy\n---\nx',
    'work/.claude/skills/broken/SKILL.md': '---\ndescription: x\n',
    'work/.claude/skills/empty': { dir: true },
  })
  return { cwd: `${tree.path}/work`, home: `${tree.path}/home` }
}

test('a text of several lines is one line', async () => {
  tree = tempTree({
    'work/.git': { dir: true },
    'work/.claude/skills/lines/SKILL.md': '---\ndescription: |\n  one\n  two\n\n  three\n---\nx',
  })
  const { stdout } = await runIn(['explain', 'lines'], { cwd: `${tree.path}/work` })
  expect(stdout).toContain('description    one two three\n')
})

test('a name tells who has it, by which rule, and who lost it', async () => {
  const { code, stdout, stderr } = await runIn(['explain', 'deploy'], project())
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.replaceAll(tree.path, '/TMP')).toBe(`deploy  active  user
  file           /TMP/home/.claude/skills/deploy/SKILL.md
  why            user comes before project.
  shadows        deploy of project (.claude/skills/deploy/SKILL.md)
  description    Mine.
  you            can invoke it: /deploy
  the model      is told of it.

project:deploy  active under this name  project
  file           .claude/skills/deploy/SKILL.md
  why            user comes before project.
  shadowed by    deploy of user (/TMP/home/.claude/skills/deploy/SKILL.md)
  description    The project's: here
  you            can invoke it: /project:deploy
  the model      is told of it.
  .claude/skills/deploy/SKILL.md:2:14  warning  The value of \`description\` contains \`: \`, which ends a value without quotes; it is read as text.
    Write \`description: 'The project''s: here'\`.

note: Invoking "deploy" needs no permission: the skill sets nothing that needs permission, and embeds no command.
`)
})

test('a name may be typed as it is invoked', async () => {
  expect((await runIn(['explain', '/quiet'], project())).stdout).toMatch(/not listed {5}Its author/)
})

test('a skill that failed to load says why and where', async () => {
  const { code, stdout } = await runIn(['explain', 'broken'], project())
  expect(code).toBe(0)
  expect(stdout).toMatch(/broken {2}failed/)
  expect(stdout).toContain('.claude/skills/broken/SKILL.md:1:1  error')
  expect(stdout).not.toContain('you ')
})

test('a name that no command has fails with the closest ones, and with what sources know', async () => {
  expect(await runIn(['explain', 'deplyo'], project())).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/"deplyo"\. .* deploy\?\n$/) as string,
  })
  expect(await runIn(['explain', 'empty'], { cwd: `${tree.path}/work` })).toEqual({
    code: 1,
    stderr: expect.stringContaining('"empty"') as string,
    stdout: `note: .claude/skills/empty is empty; a skill needs a SKILL.md in it.

Where standard looks
  .claude/skills  project  2 skills
  not there: .agents/skills, no-home/.claude/skills, no-home/.agents/skills
  of skills with the same name the first of these sources counts: managed, user, project, additional, plugin, bundled, mcp, legacy, builtin
  a skill elsewhere, or too deep, is not found: move its folder into one of these, or name its project with --cwd
`,
  })
})

test('of a name like no other there is also what is wrong with places and the configuration', async () => {
  tree = tempTree({
    'work/.git': { dir: true },
    'work/.claude/skills/a/b/c/d/e/f/g/deploy/SKILL.md': '---\ndescription: Deep.\n---\nx',
    'work/.claude/skills/SKILL.md': '---\ndescription: x\n---\nx',
    'work/.claude/skills/other/SKILL.md': '---\ndescription: a: b\n---\nx',
    'work/.claude/skills/broken/SKILL.md': '---\ndescription: x\n',
    'work/skills.config.json': '{"additional":["more"]}',
  })
  const { code, stdout } = await runIn(['explain', 'nothing-like-it'], { cwd: `${tree.path}/work` })
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /\n\n1 error and 2 warnings\n {2}skills\.config\.json {2}warning {2}.*not trusted\.\n.*\n {2}\.claude\/skills {2}error {2}.*6 levels.*\n.*\n {2}\.claude\/skills\/SKILL\.md {2}warning {2}.*\n.*\n$/,
  )
})

test('what is switched off, or kept for the user, is told with the files that may say so', async () => {
  tree = tempTree({
    'work/.git': { dir: true },
    'work/.claude/skills/deploy/SKILL.md': '---\ndescription: Ships.\n---\nx',
    'work/.claude/skills/quiet/SKILL.md': '---\ndescription: Waits.\n---\nx',
    'work/.claude/skills/plain/SKILL.md': '---\ndescription: Is.\n---\nx',
    'home/.config/skills/skills.config.json': '{"overrides":{"deploy":"off","quiet":"user-only"}}',
    'work/skills.config.json': '{"overrides":{"plain":"off"}}',
  })
  const at = { cwd: `${tree.path}/work`, home: `${tree.path}/home` }
  const line = `\n  configuration  ${tree.path}/home/.config/skills/skills.config.json\n`
  const switched = (await runIn(['explain', 'deploy'], at)).stdout
  expect(switched).toMatch(
    /^ {2}not listed {5}.*"deploy" off\.\n {2}to change it {3}.*"on" .*\n {2}configuration {2}\S+\n/m,
  )
  expect(switched).toContain(line)
  expect((await runIn(['explain', 'quiet'], at)).stdout).toContain(line)
  // The project is not trusted, so its configuration does not count.
  expect((await runIn(['explain', 'plain'], at)).stdout).not.toContain('configuration')
})

test('what asks for more than to be read says by which command line it is trusted', async () => {
  tree = tempTree({
    'work/.git': { dir: true },
    'work/.claude/skills/plain/SKILL.md': '---\ndescription: Is.\n---\nx',
    'work/.claude/skills/hooked/SKILL.md':
      '---\ndescription: Ships.\nhooks:\n  Stop:\n    - hooks: [{ type: command, command: echo x }]\n---\nx',
  })
  const at = { cwd: `${tree.path}/work`, home: tree.path }
  const asked =
    'note: If you type /hooked, the skill does not run and you are not asked: it is not trusted, and does more than give its text to the model. See what trusting its folder means: skills trust\n'
  expect((await runIn(['explain', 'hooked'], at)).stdout).toContain(asked)
  expect((await runIn(['explain', 'plain'], at)).stdout).not.toContain('trusted:')
  expect(JSON.parse((await runIn(['explain', 'hooked', '--json'], at)).stdout)).toMatchObject({
    notes: expect.arrayContaining([{ provider: 'trust', text: expect.stringContaining('skills trust') }]),
  })
  await runIn(['trust', '--yes'], at)
  expect((await runIn(['explain', 'hooked'], at)).stdout).not.toContain('skills trust')
})

test('a file in place of a name is the skill that is loaded from it, else it says why none is, and how to have it', async () => {
  tree = tempTree({
    home: { dir: true },
    'work/.git': { dir: true },
    'work/.claude/skills/a/SKILL.md': '---\ndescription: x\n---\nx',
    'work/.claude/skills/a/more/notes.md': 'x',
    'work/tools/skills/b/SKILL.md': '---\ndescription: x\n---\nx',
    'work/tools/c.md': 'x',
  })
  const at = { cwd: `${tree.path}/work`, home: `${tree.path}/home` }
  for (const given of [
    '.claude/skills/a/SKILL.md',
    './.claude/skills/a',
    `${tree.path}/work/.claude/skills/a/SKILL.md`,
  ]) {
    expect(await runIn(['explain', given], at)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^a {2}active {2}project\n/),
      stderr: '',
    })
  }
  const beside = async (given: string): Promise<unknown> => ({ ...(await runIn(['explain', given], at)), stdout: '' })
  expect(await beside('tools/skills/b')).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^skills: .* tools\/skills\/b\/SKILL\.md: .* \.claude\/skills: .*: skills list --plugin-dir tools\/skills\/b\n$/,
    ),
  })
  expect(await beside('tools/c.md')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^skills: .* tools\/c\.md: .* SKILL\.md,/),
  })
  expect(await beside('.claude/skills/a/more/notes.md')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^skills: .* \.claude\/skills\/a\/more\/notes\.md\. .* \.claude\/skills, .*: \.claude\/skills\/NAME\/SKILL\.md\.\n$/,
    ),
  })
  expect((await runIn(['list', '--plugin-dir', 'tools/skills/b'], at)).stdout).toContain('b\t')
})

test('a proposed name that looks like another is shown so that it cannot be mistaken', async () => {
  tree = tempTree({ '.claude/skills/x/SKILL.md': '---\nname: depl\u043Ey\ndescription: x\n---\nx' })
  tree.write({ '.claude/skills/depl\u043ey/SKILL.md': '---\ndescription: x\n---\nx' })
  const { stderr } = await runIn(['explain', 'deplyo'], { cwd: tree.path })
  expect(stderr).toContain('\\u{43e}')
  expect(stderr).not.toContain('\u043e')
})

test('--json gives the same as data', async () => {
  const { code, stdout } = await runIn(['explain', 'deploy', '--json'], project())
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    query: 'deploy',
    notes: [{ provider: 'rules', text: expect.stringContaining('needs no permission') }],
    suggestions: [],
    answers: [
      {
        name: 'deploy',
        state: 'active',
        source: 'user',
        isListed: true,
        reason: 'user comes before project.',
        shadows: [{ name: 'deploy', source: 'project' }],
        shadowedBy: null,
      },
      {
        name: 'project:deploy',
        state: 'qualified',
        isListed: true,
        notListedBecause: [],
        shadowedBy: { source: 'user' },
        diagnostics: [{ code: 'unquoted-text', line: 2 }],
      },
    ],
  })
  const unknown = await runIn(['explain', 'nope', '--json'], { cwd: `${tree.path}/work` })
  expect(unknown).toMatchObject({ code: 1, stderr: '' })
  expect(JSON.parse(unknown.stdout)).toEqual({
    query: 'nope',
    answers: [],
    agents: [],
    notes: [],
    suggestions: [],
    incomplete: [],
    distribution: 'standard',
    precedence: ['managed', 'user', 'project', 'additional', 'plugin', 'bundled', 'mcp', 'legacy', 'builtin'],
    places: expect.arrayContaining([
      { path: `${tree.path}/work/.claude/skills`, provider: 'project', state: 'read', found: 2 },
    ]),
  })
})

test('what a terminal obeys never reaches it', async () => {
  tree = tempTree({
    '.claude/skills/a/SKILL.md': '---\nname: "x\\e]0;y"\ndescription: "\\e[2Jgone"\nwhen_to_use: "\\u009b2J"\n---\nx',
  })
  const { stdout, stderr } = await runIn(['explain', 'a'], { cwd: tree.path, isTerminal: true })
  // oxlint-disable-next-line no-control-regex -- none of them may be there
  expect(plain(stdout) + plain(stderr)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  const asked = await runIn(['explain', '\u001b[2J'], { cwd: tree.path, isTerminal: true })
  // oxlint-disable-next-line no-control-regex -- none of them may be there
  expect(plain(asked.stderr)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
})

test('of many files of one name some are shown, and --json has all', async () => {
  tree = tempTree({
    'work/.git': { dir: true },
    ...Object.fromEntries(
      Array.from({ length: 45 }, (_, at) => [
        `work/.claude/skills/g${at}/deploy/SKILL.md`,
        `---\ndescription: Number ${at}.\n---\n${at}`,
      ]),
    ),
  })
  const at = { cwd: `${tree.path}/work` }
  const { stdout } = await runIn(['explain', 'deploy'], at)
  expect(stdout.match(/^ {2}file /gm)).toHaveLength(20)
  expect(stdout).toContain('  shadows        and 24 more\n')
  expect(stdout).toMatch(/\nand 25 more .*--json /)
  const { answers } = JSON.parse((await runIn(['explain', 'deploy', '--json'], at)).stdout)
  expect(answers).toHaveLength(45)
  expect(answers[0].shadows).toHaveLength(44)
})
