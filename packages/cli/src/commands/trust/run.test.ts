import { chmodSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { runIn, type Console } from '../../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

function project(): Console {
  tree = tempTree({
    home: { dir: true },
    'work/.git': { dir: true },
    'work/sub': { dir: true },
    'other/.git': { dir: true },
    'work/.claude/skills/a/SKILL.md': '---\ndescription: x\nallowed-tools: Read, Bash(git:*)\n---\n!`one` and !`two`',
    'work/.claude/skills/b/SKILL.md':
      '---\ndescription: x\nhooks:\n  PreToolUse: []\nallowed-tools: "Read, x\\u001b[2J"\n---\nx',
    'other/.claude/skills/c/SKILL.md': '---\ndescription: x\n---\n!`three`',
  })
  return { cwd: `${tree.path}/work/sub`, home: `${tree.path}/home` }
}

const yes: Pick<Console, 'answer'> = { answer: (_title, choices) => choices[1]?.value }
const listed = async (console: Console): Promise<readonly string[]> =>
  (await runIn(['trust', '--list'], console)).stdout
    .split('\n')
    .filter(line => line !== '')
    .map(line => line.replace(/\t.*/, '').replace(tree.path, ''))

describe('trusting', () => {
  test('shows what would be able to run, asks, and trusts the whole project', async () => {
    const console = project()
    const { code, stdout, stderr } = await runIn(['trust'], { ...console, ...yes })
    expect({ code, stdout }).toEqual({ code: 0, stdout: `Trusted: ${tree.path}/work\n` })
    expect(stderr).toBe(`${tree.path}/work
Trusting the folder switches on 2 items, as shown:
  a (skill: may do this when you type its name, when a rule allows it, or when you say yes; new) ${tree.path}/work/.claude/skills/a/SKILL.md
    | runs: one
    | runs: two
    | allows itself: Read, Bash(git:*)
  b (skill: may do this when you type its name, when a rule allows it, or when you say yes; new) ${tree.path}/work/.claude/skills/b/SKILL.md
    | allows itself: Read, x<U+001B>[2J
    | hooks: {"PreToolUse":[]}
You are asked separately about what is changed or added later. Folders below that were not searched are not part of your agreement.
`)
    expect(await listed(console)).toEqual(['/work'])
  })

  test('is for the folder that is named, from where one is, and shows what is there', async () => {
    const console = project()
    const { code, stderr } = await runIn(['trust', '../../other'], { ...console, ...yes })
    expect(code).toBe(0)
    expect(stderr).toMatch(/ 1 item, .*:\n {2}c \(skill/)
    expect(stderr).toContain('\n    | runs: three\n')
    expect(await listed(console)).toEqual(['/other'])
  })

  test('of a link is for where it leads, and says so', async () => {
    const console = project()
    tree.write({ 'work/link': { link: '../other' } })
    const { stderr } = await runIn(['trust', '../link'], { ...console, ...yes })
    expect(stderr).toMatch(new RegExp(`${tree.path}/work/link → ${tree.path}/other\n.* 1 item`))
    expect(await listed(console)).toEqual(['/other'])
  })

  test('under another distribution says that what is trusted is trusted for all, of which others may run more', async () => {
    const console = project()
    const { stderr } = await runIn(['trust', '--distribution', 'mini'], { ...console, ...yes })
    expect(stderr).toMatch(/^Nothing .* needs your agreement\.$/m)
    expect(stderr).toMatch(/^Trust .* mini: .*"skills trust --distribution standard"\.$/m)
    expect((await runIn(['trust', '../../other', '--distribution', 'mini'], console)).stderr).toContain(
      '"skills trust ../../other --distribution standard"',
    )
  })

  test('does not happen without a yes', async () => {
    const console = project()
    expect(await runIn(['trust'], console)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/Nothing is trusted, .* --yes\.\n$/),
    })
    expect(await runIn(['trust'], { ...console, answer: (_title, choices) => choices[0]?.value })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('skills: Nothing is trusted.\n'),
    })
    expect(await runIn(['trust'], { ...console, answer: () => undefined })).toMatchObject({ code: 130, stdout: '' })
    expect(await listed(console)).toEqual([])
  })

  test('without a yes takes nothing back that was agreed to', async () => {
    const console = project()
    await runIn(['trust', '--yes'], console)
    tree.write({ 'work/.claude/skills/a/SKILL.md': '---\ndescription: x\n---\n!`other`' })
    const no = {
      ...console,
      answer: (_title: string, choices: Parameters<NonNullable<Console['answer']>>[1]) => choices[0]?.value,
    }
    const kept = 'skills: Nothing more .* stays trusted .* 1 item agreed .*'
    expect(await runIn(['trust'], no)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`${kept}before\\.\n`)),
    })
    expect(await runIn(['trust'], console)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`${kept}before, `)),
    })
    expect(await listed(console)).toEqual(['/work'])
  })

  test('may be said beforehand', async () => {
    const console = project()
    const { stdout } = await runIn(['trust', '--yes', '--json'], console)
    expect(JSON.parse(stdout)).toEqual({
      path: `${tree.path}/work`,
      since: expect.stringMatching(/^\d{4}-.*Z$/),
      items: [
        expect.objectContaining({ kind: 'skill', label: 'a', state: 'agreed' }),
        expect.objectContaining({ label: 'b' }),
      ],
    })
    expect(JSON.parse((await runIn(['trust', '--list', '--json'], console)).stdout)).toMatchObject([
      { path: `${tree.path}/work` },
    ])
  })

  test('is remembered in the home folder that --home names', async () => {
    const console = project()
    await runIn(['trust', '--yes', '--home', '../../home'], {
      ...console,
      home: `${tree.path}/missing`,
      env: { XDG_STATE_HOME: `${tree.path}/elsewhere` },
    })
    expect(await listed(console)).toEqual(['/work'])
  })
})

describe('what cannot be trusted is an argument that is not accepted', () => {
  test.each([
    ['the home folder', '../../home'],
    ['the root', '/'],
    ['no folder', '../nowhere'],
    ['a file', '../.claude/skills/a/SKILL.md'],
  ])('%s', async (_what, path) => {
    const console = project()
    const questions: string[] = []
    for (const words of [['--yes'], [], ['--dry-run']]) {
      const { code, stdout, stderr } = await runIn(['trust', path, ...words], {
        ...console,
        answer: title => void questions.push(title),
      })
      expect({ code, stdout }, words.join()).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/^skills: .*trusted.*\n$/)
    }
    expect(questions).toEqual([])
    expect(await listed(console)).toEqual([])
  })

  test('a folder that everybody may write to', async () => {
    const console = project()
    chmodSync(`${tree.path}/work`, 0o777)
    expect(await runIn(['trust', '--yes'], console)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('everybody'),
    })
  })

  test.each([[['--list', 'x']], [['--list', '--revoke']], [['--list', '--yes']], [['--revoke', '--yes']]])(
    '%j',
    async words => {
      expect(await runIn(['trust', ...words], project())).toMatchObject({ code: 2, stdout: '' })
    },
  )
})

test.each([
  [['--list', '--distribution', 'mini'], '--distribution'],
  [['--list', '--add-dir', '.'], '--add-dir'],
  [['--revoke', '--plugin-dir', '.'], '--plugin-dir'],
] as const)('what says nothing about %j is refused', async (words, flag) => {
  const console = project()
  expect(await runIn(['trust', ...words], console)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(`${flag} has no effect`),
  })
  expect(await listed(console)).toEqual([])
})

describe('--revoke', () => {
  test('takes the trust away, also of a folder that is gone', async () => {
    const console = project()
    await runIn(['trust', '--yes'], console)
    await runIn(['trust', '../../other', '--yes'], console)
    tree.remove('other')
    expect(await runIn(['trust', '--revoke', '../../other'], console)).toEqual({
      code: 0,
      stdout: `No longer trusted: ${tree.path}/other\n`,
      stderr: '',
    })
    expect(await runIn(['trust', '--revoke'], console)).toMatchObject({ code: 0 })
    expect(await listed(console)).toEqual([])
    expect(await runIn(['trust', '--revoke'], console)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('was not trusted.'),
    })
  })

  test('says when the folder is trusted all the same', async () => {
    const console = project()
    await runIn(['trust', '--yes'], console)
    expect(await runIn(['trust', '--revoke', '.'], console)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`part of ${tree.path}/work.`),
    })
  })
})
