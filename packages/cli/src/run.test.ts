import { afterEach, describe, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { runIn } from '../test/console.js'
import { groups } from './arguments/groups.js'
import { commands } from './commands/index.js'

let tree: TempTree
afterEach(() => tree.dispose())

describe('global options', () => {
  test('--help is for the whole and for each command', async () => {
    tree = tempTree()
    const general = await runIn(['--help'], { cwd: tree.path })
    expect(general).toMatchObject({ code: 0, stderr: '' })
    for (const word of ['\n  list ', '\n  show NAME ', '\n  lint [PATH…] ', '\n  plugin … ', 'Exit codes'])
      expect(general.stdout).toContain(word)
    expect((await runIn(['help'], { cwd: tree.path })).stdout).toBe(general.stdout)
    const lint = await runIn(['lint', '-h'], { cwd: tree.path })
    expect(lint.stdout).toContain('--standard')
    expect((await runIn(['help', 'lint'], { cwd: tree.path })).stdout).toBe(lint.stdout)
    expect(await runIn(['help', 'lnt'], { cwd: tree.path })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/"lnt"\. .* lint\?\n$/),
    })
    const others = await Promise.all(
      ['show', 'new', 'listing'].map(command => runIn([command, '--help'], { cwd: tree.path })),
    )
    for (const line of [general, lint, ...others].flatMap(({ stdout }) => stdout.split('\n')))
      expect(line.length, line).toBeLessThanOrEqual(120)
  })

  test('--help is one screen, on which the daily commands come first', async () => {
    tree = tempTree()
    const { stdout } = await runIn(['--help'], { cwd: tree.path, isTerminal: true, columns: 80 })
    const lines = stdout.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(44)
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80)
    const titles = lines.flatMap((line, at) =>
      lines[at - 1] === '' && lines[at + 1]?.startsWith('  ') === true ? [line] : [],
    )
    expect(titles).toEqual(Object.values(groups))
    const shown = new Set(lines.flatMap(line => /^ {2}(\w+)/.exec(line)?.[1] ?? []))
    expect([...shown]).toEqual(
      [...new Set(commands.map(({ name }) => name.split(' ')[0]))].filter(name => name !== 'help'),
    )
  })

  test('the help of a command has the commands below it, and its synonyms', async () => {
    tree = tempTree()
    const runs = await runIn(['runs', '--help'], { cwd: tree.path })
    for (const { name } of commands.filter(one => one.name.startsWith('runs ')))
      expect(runs.stdout).toContain(`skills ${name} `)
    const removal = await runIn(['uninstall', '--help'], { cwd: tree.path })
    expect(removal.stdout).toContain('\nAlso:  skills rm, skills uninstall\n')
    expect((await runIn(['help', 'rm'], { cwd: tree.path })).stdout).toBe(removal.stdout)
  })

  test('a synonym is the command', async () => {
    tree = tempTree({ '.claude/skills/x/SKILL.md': '---\ndescription: x\n---\nx' })
    for (const [synonym, ...words] of [
      ['ls'],
      ['info', 'x'],
      ['rm', 'x'],
      ['install', ''],
      ['i', 'x'],
      ['find', 'x'],
      ['init', 'x'],
      ['validate'],
      ['upgrade'],
    ] as const) {
      const { name } = commands.find(one => one.synonyms?.includes(synonym)) ?? { name: '' }
      expect(await runIn([synonym, ...words], { cwd: tree.path })).toEqual(
        await runIn([name, ...words], { cwd: tree.path }),
      )
    }
  })

  test('the help of a command has the options that it takes', async () => {
    tree = tempTree()
    for (const [argv, own] of [
      [['help', 'plugin', 'check'], ['--npm']],
      [['plugin', '--help'], []],
    ] as const) {
      const { stdout } = await runIn(argv, { cwd: tree.path })
      expect(
        stdout
          .match(/^ {2}(?:-\w, )?--[\w-]+/gm)
          ?.map(one => one.trim())
          .filter(one => one !== '--json'),
      ).toEqual([...own, '--cwd', '--home', '--no-color', '--debug', '-h, --help', '-v, --version'])
    }
  })

  test('what is said beside the output breaks at words on a terminal, in every command and in errors', async () => {
    tree = tempTree({
      'home/x': '',
      'work/.git': { dir: true },
      'work/.claude/skills/a/SKILL.md': '---\ndescription: x\nallowed-tools: Read\n---\nx',
    })
    const at = {
      cwd: `${tree.path}/work`,
      home: `${tree.path}/home`,
      columns: 50,
      isTerminal: true,
      env: { NO_COLOR: '1' },
    }
    for (const argv of [
      ['trust'],
      ['run', 'a'],
      ['explain', 'unheard-of'],
      ['list', '--al'],
      ['lint', '--source-limit', '0'],
    ]) {
      // oxlint-disable-next-line no-control-regex -- on a slow machine the line of the progress comes and goes
      const stderr = (await runIn(argv, at)).stderr.replaceAll(/\r\u001b\[K(?:Looking[^\r]*)?/g, '')
      expect(stderr).toContain(' ')
      for (const line of stderr.split('\n')) expect(line.length > 50 && line.trim().includes(' '), line).toBe(false)
    }
  })

  test('--marketplace takes a marketplace alone', async () => {
    tree = tempTree({ 'a/x': '' })
    expect(await runIn(['list', '--marketplace', 'a'], { cwd: tree.path })).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(`^skills: ${tree.path}/a .*--marketplace .* \\.claude-plugin/marketplace\\.json\\.\n$`),
      ) as string,
    })
  })

  test('a paragraph of the help is broken once, at the width of the terminal', async () => {
    tree = tempTree()
    const { stdout } = await runIn(['help', 'new'], { cwd: tree.path, isTerminal: true, columns: 80 })
    expect(stdout).toContain('--user or --dir')
  })

  test('--version prints one line', async () => {
    tree = tempTree()
    expect(await runIn(['--version'], { cwd: tree.path })).toEqual({ code: 0, stdout: 'development\n', stderr: '' })
  })

  test('--cwd, --home and --add-dir are taken from where the process is, and must be there', async () => {
    tree = tempTree({
      'a/.claude/skills/x/SKILL.md': '---\ndescription: x\n---\nx',
      'h/.claude/skills/y/SKILL.md': '---\ndescription: y\n---\ny',
      'm/.claude/skills/z/SKILL.md': '---\ndescription: z\n---\nz',
      file: '',
    })
    const { stdout } = await runIn(['list', '--cwd', 'a', '--home=h', '--add-dir', 'm'], {
      cwd: tree.path,
      env: { CLAUDE_CONFIG_DIR: `${tree.path}/elsewhere` },
    })
    expect(stdout).toBe('y\tuser\ty\nx\tproject\tx\nz\tadditional\tz\n')
    for (const flag of ['--cwd', '--home', '--add-dir']) {
      expect(await runIn(['list', flag, 'nope'], { cwd: tree.path })).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(new RegExp(`^skills: .* ${tree.path}/nope .*${flag} .*\n$`)) as string,
      })
      expect(await runIn(['list', flag, 'file'], { cwd: tree.path })).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(new RegExp(`^skills: ${tree.path}/file .*${flag} .*\n$`)) as string,
      })
    }
  })

  test('CLAUDE_CONFIG_DIR counts unless --home is given', async () => {
    tree = tempTree({ 'config/skills/x/SKILL.md': '---\ndescription: x\n---\nx', work: { dir: true } })
    expect(
      (await runIn(['list'], { cwd: `${tree.path}/work`, env: { CLAUDE_CONFIG_DIR: `${tree.path}/config` } })).stdout,
    ).toBe('x\tuser\tx\n')
  })

  test('--debug adds the stack to an error, and nothing else does', async () => {
    tree = tempTree()
    const short = await runIn(['list', '--cwd', 'nope'], { cwd: tree.path })
    expect(short.stderr.split('\n')).toHaveLength(2)
    const long = await runIn(['list', '--cwd', 'nope', '--debug'], { cwd: tree.path })
    expect(long.code).toBe(2)
    expect(long.stderr).toMatch(/\n {4}at /)
  })
})

describe('giving up', () => {
  test.each([
    ['list'],
    ['show', 'x'],
    ['explain', 'x'],
    ['new', 'y'],
    ['lint'],
    ['listing'],
    ['render', 'x'],
    ['run', 'x'],
    [],
  ])('skills %s %s ends with 130 and says nothing', async (...argv) => {
    tree = tempTree({ '.claude/skills/x/SKILL.md': '---\ndescription: x\n---\nx' })
    const controller = new AbortController()
    controller.abort()
    expect(await runIn(argv, { cwd: tree.path, signal: controller.signal })).toEqual({
      code: 130,
      stdout: '',
      stderr: '',
    })
  })
})

describe('the end of a command', () => {
  test('is 1 for what is not there and 2 for arguments, in one sentence', async () => {
    tree = tempTree({ '.git': { dir: true }, '.claude/skills/a/SKILL.md': '---\ndescription: x\n---\nx' })
    const cwd = tree.path
    expect(await runIn(['explain', 'zzz'], { cwd })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/"zzz"\. skills list /),
    })
    for (const args of [
      ['help', 'lst'],
      ['listing', '--strategy', 'fare'],
      ['search', 'a', '--limit', '0'],
      ['audit', '--level', 'top'],
      ['new', 'A_b'],
      ['plugin', 'check', 'none'],
      ['explain', 'a', '--cwd', `${cwd}/nowhere/at/all`],
      ['list', '--cwd', `${cwd}/nowhere/at/all`],
    ]) {
      expect(await runIn(args, { cwd }), args.join(' ')).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^skills: .*\n$/),
      })
    }
  })
})

test('colours only what is asked for', async () => {
  tree = tempTree({ '.git': { dir: true }, '.claude/skills/a/SKILL.md': '---\ndescription: x\n---\nx' })
  const escape = '\u001b['
  const env = { FORCE_COLOR: '1' }
  expect((await runIn([], { cwd: tree.path })).stdout).not.toContain(escape)
  expect((await runIn([], { cwd: tree.path, env })).stdout).toContain(escape)
  expect((await runIn(['--no-color'], { cwd: tree.path, env })).stdout).not.toContain(escape)
})
