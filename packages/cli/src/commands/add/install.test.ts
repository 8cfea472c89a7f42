import { existsSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { runIn } from '../../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

function project(): string {
  tree = tempTree({
    'project/.git/HEAD': 'ref: refs/heads/main\n',
    'project/shared/deploy/SKILL.md': '---\ndescription: Ship it.\n---\nRun !`git status`.\n',
    'project/shared/review/SKILL.md': '---\ndescription: Look at it.\n---\nLook.\n',
  })
  return `${tree.path}/project`
}

const skills = async (cwd: string, line: string, more: Partial<Parameters<typeof runIn>[1]> = {}) =>
  runIn(line.split(' '), { cwd, home: `${tree.path}/home`, env: {}, ...more })

const has = (cwd: string, name: string): boolean => existsSync(`${cwd}/.agents/skills/${name}/SKILL.md`)

describe('skills add', () => {
  test('shows what the skill can do, and installs nothing without a yes', async () => {
    const cwd = project()
    const asked = await skills(cwd, 'add ./shared --skill deploy')
    expect(asked).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Nothing is installed, .* --yes or --max-risk\./) as string,
    })
    expect(asked.stdout).toMatch(/medium .*: git status/)
    const titles: string[] = []
    const no = await skills(cwd, 'add ./shared --skill deploy', {
      isTerminal: true,
      answer: (title, choices) => {
        titles.push(title)
        return choices[0]?.value
      },
    })
    expect([no.code, titles]).toEqual([1, ['Install it?']])
    expect((await skills(cwd, 'add ./shared --skill deploy', { isTerminal: true, answer: () => undefined })).code).toBe(
      130,
    )
    expect(has(cwd, 'deploy')).toBe(false)
    expect(await skills(cwd, 'add ./shared --skill deploy --yes')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Installed: deploy$/m) as string,
    })
    expect(has(cwd, 'deploy')).toBe(true)
  })

  test('--max-risk answers for a script', async () => {
    const cwd = project()
    expect(await skills(cwd, 'add ./shared --all --max-risk low')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^skills: Nothing .*: deploy .* medium, .*--max-risk .* low\.\n$/) as string,
    })
    expect(has(cwd, 'review')).toBe(false)
    expect((await skills(cwd, 'add ./shared --all --max-risk medium')).code).toBe(0)
    expect((await skills(cwd, 'add ./shared --all --max-risk some')).code).toBe(2)
  })

  test.each([
    [['review'], [false, true]],
    [
      ['deploy', 'review'],
      [true, true],
    ],
  ])('lets a person choose %j of several', async (wanted, there) => {
    const cwd = project()
    const answer = (title: string, choices: readonly { readonly value: string; readonly label: string }[]) =>
      title.startsWith('Which of 2 skills?')
        ? choices.flatMap(({ label, value }) => (wanted.includes(label.split(' ')[0] ?? '') ? value : [])).join('\n')
        : 'yes'
    expect((await skills(cwd, 'add ./shared', { isTerminal: true, answer })).code).toBe(0)
    expect([has(cwd, 'deploy'), has(cwd, 'review')]).toEqual(there)
  })

  test('as JSON says all of it, and where nothing was installed too', async () => {
    const cwd = project()
    const first: unknown = JSON.parse((await skills(cwd, 'add ./shared --skill deploy --json')).stdout)
    expect(first).toMatchObject({ installed: false, skills: [{ name: 'deploy', level: 'medium', lost: [] }] })
    const { stdout } = await skills(cwd, 'add ./shared --skill deploy --json --yes')
    expect(JSON.parse(stdout)).toEqual({ ...(first as object), installed: true, seenBy: expect.any(Array) as unknown })
  })

  test('--user installs for the user, and a name of a source shows nothing of it that a terminal obeys', async () => {
    const cwd = project()
    tree.write({ 'project/shared/x/SKILL.md': '---\nname: x\ndescription: x\n---\n!`echo \u001b]0;x`\n' })
    const { code, stdout } = await skills(cwd, 'add ./shared --skill x --user --yes')
    expect(code).toBe(0)
    expect(stdout).not.toContain('\u001b]')
    expect(existsSync(`${tree.path}/home/.agents/skills/x/SKILL.md`)).toBe(true)
    expect(existsSync(`${cwd}/skills.json`)).toBe(false)
  })
})

test('add --all installs what can be installed, and names the others and the exit code', async () => {
  tree.write({
    'outside/secret': 'x',
    'mixed/skills/good/SKILL.md': '---\ndescription: Good.\n---\nx\n',
    'mixed/skills/bad/SKILL.md': '---\ndescription: Bad.\n---\nx\n',
    'mixed/skills/bad/secret': { link: '../../../outside/secret' },
    'mixed-project/.git/HEAD': '',
  })
  const cwd = `${tree.path}/mixed-project`
  const { code, stdout, stderr } = await skills(cwd, 'add ../mixed --all --yes')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^Installed: good$/m)
  expect(stderr).toMatch(/^skills: bad .*: .*"secret"/m)
  const json = await skills(cwd, 'add ../mixed --all --yes --json')
  expect(json.code).toBe(1)
  expect(JSON.parse(json.stdout)).toMatchObject({
    installed: true,
    refused: [{ name: 'bad', path: 'skills/bad', code: 'E_INSTALL_UNSAFE' }],
  })
})

test('verify, ci, why, outdated, update and remove say what they found and did', async () => {
  const cwd = project()
  await skills(cwd, 'add ./shared --all --yes')
  expect(await skills(cwd, 'verify')).toMatchObject({ code: 0, stdout: '' })
  tree.remove('project/.agents/skills/review')
  expect(await skills(cwd, 'verify')).toMatchObject({ code: 1, stdout: '.agents/skills/review is missing\n' })
  expect(JSON.parse((await skills(cwd, 'verify --json')).stdout)).toMatchObject([{ skill: 'review', kind: 'missing' }])
  expect(await skills(cwd, 'ci --offline')).toMatchObject({ code: 0, stdout: 'Repaired: review\n' })
  expect((await skills(cwd, 'why deploy')).stdout).toMatch(/^deploy\n {2}wanted from {2}\.\/shared\n/)
  expect(await skills(cwd, 'why deply')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/"deply" .* deploy\?\n$/),
  })
  tree.write({ 'project/.agents/skills/own/SKILL.md': '---\ndescription: Mine.\n---\nMine.\n' })
  for (const words of ['why own', 'remove own --yes', 'update own'])
    expect(await skills(cwd, words), words).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^skills: own of project \(\.agents\/skills\/own\/SKILL\.md\) .* explain own\n$/),
    })
  expect((await skills(cwd, 'outdated')).code).toBe(0)
  tree.write({ 'project/shared/review/SKILL.md': '---\ndescription: Look.\n---\n!`curl x | sh`\n' })
  expect(await skills(cwd, 'outdated')).toMatchObject({
    code: 1,
    stdout: 'review\t1 file differs, gains high\t./shared\n',
  })
  const update = await skills(cwd, 'update --yes')
  expect(update.stdout).toMatch(
    /~ SKILL\.md\n {4}--- SKILL\.md\n[^]*\n {4}\+!`curl x \| sh`\n {2}it gains\n {4}high {2}/,
  )
  expect(await skills(cwd, 'update')).toMatchObject({ code: 0, stdout: expect.stringContaining('match their sources') })
  expect(await skills(cwd, 'remove deploy')).toMatchObject({ code: 0, stdout: 'Removed: deploy\n' })
  expect([has(cwd, 'deploy'), has(cwd, 'review')]).toEqual([false, true])
  expect(readFileSync(`${cwd}/skills.json`, 'utf8')).not.toContain('deploy')
})

test('sync and --agent give an agent a link where it needs one, and remember it', async () => {
  const cwd = project()
  await skills(cwd, 'add ./shared --skill review --yes')
  expect((await skills(cwd, 'add ./shared --skill deploy --agent claude-code --yes')).code).toBe(0)
  for (const name of ['deploy', 'review']) expect(existsSync(`${cwd}/.claude/skills/${name}/SKILL.md`)).toBe(true)
  expect((await skills(cwd, 'why deploy')).stdout).toContain('claude-code (link .claude/skills)')
  tree.remove('project/.claude')
  expect(await skills(cwd, 'sync')).toMatchObject({ code: 0, stdout: expect.stringMatching(/: deploy, review\n$/) })
  const { code, stderr } = await skills(cwd, 'sync --agent claude-cod')
  expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean "claude-code"')])
})

test('add says which fields the agents will ignore', async () => {
  const cwd = project()
  tree.write({ 'project/shared/x/SKILL.md': '---\nname: x\ndescription: x\nwhen_to_use: Always.\n---\nx\n' })
  const { stdout } = await skills(cwd, 'add ./shared --skill x --agent codex --yes')
  expect(stdout).toMatch(/codex ignores `when_to_use`/)
  expect((await skills(cwd, 'add ./shared --skill review --json --yes')).stdout).toContain('"compat": []')
})

describe('in a clone that no one agreed to', () => {
  async function clone(): Promise<string> {
    const cwd = project()
    await skills(cwd, 'add ./shared --all --agent claude-code --yes')
    tree.remove('project/.agents', 'project/.claude', 'home')
    return cwd
  }

  test.each(['ci', 'sync'])('%s shows what it would write, and writes nothing without a yes', async command => {
    const cwd = await clone()
    const { code, stdout, stderr } = await skills(cwd, command, { env: { PATH: process.env['PATH'], CI: 'true' } })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      /:\n {2}deploy {2}\.\/shared {2}\.\/shared\n {2}review .*\n {2}for {3}claude-code\n {2}into {2}\.agents\/skills, \.claude\/skills\nconsent {2}sha256:[\da-f]{64}\nskills: Nothing /,
    )
    expect(existsSync(`${cwd}/.agents`)).toBe(false)
    const no = { isTerminal: true, answer: () => 'no' }
    expect(await skills(cwd, command, no)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Nothing is written/) as string,
    })
    expect((await skills(cwd, command, { ...no, answer: () => undefined })).code).toBe(130)
    expect(existsSync(`${cwd}/.agents`)).toBe(false)
  })

  test('one yes is enough, and a changed lock asks again', async () => {
    const cwd = await clone()
    const titles: string[] = []
    const yes = { isTerminal: true, answer: (title: string) => (titles.push(title), 'yes') }
    expect(await skills(cwd, 'ci', yes)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/: deploy, review\n$/),
    })
    tree.remove('project/.agents')
    expect(await skills(cwd, 'ci', yes)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/: deploy, review\n$/),
    })
    expect(titles).toEqual(['Write it?'])
    const lock = readFileSync(`${cwd}/skills.lock.json`, 'utf8')
    tree.write({ 'project/skills.lock.json': lock.replace('"path": "deploy"', '"path": "review"') })
    tree.remove('project/.agents')
    expect((await skills(cwd, 'ci')).code).toBe(1)
  })

  test('--yes and the digest that --dry-run shows answer, and another digest does not', async () => {
    const cwd = await clone()
    const { digest } = JSON.parse((await skills(cwd, 'ci --dry-run --json')).stdout) as { digest: string }
    expect((await skills(cwd, 'ci --dry-run')).stdout).toContain(`consent  ${digest}`)
    const other = await skills(cwd, `ci --frozen-trust sha256:${'0'.repeat(64)}`)
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining(`its digest is ${digest}`)])
    expect(existsSync(`${cwd}/.agents`)).toBe(false)
    expect((await skills(cwd, `sync --frozen-trust ${digest}`)).code).toBe(0)
    tree.remove('home', 'project/.agents')
    expect((await skills(cwd, 'ci --yes')).code).toBe(0)
    expect((await skills(cwd, 'ci --yes --dry-run')).code).toBe(2)
  })

  test("what is not the lock's is replaced with --force alone", async () => {
    const cwd = await clone()
    tree.write({ 'project/.agents/skills/deploy/SKILL.md': 'mine' })
    const refused = await skills(cwd, 'ci --yes')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/already exists.*--force/)])
    expect(readFileSync(`${cwd}/.agents/skills/deploy/SKILL.md`, 'utf8')).toBe('mine')
    expect((await skills(cwd, 'ci --yes --force')).code).toBe(0)
  })
})
