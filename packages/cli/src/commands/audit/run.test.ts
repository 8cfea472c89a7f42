import { describe, expect, onTestFinished, test } from 'vitest'
import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { plain, runIn } from '../../../test/console.js'

let tree: TempTree

/** Writes a tree that is removed at the end of the test, because some tests need several. */
function temporary(entries: TreeEntries): TempTree {
  const made = tempTree(entries)
  onTestFinished(() => made.dispose())
  return made
}

const calm = { '.claude/skills/calm/SKILL.md': '---\ndescription: x\n---\nSay hello.\n' }
const tools = {
  '.claude/skills/tools/SKILL.md':
    '---\ndescription: x\nallowed-tools: Read, Bash\n---\nSee https://example.com/a and https://example.com/b.\n',
}
const wild = {
  '.claude/skills/wild/SKILL.md': [
    '---',
    'description: x',
    'hooks:',
    '  PreToolUse:',
    '    - matcher: Bash',
    '      hooks:',
    '        - type: command',
    '          command: ./spy.sh',
    '---',
    'Now: !`date`',
    '',
  ].join('\n'),
  '.claude/skills/wild/spy.sh': 'echo\n',
}

async function audit(entries: TreeEntries, argv: readonly string[], isTerminal = false, columns = 80) {
  tree = temporary(entries)
  return runIn(['audit', ...argv], { cwd: tree.path, isTerminal, columns })
}

describe('without a name', () => {
  test('every skill has its highest level, the highest first, and one of the level high is exit code 1', async () => {
    expect(await audit({ ...calm, ...tools, ...wild }, [])).toEqual({
      code: 1,
      stdout:
        'wild\tproject\thigh\thook, embedded-command, script\ntools\tproject\tmedium\tany-command, allowed-tool, url\ncalm\tproject\tnone\t\n',
      stderr: expect.stringMatching(/^3 .*: 1 high, 1 medium\.\nskills: wild .* high\.\n$/) as string,
    })
  })

  test('a terminal gets a table that is cut to its width', async () => {
    const { stdout } = await audit({ ...calm, ...tools, ...wild }, [], true, 50)
    expect(plain(stdout).split('\n')).toEqual([
      'NAME   SOURCE   LEVEL   FINDINGS',
      'wild   project  high    hook, embedded-command, s…',
      'tools  project  medium  any-command, allowed-tool…',
      'calm   project  none',
      '',
    ])
  })

  test('nothing to look at is a failure unless it is allowed', async () => {
    expect(await audit({}, [])).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--allow-empty') })
    expect(await audit({}, ['--allow-empty'])).toEqual({ code: 0, stdout: '', stderr: '0 skills checked.\n' })
  })
})

describe('the level', () => {
  test.each([
    ['medium', 1],
    ['high', 0],
  ])('%s is exit code %i for a skill of the level medium', async (level, code) => {
    expect(await audit(tools, ['--level', level])).toMatchObject({ code })
  })

  test('counts for one skill too, and only for that', async () => {
    expect(await audit({ ...calm, ...wild }, ['calm', '--level', 'info'])).toMatchObject({ code: 0, stderr: '' })
    expect(await audit({ ...calm, ...wild }, ['wild'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^skills: wild .* high\.\n$/),
    })
  })

  test('that is none is not understood', async () => {
    expect(await audit(calm, ['--level', 'hihg'])).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/"hihg"\. .* high\? .*info, low, medium, high\.\n$/) as string,
    })
  })
})

describe('with a name', () => {
  test('each finding stands on a line with its place', async () => {
    expect((await audit(wild, ['/wild'])).stdout.split('\n')).toEqual([
      'wild  high  project',
      expect.stringMatching(/^\.claude\/skills\/wild\/SKILL\.md:5:7 {2}high {2}.* PreToolUse .*: \.\/spy\.sh {2}hook$/),
      expect.stringMatching(/^\.claude\/skills\/wild\/SKILL\.md:10:6 {2}medium {2}.*: date {2}embedded-command$/),
      expect.stringMatching(/^\.claude\/skills\/wild\/spy\.sh {2}low {2}.*: spy\.sh \(5 bytes\)\. {2}script$/),
      '',
    ])
  })

  test('that no one has is answered with the closest', async () => {
    expect(await audit(wild, ['wlid'])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/"wlid"\. .* wild\?\n$/) as string,
    })
  })

  test('of a skill that did not load says why', async () => {
    const { code, stderr } = await audit({ '.claude/skills/a/SKILL.md': '---\nuser-invocable: maybe\n---\nx' }, ['a'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/"a" .* invoked/)
  })
})

test('--json has every key of every finding', async () => {
  const { stdout } = await audit(tools, ['tools', '--json'])
  expect(JSON.parse(stdout)).toEqual({
    skills: [
      {
        name: 'tools',
        source: 'project',
        path: `${tree.path}/.claude/skills/tools/SKILL.md`,
        level: 'medium',
        findings: [
          expect.objectContaining({ level: 'medium', code: 'any-command', line: 3, column: 16, text: 'Bash' }),
          expect.objectContaining({ level: 'info', code: 'allowed-tool', line: 3, column: 16, text: 'Read' }),
          {
            level: 'info',
            code: 'url',
            message: 'Its text names example.com, 2 times.',
            path: `${tree.path}/.claude/skills/tools/SKILL.md`,
            line: 5,
            column: 5,
            text: 'example.com',
            agents: null,
          },
        ],
      },
    ],
    counts: { 'any-command': 1, 'allowed-tool': 1, url: 1 },
  })
})

test('what a skill says reaches a terminal only as something to read', async () => {
  const { stdout } = await audit(
    { '.claude/skills/a/SKILL.md': '---\ndescription: x\nmodel: "\\e[2J"\n---\n!`printf "\u001b[2J\u202e"`' },
    ['a'],
    true,
  )
  expect(plain(stdout)).toContain('<U+001B>[2J')
  // oxlint-disable-next-line no-control-regex -- none of them may be there
  expect(plain(stdout)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
})
