import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { checkedAgainst } from '@skills/distributions'
import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import type { Compat } from '@skills/inspect/internal'
import { plain, runIn, type Console } from '../../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

const skill = (frontmatter: string, body = 'Do it.'): string => `---\n${frontmatter}\n---\n${body}\n`

function project(more: TreeEntries = {}): Console {
  tree = tempTree({
    'work/.git/HEAD': '',
    'work/.claude/skills/deploy/SKILL.md': skill('name: deploy\ndescription: Ships it.\ncontext: fork'),
    'work/.agents/skills/review/SKILL.md': skill('name: review\ndescription: Reviews it.'),
    'home/.keep': '',
    ...more,
  })
  return { cwd: `${tree.path}/work`, home: `${tree.path}/home` }
}

describe('compat', () => {
  test('in a pipe is a line for each skill and agent', async () => {
    const { code, stdout } = await runIn(['compat', '--for', 'claude-code,codex'], project())
    expect(stdout).toBe(
      [
        'review\tclaude-code\telsewhere\twhole\treview\t\tCopy its folder to .claude/skills/review.',
        'review\tcodex\there\twhole\treview\t\t',
        'deploy\tclaude-code\there\twhole\tdeploy\t\t',
        'deploy\tcodex\telsewhere\twhole\tdeploy\tcontext ignored\tCopy its folder to .agents/skills/deploy.',
        '',
      ].join('\n'),
    )
    expect(code).toBe(1)
  })

  test('keeps the names of agents whole at 80 columns, beside a long name of a skill', async () => {
    const name = `a-name-${'x'.repeat(40)}`
    const files = { [`work/.claude/skills/${name}/SKILL.md`]: skill(`name: ${name}\ndescription: Long.`) }
    const { stdout } = await runIn(['compat'], { ...project(files), isTerminal: true })
    const lines = plain(stdout).split('\n')
    expect(lines.slice(0, 2).join(' ')).not.toContain('…')
    const heads = lines.filter(line => line.startsWith('NAME '))
    expect(heads.length).toBeGreaterThan(1)
    expect(heads.join(' ')).toMatch(/ opencode .* openskills .* openclaw/)
    expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(80)
  })

  test('says of an agent whose places alone are known where it finds a skill, and nothing of its listing', async () => {
    const { stdout } = await runIn(['compat', 'deploy', '--for', 'windsurf,vs-code'], project())
    expect(stdout).toMatch(/^ {2}windsurf\n {4}found +no; it would be found in \.agents\/skills\/deploy\//m)
    expect(stdout).toMatch(/^ {2}vs-code\n {4}found +as deploy\n {4}told +unknown, /m)
    const { stdout: lines } = await runIn(['compat', '--for', 'vs-code'], project())
    expect(lines).toMatch(/^deploy\tvs-code\there\tunknown\t/m)
  })

  test('ends with 0 where no agent is named, or the named ones have every skill', async () => {
    expect((await runIn(['compat'], project())).code).toBe(0)
    expect((await runIn(['compat', 'deploy', '--for', 'claude-code'], project())).code).toBe(0)
  })

  test('ends with 1 where an agent of the configuration loses a skill, also before its folder is trusted', async () => {
    const configuration = { 'work/skills.config.json': '{"agents":["codex"]}' }
    expect((await runIn(['compat'], project(configuration))).code).toBe(1)
    expect((await runIn(['compat', 'review'], project(configuration))).code).toBe(0)
  })

  test('on a terminal is a table whose words are explained, with what to ask next', async () => {
    const { stdout, stderr } = await runIn(['compat', '--for', 'claude-code,codex'], { ...project(), isTerminal: true })
    expect(plain(stdout)).toBe(
      ['NAME    claude-code  codex', 'review  moved        whole', 'deploy  whole        moved*', ''].join('\n'),
    )
    expect(plain(stderr)).toMatch(/\bmoved {5}/)
    expect(plain(stderr)).toContain('compat review')
  })

  test('where there is no skill says so on a terminal, with how to begin', async () => {
    tree = tempTree({ 'work/.git/HEAD': '', 'home/.keep': '' })
    const { code, stdout, stderr } = await runIn(['compat', '--for', 'codex'], {
      cwd: `${tree.path}/work`,
      home: `${tree.path}/home`,
      isTerminal: true,
    })
    expect([code, stdout]).toEqual([0, ''])
    expect(plain(stderr)).toContain(': skills new NAME')
  })

  test('of one skill says everything, agent by agent', async () => {
    const { stdout } = await runIn(['compat', 'deploy', '--for', 'codex'], project())
    expect(stdout).toMatch(/ {2}codex 0\.171\.0\n {4}found {5}no; .*\.agents\/skills\/deploy\/SKILL\.md, as deploy\n/)
    expect(stdout).toMatch(/ {4}field {5}context {2}ignored: /)
  })

  test.each([
    ['--for', 'codexx', 'There is no agent "codexx". Did you mean codex?'],
    ['--format', 'xml', 'There is no format "xml". There are sarif, github, markdown.'],
    ['--context-window', '0', 'The option --context-window needs a whole number'],
  ])('refuses %s %s', async (flag, value, message) => {
    const { code, stderr } = await runIn(['compat', flag, value], project())
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})

test('opens each skill once, for all agents together', async () => {
  const more = Object.fromEntries(
    ['.claude', '.agents', '.opencode'].flatMap(folder =>
      [1, 2].map(at => [`work/${folder}/skills/s${at}/SKILL.md`, skill(`name: s${at}\ndescription: ${folder}.`)]),
    ),
  )
  const large = skill('name: large\ndescription: Long.', 'Do it. '.repeat(10_000))
  const given = project({ ...more, 'work/.claude/skills/large/SKILL.md': large })
  const opened: string[] = []
  const { open, openSync } = fs
  const note = (path: fs.PathLike): void => {
    if (String(path).startsWith(given.cwd) && String(path).endsWith('/SKILL.md')) opened.push(String(path))
  }
  fs.openSync = (path, ...rest) => (note(path), openSync(path, ...rest))
  fs.open = Object.assign((...all: Parameters<typeof open>) => (note(all[0]), open(...all)), open)
  syncBuiltinESMExports()
  onTestFinished(() => {
    Object.assign(fs, { open, openSync })
    syncBuiltinESMExports()
  })
  const { stdout } = await runIn(['compat', '--json'], given)
  expect(JSON.parse(stdout).agents).toHaveLength(Object.keys(checkedAgainst).length)
  expect(opened.toSorted()).toEqual([...new Set(opened)].toSorted())
  expect(opened.filter(path => fs.existsSync(path))).toHaveLength(9)
})

test('names no path but those of the person', async () => {
  const copies = Object.fromEntries(
    ['one', 'two', 'three'].map(folder => [
      `work/.claude/skills/${folder}/SKILL.md`,
      skill('name: same\ndescription: Does the same.'),
    ]),
  )
  const given = project(copies)
  const { stdout } = await runIn(['compat', '--json'], given)
  expect(stdout).not.toContain('skills-compat-')
  const { skills } = JSON.parse(stdout) as Pick<Compat, 'skills'>
  const said = skills.flatMap(one => one.agents.flatMap(({ agent, problems }) => (agent === 'cline' ? problems : [])))
  expect(said.map(({ message }) => message)).toEqual([
    `"same" is overwritten by ${given.cwd}/.claude/skills/two/SKILL.md, which was found later.`,
    `"same" is overwritten by ${given.cwd}/.claude/skills/two/SKILL.md, which was found later.`,
  ])
})

describe('for other programs', () => {
  const named = ['compat', 'deploy', '--for', 'codex']

  test('it is JSON', async () => {
    const { stdout } = await runIn([...named, '--json'], project())
    expect(JSON.parse(stdout)).toMatchObject({
      agents: [{ name: 'codex', checked: { version: '0.171.0' }, lost: 1 }],
      skills: [{ name: 'deploy', agents: [{ agent: 'codex', found: 'elsewhere' }] }],
    })
  })

  test('SARIF with paths from the top of the project', async () => {
    const { stdout } = await runIn([...named, '--format', 'sarif'], project())
    const { version, runs } = JSON.parse(stdout)
    expect([version, runs[0].results[0].level, runs[0].results[1].locations[0].physicalLocation]).toEqual([
      '2.1.0',
      'error',
      {
        artifactLocation: { uri: '.claude/skills/deploy/SKILL.md', uriBaseId: 'ROOT' },
        region: { startLine: 4, startColumn: 1 },
      },
    ])
  })

  test('annotations of a workflow, and a table for a pull request', async () => {
    const { stdout } = await runIn([...named, '--format', 'github'], project())
    expect(stdout).toMatch(/^::error file=\.claude\/skills\/deploy\/SKILL\.md,title=agent-loses-skill::codex: /)
    const table = await runIn([...named, '--format', 'markdown'], project())
    expect(table.stdout).toContain('| skill | codex 0.171.0 |\n| --- | --- |\n| `deploy` | moved* |\n')
  })
})

describe('lint --for', () => {
  test('adds what agents make of the files to what lint finds', async () => {
    const { code, stdout } = await runIn(['lint', '--for', 'codex'], project())
    expect(code).toBe(1)
    expect(stdout).toMatch(/deploy\/SKILL\.md {2}error {2}codex: .*agent-loses-skill/)
    expect(stdout).not.toMatch(/review\/SKILL\.md.*agent-loses-skill/)
  })

  test('of a path looks at the files there, found by an agent or not', async () => {
    const { stdout } = await runIn(['lint', 'apart', '--for', 'codex'], {
      ...project({ 'work/apart/three/SKILL.md': skill('name: three\ndescription: Three.') }),
    })
    expect(stdout).toMatch(/^apart\/three\/SKILL\.md {2}error {2}codex: /)
    expect(stdout).not.toContain('deploy')
  })

  test('and --format give every finding to another program', async () => {
    const { stdout } = await runIn(['lint', '--format', 'github'], {
      ...project({ 'work/.claude/skills/odd/SKILL.md': skill('description: Reviews: all of it') }),
    })
    expect(stdout).toMatch(/^::warning file=\.claude\/skills\/odd\/SKILL\.md,line=2,col=14,title=unquoted-text::/m)
  })
})
