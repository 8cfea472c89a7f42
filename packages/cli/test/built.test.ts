import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { cleanEnv, program, runToEnd, skills, type Ended } from './built.js'

const many = 2_000
const skill = (description: string): string => `---\ndescription: ${description}\n---\nBody.\n`

let tree: TempTree
/** Options that keep the skills and settings of the current user out of the test. */
let home: readonly string[]
beforeAll(() => {
  tree = tempTree({
    home: { dir: true },
    'few/.git': { dir: true },
    'few/.claude/skills/a/SKILL.md': skill('Sound.'),
    'few/.claude/skills/b/SKILL.md': skill('Use it: now'),
    'few/.gitignore': 'out\n',
    'few/.agents/skills/c/SKILL.md': skill('With a sidecar.'),
    'few/.agents/skills/c/agents/openai.yaml': 'policy:\n  allow_implicit_invocation: false\n',
    'bad/.claude/skills/x/SKILL.md': '---\nuser-invocable: maybe\n---\nx',
    none: { dir: true },
    ...Object.fromEntries(
      Array.from({ length: many }, (_, at) => [
        `many/.claude/skills/skill-${at}/SKILL.md`,
        skill(`Number ${at}. ${'x'.repeat(300)}`),
      ]),
    ),
  })
  home = ['--home', `${tree.path}/home`]
})
afterAll(() => tree.dispose())

describe('the program', () => {
  test('lists, explains, checks and repairs with what it brings along', async () => {
    const cwd = `${tree.path}/few`
    const list = await skills(['list', '--json', ...home], { cwd })
    expect(list).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^3 skills · 1 warning: node .*skills\.cjs lint --home .*\n$/),
    })
    expect(JSON.parse(list.stdout)).toMatchObject([
      { name: 'a' },
      { name: 'b', description: 'Use it: now' },
      { name: 'c', disableModelInvocation: true },
    ])
    expect(await skills(['explain', 'b', ...home], { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('warning'),
    })
    expect(await skills(['lint', '.', '.claude/**/SKILL.md', ...home], { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/3 files checked: 1 warning\. 1 /),
    })
    cpSync(cwd, `${tree.path}/copy`, { recursive: true })
    expect(await skills(['lint', '--fix', ...home], { cwd: `${tree.path}/copy` })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 repaired: no problems'),
    })
    expect((await skills(home, { cwd })).stdout).toContain('3 skills active')
  })

  test('shows a skill, writes one and a plugin, and finds nothing wrong with them', async () => {
    const cwd = `${tree.path}/empty`
    tree.write({ empty: { dir: true } })
    expect(await skills(['new', 'made', '--description', 'Use it: now', ...home], { cwd })).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^\.claude\/skills\/made\/SKILL\.md\n/),
    })
    expect(await skills(['new', 'made', ...home], { cwd })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(' .claude/skills/made '),
    })
    expect(await skills(['new', 'more', '--plugin', ...home], { cwd })).toMatchObject({ code: 0, stderr: '' })
    expect(await skills(['lint', '--standard', '.', ...home], { cwd })).toMatchObject({
      code: 0,
      // The texts of a new skill are to be replaced.
      stdout: expect.stringMatching(/\n2 files checked: 2 warnings\.\n$/) as string,
    })
    expect(await skills(['show', 'made', '--deps', ...home], { cwd })).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('  description    Use it: now\n\nRequires\n  nothing\n\nBody\n\n# made\n'),
    })
    const { stdout } = await skills(['show', 'made', '--json', ...home], { cwd })
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'made',
      body: expect.stringMatching(/^\n# made\n/),
      files: { entries: [] },
    })
  })

  test('ends with 1 for findings and 2 for arguments, in one sentence', async () => {
    expect(await skills(['lint', ...home], { cwd: `${tree.path}/bad` })).toMatchObject({ code: 1, stderr: '' })
    expect(await skills(['lst'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/"lst"\. .* list\?\n$/),
    })
  })

  test('tells its version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string
    }
    expect((await skills(['--version'])).stdout).toBe(`${version}\n`)
  })

  test('can be run as it is', async () => {
    expect(statSync(program).mode & 0o111).toBe(0o111)
    expect((await runToEnd(program, ['--version'])).code).toBe(0)
  })

  test.each([
    ['an installation', 'bin/skills', undefined, 'skills'],
    ['its other name', 'bin/agent-skills', undefined, 'agent-skills'],
    ['npx in a project that has it', 'few/node_modules/.bin/skills', 'exec', 'npx skills'],
    ['a script of a project', 'few/node_modules/.bin/agent-skills', 'run-script', 'npx agent-skills'],
    ['npx that fetched it', '.npm/_npx/1f2e/node_modules/.bin/skills', 'exec', 'npx @skills/cli'],
  ])('names itself in what it proposes as it was started: %s', async (_, path, command, name) => {
    tree.write({ [path]: { link: program } })
    const { stderr } = await runToEnd(process.execPath, [`${tree.path}/${path}`, 'list', ...home], {
      cwd: `${tree.path}/few`,
      env: cleanEnv({ npm_command: command }),
    })
    expect(stderr).toContain(` warning: ${name} lint --home `)
  })

  test('fails, and says so, where it never comes to its end', async () => {
    tree.write({
      'stuck/.git': { dir: true },
      'stuck/stuck.mjs': 'await new Promise(() => {})\n',
      // Otherwise the timer that limits loading a module would keep the process alive.
      'stuck/unheld.cjs': 'const set = setTimeout\nglobalThis.setTimeout = (...args) => set(...args).unref()\n',
    })
    const cwd = `${tree.path}/stuck`
    const distribution = ['--distribution', './stuck.mjs', ...home]
    expect(await skills(['trust', '--yes', ...distribution], { cwd })).toMatchObject({ code: 0 })
    const env = cleanEnv({ NODE_OPTIONS: `--require ${cwd}/unheld.cjs` })
    expect(await skills(['list', ...distribution], { cwd, env })).toMatchObject({
      code: 1,
      stderr: 'skills: The command stopped before it was done. Please report this.\n',
    })
  })

  test('says so where the folder it was started in is gone', async () => {
    const { code, stdout, stderr } = await runToEnd(
      'sh',
      ['-c', `mkdir gone && cd gone && rmdir ../gone && "${process.execPath}" "${program}" ${home.join(' ')}`],
      { cwd: tree.path },
    )
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^skills: The working folder .* --cwd\.\n$/),
    })
  })

  test('runs an embedded command where the command line says, though the folder it was started in is gone', async () => {
    tree.write({
      'p/.git': { dir: true },
      'p/.claude/skills/deploy/SKILL.md': '---\ndescription: Deploys.\n---\nRun !`date`\n',
    })
    const cwd = `${tree.path}/p`
    const from = (args: string): Promise<Ended> =>
      runToEnd(
        'sh',
        [
          '-c',
          `mkdir gone && cd gone && rmdir ../gone && "${process.execPath}" "${program}" ${args} ${home.join(' ')}`,
        ],
        { cwd: tree.path },
      )
    expect(await from(`list --cwd ${cwd}`)).toMatchObject({ code: 0, stdout: 'deploy\tproject\tDeploys.\n' })
    expect(await from(`trust --yes --cwd ${cwd}`)).toMatchObject({ code: 0 })
    expect(await from(`run deploy --yes --cwd ${cwd}`)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Run \w+ \w+ /),
    })
    expect(await from('list --cwd ../p')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^skills: The working folder .* --cwd .* absolute path: \.\.\/p .*\n$/),
    })
  })
})

describe('output', () => {
  test('of any length arrives whole, however slowly it is read', async () => {
    const { code, stdout } = await runToEnd(
      'sh',
      ['-c', `"${process.execPath}" "${program}" list --json ${home.join(' ')} | (sleep 0.5; cat)`],
      { cwd: `${tree.path}/many` },
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toHaveLength(many)
  })

  test('arrives whole through a pipe that does not block', async () => {
    writeFileSync(`${tree.path}/unblock.cjs`, 'process.stdout._handle.setBlocking(false)')
    const { code, stdout, stderr } = await runToEnd(
      'sh',
      [
        '-c',
        `"${process.execPath}" -r ${tree.path}/unblock.cjs "${program}" list --json ${home.join(' ')} | (sleep 0.5; cat)`,
      ],
      { cwd: `${tree.path}/many` },
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toHaveLength(many)
  })

  test('that no one reads on ends quietly and without failure', async () => {
    const line = `set -o pipefail; "${process.execPath}" "${program}" list ${home.join(' ')} | head -1`
    const { code, stdout, stderr } = await runToEnd('bash', ['-c', line], { cwd: `${tree.path}/many` })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n')).toHaveLength(2)
  })

  test('onto a full disk is an error in one sentence', async () => {
    const { code, stderr } = await runToEnd(
      'sh',
      ['-c', `"${process.execPath}" "${program}" list ${home.join(' ')} > /dev/full`],
      { cwd: `${tree.path}/few` },
    )
    expect(code).toBe(1)
    expect(stderr).toMatch(/^skills: .*ENOSPC.*\n$/)
  })
})

test('a watch ends once no one reads what it prints', async () => {
  tree.write({ 'watched/.claude/skills/a/SKILL.md': skill('One.') })
  const child = spawn(process.execPath, [program, 'watch', ...home], {
    cwd: `${tree.path}/watched`,
    env: cleanEnv(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  await once(child.stdout, 'data')
  child.stdout.destroy()
  tree.write({ 'watched/.claude/skills/b/SKILL.md': skill('Two.') })
  expect(await ended).toEqual([0, null])
})

describe('an interruption', () => {
  test('ends the run with 130 and without a word', async () => {
    writeFileSync(`${tree.path}/interrupt.cjs`, "setImmediate(() => process.kill(process.pid, 'SIGINT'))")
    const child = await runToEnd(process.execPath, ['-r', `${tree.path}/interrupt.cjs`, program, 'list', ...home], {
      cwd: `${tree.path}/many`,
    })
    expect(child).toEqual({ code: 130, signal: null, stdout: '', stderr: '' })
  })

  test.runIf(process.platform !== 'win32').for(['SIGTERM', 'SIGHUP'] as const)(
    'is ended by %s where no one reads on what it writes',
    async signal => {
      const child = spawn(process.execPath, [program, 'list', '--json', ...home], {
        cwd: `${tree.path}/many`,
        env: cleanEnv(),
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      const closed = once(child, 'exit')
      // The program has begun to write more than a pipe holds.
      await once(child.stdout, 'readable')
      child.kill(signal)
      expect(await closed).toEqual([null, signal])
      child.stdout.destroy()
    },
  )

  test.runIf(process.platform !== 'win32').for([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('by %s just as a watch prints its first line ends it with %i', async ([signal, code]) => {
    const preload = 'const fs = require("node:fs"); const { writeSync } = fs; fs.writeSync = (...given) => {'
    const kill = `process.kill(process.pid, "${signal}"); return writeSync(...given) }`
    writeFileSync(`${tree.path}/first-line-${signal}.cjs`, preload + kill)
    const args = ['-r', `${tree.path}/first-line-${signal}.cjs`, program, 'watch', ...home]
    const ended = await runToEnd(process.execPath, args, { cwd: `${tree.path}/few` })
    expect(ended).toMatchObject({ code, signal: null, stderr: '' })
  })

  test.runIf(process.platform !== 'win32')('is ended by SIGTERM where a configuration keeps the process', async () => {
    tree.write({ 'kept/.config/skills/skills.config.mjs': 'setInterval(() => {}, 1000)\nexport default {}\n' })
    // The first signal comes while the command works, or after it if the command is done by then.
    for (const at of ['', "setImmediate(() => process.kill(process.pid, 'SIGTERM'))"]) {
      writeFileSync(`${tree.path}/kept/at.cjs`, at)
      const args = ['-r', `${tree.path}/kept/at.cjs`, program, 'list', '--home', `${tree.path}/kept`]
      const child = spawn(process.execPath, args, {
        cwd: `${tree.path}/few`,
        env: cleanEnv(),
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      const closed = once(child, 'exit')
      if (at === '') {
        await once(child.stderr, 'data')
        child.kill('SIGTERM')
      }
      expect(await closed).toEqual([143, null])
    }
  })

  test.runIf(process.platform !== 'win32').for([
    ['SIGTERM', 143, 'run'],
    ['SIGHUP', 129, 'run'],
    ['SIGINT', 130, 'run'],
    ['SIGTERM', 143, 'render'],
  ] as const)('by %s ends with %i, and what %s had started with it', async ([signal, code, command]) => {
    const file = `${tree.path}/few/pid-${signal}-${command}`
    tree.write({
      'slow/.claude/skills/slow/SKILL.md': `---\ndescription: Slow.\n---\n!\`echo $$ >${file}; sleep 72.01; echo after\`\n`,
    })
    const args = [program, command, 'slow', '--yes', '--home', `${tree.path}/slow`]
    const child = spawn(process.execPath, args, { cwd: `${tree.path}/few`, env: cleanEnv(), stdio: 'ignore' })
    const closed = once(child, 'close')
    await expect
      .poll(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'), { timeout: 10_000 })
      .toBe(true)
    const group = Number(readFileSync(file, 'utf8'))
    expect(() => process.kill(-group, 0)).not.toThrow()
    child.kill(signal)
    expect(await closed).toEqual([code, null])
    // After its parent has ended, a dead process stays in the process table for a moment.
    await expect
      .poll(
        () => {
          try {
            return process.kill(-group, 0)
          } catch (error) {
            return String(error)
          }
        },
        { timeout: 10_000 },
      )
      .toContain('ESRCH')
  })
})

describe.runIf(process.getuid?.() === 0)('a user who may not read everything', () => {
  /** Copy of the program that any user may run, even if the repository is private. */
  let copy: string
  beforeAll(() => {
    copy = `${tree.path}/program`
    cpSync(dirname(program), copy, { recursive: true })
    tree.write({
      'shut/.claude/skills/open/SKILL.md': skill('Open.'),
      'shut/.claude/skills/closed/SKILL.md': skill('Closed.'),
      'ro/a/SKILL.md': skill('Use it: now'),
    })
    for (const path of [
      '',
      '/shut',
      '/shut/.claude',
      '/shut/.claude/skills',
      '/shut/.claude/skills/open',
      '/ro',
      '/ro/a',
      '/home',
    ])
      chmodSync(`${tree.path}${path}`, 0o755)
    chmodSync(`${tree.path}/shut/.claude/skills/closed`, 0o700)
  })
  const asOtherUser = (args: readonly string[]) =>
    runToEnd(process.execPath, [`${copy}/skills.cjs`, ...args, ...home], { uid: 65534, gid: 65534, cwd: tree.path })

  test('gets what they may read, and is told what not', async () => {
    const list = await asOtherUser(['list', '--cwd', 'shut'])
    expect(list).toMatchObject({
      code: 0,
      stdout: 'open\tproject\tOpen.\n',
      stderr: expect.stringMatching(/^1 skill · 1 error: .* lint --cwd shut --home .*\n$/),
    })
    const lint = await asOtherUser(['lint', 'shut'])
    expect(lint.code).toBe(1)
    expect(lint.stdout).toMatch(/shut\/\.claude\/skills\/closed {2}error {2}/)
    chmodSync(`${tree.path}/shut/.claude/skills`, 0o700)
    expect((await asOtherUser(['--cwd', 'shut'])).stdout).toMatch(/shut\/\.claude\/skills {2}project {2}unreadable/)
    chmodSync(`${tree.path}/shut/.claude/skills`, 0o755)
  })

  test('cannot write a skill where they may not, and leaves nothing', async () => {
    expect(await asOtherUser(['new', 'mine', '--dir', 'ro/deep'])).toEqual({
      code: 1,
      signal: null,
      stdout: '',
      stderr: expect.stringMatching(/^skills: ro\/deep\/mine could not be made: you do not have permission\. .*\n$/),
    })
    expect(readdirSync(`${tree.path}/ro`)).toEqual(['a'])
  })

  test('cannot repair what is not theirs, and nothing is lost', async () => {
    const { code, stdout } = await asOtherUser(['lint', 'ro', '--fix'])
    expect(code).toBe(1)
    expect(stdout).toContain(' ro/a/SKILL.md ')
    expect(readFileSync(`${tree.path}/ro/a/SKILL.md`, 'utf8')).toBe(skill('Use it: now'))
  })
})
