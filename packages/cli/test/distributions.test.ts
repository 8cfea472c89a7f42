import { readdirSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkedAgainst } from '@skills/distributions'
import { distributionNames } from '@skills/distributions/distribution-named'
import type { Checked } from '@skills/distributions/internal'
import { tempTree, type TempTree } from '@skills/testing'
import { runIn, type Ran } from './console.js'

const skill = (description: string, more = ''): string => `---\ndescription: ${description}\n${more}---\nBody.\n`
const named = (name: string, description = 'Named.'): string => skill(description, `name: ${name}\n`)

let tree: TempTree
beforeAll(() => {
  tree = tempTree({
    'home/.claude/skills/twice/SKILL.md': named('twice', 'Of the user.'),
    'home/.config/opencode/skill/global/SKILL.md': named('global'),
    'home/all/.claude/skills/above/SKILL.md': named('above'),
    'home/all/repo/.git': { dir: true },
    'home/all/repo/.claude/skills/outer/SKILL.md': named('outer'),
    'home/all/repo/work/.claude/skills/twice/SKILL.md': named('twice', 'Of the project.'),
    'home/all/repo/work/.claude/skills/folder/SKILL.md': named('field'),
    'home/all/repo/work/.claude/skills/group/deep/SKILL.md': named('deep'),
    'home/all/repo/work/.claude/skills/plain/SKILL.md': skill('Without a name.'),
    'home/all/repo/work/.claude/commands/old.md': skill('Legacy.'),
    'home/all/repo/work/.agents/skills/agent/SKILL.md': named('agent'),
    'home/all/repo/work/.opencode/skills/oc/SKILL.md': named('oc'),
  })
})
afterAll(() => tree.dispose())

function run(args: readonly string[], folder = 'home/all/repo/work', home = 'home'): Promise<Ran> {
  return runIn([...args, '--home', `${tree.path}/${home}`], { cwd: `${tree.path}/${folder}` })
}

/** Returns the names in a list, each with its source unless that is the project. */
function namesIn({ stdout }: Ran): readonly string[] {
  return stdout
    .split('\n')
    .filter(line => line !== '')
    .map(line => line.split('\t'))
    .map(([name = '', source = '']) => (source === 'project' ? name : `${name} of ${source}`))
    .toSorted()
}

const versions: Readonly<Record<string, Checked>> = checkedAgainst
const withVersion = (name: string): string =>
  versions[name] === undefined ? name : `${name} (${versions[name].version})`

/** Names that each distribution lists, and the text of the skill that has the name `twice`. */
const expected: Readonly<Record<string, { readonly names: readonly string[]; readonly twice?: string }>> = {
  standard: {
    names: ['agent', 'deep', 'folder', 'old', 'outer', 'plain', 'twice of user', 'work:twice'],
    twice: 'Of the user.',
  },
  'claude-code': { names: ['folder', 'old', 'outer', 'plain', 'twice of user'], twice: 'Of the user.' },
  'claude-code-2026q1': { names: ['above', 'folder', 'old', 'outer', 'plain', 'twice of user'], twice: 'Of the user.' },
  'claude-code-classic': { names: ['folder', 'old', 'plain', 'twice of user'], twice: 'Of the user.' },
  opencode: {
    names: ['agent', 'deep', 'field', 'global of configuration', 'oc of configuration', 'outer', 'twice of user'],
    twice: 'Of the user.',
  },
  'opencode-classic': {
    names: ['deep', 'field', 'global of configuration', 'oc of configuration', 'outer', 'twice of user'],
    twice: 'Of the user.',
  },
  codex: { names: ['agent'] },
  'gemini-cli': { names: ['agent'] },
  pi: { names: ['agent'] },
  'copilot-cli': { names: ['agent', 'deep', 'field', 'outer', 'plain', 'twice'], twice: 'Of the project.' },
  kilo: { names: ['agent', 'deep', 'field', 'outer', 'twice'], twice: 'Of the project.' },
  'qwen-code': { names: ['agent'] },
  // It looks at the root of the repository alone.
  'kimi-code': { names: [] },
  cline: { names: [] },
  openclaw: { names: ['agent'] },
  openskills: { names: ['folder', 'plain', 'twice'], twice: 'Of the project.' },
  'vercel-skills': { names: ['agent', 'field', 'twice', 'user:twice of user'], twice: 'Of the project.' },
  mini: { names: ['field', 'plain', 'twice'], twice: 'Of the project.' },
  cocode: { names: ['deep', 'folder', 'plain', 'twice of user'], twice: 'Of the user.' },
}

describe('--distribution', () => {
  test.each(Object.entries(expected))('%s finds what that one finds', async (name, { names, twice }) => {
    const list = await run(['list', '--all', '--distribution', name])
    expect(list.code).toBe(0)
    const there = {
      ...list,
      stdout: list.stdout
        .split('\n')
        .filter(line => /\t(active|qualified)$/.test(line))
        .join('\n'),
    }
    expect(namesIn(there)).toEqual(names)
    expect(/^twice\t(?:user|project)\t(.*)\tactive$/m.exec(list.stdout)?.[1]).toBe(twice)
  })

  test('is standard where no one says anything', async () => {
    expect((await run(['list', '--json'])).stdout).toBe(
      (await run(['list', '--json', '--distribution=standard'])).stdout,
    )
  })

  test('that there is not is one sentence with those that there are and the closest, and exit code 1', async () => {
    const all = `"opencode"? There are ${distributionNames.map(withVersion).join(', ')}. `
    for (const command of ['list', 'overview', 'explain', 'listing']) {
      expect(
        await run([
          ...(command === 'overview' ? [] : [command]),
          ...(command === 'explain' ? ['twice'] : []),
          '--distribution',
          'opencod',
        ]),
      ).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(all) as string })
    }
    expect((await run(['list', '--distribution', 'constructor'])).stderr).toMatch(/"constructor"\. /)
    expect((await run(['list', '--distribution', 'a\u001b[2Jb'])).stderr).toContain('"a<U+001B>[2Jb"')
  })

  test('stands in the help with every name', async () => {
    const { stdout } = await runIn(['explain', '--help'], { cwd: tree.path })
    const names = stdout.split('--distribution NAME')[1]?.split(/\n +-/)[0] ?? ''
    const listed = names.replace(/\s+/g, ' ').split(': ')[1]
    expect(listed?.split(', ')).toEqual([...distributionNames, expect.stringMatching(/^or .*path/)])
  })

  test('given twice, or without a name, is not understood', async () => {
    expect(await run(['list', '--distribution', 'mini', '--distribution', 'opencode'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/ --distribution .*twice/),
    })
    expect(await run(['list', '--distribution='])).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('a configuration', () => {
  const place = { user: 'chosen/home/.config/skills/skills.config.json', project: 'chosen/repo/skills.config.json' }
  beforeAll(() => {
    tree.write({
      'chosen/repo/.git': { dir: true },
      'chosen/repo/.claude/skills/folder/SKILL.md': named('field'),
      'chosen/repo/.claude/skills/other/SKILL.md': named('other'),
      'chosen/repo/.opencode/skills/oc/SKILL.md': named('oc'),
    })
  })
  afterEach(() => {
    for (const path of [...Object.values(place), 'chosen/home/.local']) tree.remove(path)
  })
  const names = async (...more: readonly string[]): Promise<readonly string[]> =>
    namesIn(await run(['list', ...more], 'chosen/repo', 'chosen/home'))
  const found = {
    standard: ['folder', 'other'],
    mini: ['field', 'other'],
    opencode: ['field', 'oc of configuration', 'other'],
  }

  test('of the user chooses, and the command line comes before it', async () => {
    tree.write({ [place.user]: '{ "distribution": "mini" }' })
    expect(await names()).toEqual(found.mini)
    expect(await names('--distribution', 'opencode')).toEqual(found.opencode)
    expect(await names('--distribution', 'standard')).toEqual(found.standard)
  })

  test("of a project chooses once its folder is trusted, then before the user's", async () => {
    tree.write({ [place.user]: '{ "distribution": "mini" }', [place.project]: '{ "distribution": "opencode" }' })
    expect(await names()).toEqual(found.mini)
    expect((await run([], 'chosen/repo', 'chosen/home')).stdout).toContain('not trusted')
    expect(await run(['trust', '--yes'], 'chosen/repo', 'chosen/home')).toMatchObject({ code: 0 })
    expect(await names()).toEqual(found.opencode)
    expect(await names('--distribution', 'standard')).toEqual(found.standard)
    tree.write({ [place.project]: '{ "overrides": { "other": "off" } }' })
    expect(await names()).toEqual(['field'])
  })

  test('that names one that there is not says nothing at all, and is told of with its line', async () => {
    tree.write({ [place.user]: '{\n  "overrides": { "other": "off" },\n  "distribution": "opencod"\n}' })
    expect(await names()).toEqual(found.standard)
    const { stdout } = await run([], 'chosen/repo', 'chosen/home')
    expect(stdout).toMatch(/skills\.config\.json:3\S* +error +"distribution" .* standard, .*, cocode, .*"opencode"\./)
  })

  test('has its other words counted for what is chosen', async () => {
    tree.write({ [place.user]: '{ "distribution": "opencode", "overrides": { "field": "off" } }' })
    expect(await names()).toEqual(['oc of configuration', 'other'])
    expect(await names('--distribution', 'mini')).toEqual(['other'])
  })
})

describe("a module of one's own", () => {
  const place = 'home/work'
  /** Each test has its own folder: a process imports a module once. */
  let own: TempTree
  const folder = (): string => `${own.path}/${place}`
  const runOwn = (args: readonly string[], from = place): Promise<Ran> =>
    runIn([...args, '--home', `${own.path}/home`], { cwd: `${own.path}/${from}` })
  /**
   * Module of a distribution like `mini`, which takes names from the frontmatter. It writes a file when it is imported.
   */
  const text = (mark: string): string =>
    `import { writeFileSync } from 'node:fs'\nimport './lib/part.js'\nwriteFileSync('${folder()}/${mark}', '')\nexport const base = 'mini'\nexport default (options, mini) => mini(options)\n`
  const part = (mark: string): string =>
    `import { writeFileSync } from 'node:fs'\nwriteFileSync('${folder()}/${mark}', '')\n`
  const ran = (): readonly string[] => readdirSync(folder()).filter(name => name.startsWith('ran-'))
  const look = (...marks: readonly string[]): void => {
    expect(ran()).toEqual(marks)
    for (const mark of marks) own.remove(`${place}/${mark}`)
  }
  beforeEach(() => {
    own = tempTree()
    own.write({
      [`${place}/.git`]: { dir: true },
      [`${place}/.claude/skills/folder/SKILL.md`]: named('field'),
      [`${place}/acme.js`]: text('ran-top'),
      [`${place}/lib/part.js`]: part('ran-part'),
    })
  })
  afterEach(() => own.dispose())

  const commands = [
    ['list'],
    ['list', '--json'],
    [],
    ['show', 'field'],
    ['explain', 'field'],
    ['search', 'field'],
    ['listing'],
    ['render', 'field'],
    ['run', 'field'],
    ['audit'],
    ['lint'],
    ['new', 'one'],
    ['watch'],
  ]
  test.each(commands.map(args => [args.join(' '), args] as const))(
    'runs nothing before the yes to it, and is refused with the file and the command to agree: %s',
    async (_words, args) => {
      const { code, stdout, stderr } = await runOwn([...args, '--distribution', './acme.js'])
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(
        /^skills: .*"\.\/acme\.js" did not run, .*: acme\.js \(new\), lib\/part\.js \(new\)\. .*: .* trust --distribution \.\/acme\.js .*\n$/,
      )
      look()
    },
  )

  test('is shown whole by trust, counts after the yes, and a file of it that changed asks again for itself alone', async () => {
    const shown = await runOwn(['trust', '--dry-run', '--distribution', './acme.js'])
    expect(shown.stdout).toContain(
      text('ran-top')
        .split('\n')
        .map(line => `    | ${line}`)
        .join('\n'),
    )
    const { items } = JSON.parse(
      (await runOwn(['trust', '--dry-run', '--json', '--distribution', './acme.js'])).stdout,
    ) as { readonly items: readonly object[] }
    expect(items).toMatchObject([
      { kind: 'module', label: 'acme.js', state: 'new', text: text('ran-top') },
      { kind: 'module', label: './lib/part.js', state: 'new', text: part('ran-part') },
    ])
    look()
    expect(await runOwn(['trust', '--yes', '--distribution', './acme.js'])).toMatchObject({ code: 0 })
    look()
    const { stdout, stderr } = await runOwn(['list', '--distribution', './acme.js'])
    expect([stdout, stderr]).toEqual(['field\tproject\tNamed.\n', ''])
    look('ran-part', 'ran-top')
    expect((await runOwn([])).stdout).not.toContain('acme')
    look()
    own.write({ [`${place}/lib/part.js`]: part('ran-changed') })
    expect((await runOwn(['list', '--distribution', './acme.js'])).stderr).toContain(': lib/part.js (changed).')
    expect((await runOwn(['trust', '--dry-run', '--distribution', './acme.js'])).stdout).toMatch(
      / 1 item, .*:\n {2}\.\/lib\/part\.js \(module/,
    )
    look()
  })

  test('that lies elsewhere is agreed to with its own folder', async () => {
    own.write({ 'home/other/.git': { dir: true } })
    const from = 'home/other'
    const refused = await runOwn(['list', '--distribution', '../work/acme.js'], from)
    expect(refused.stderr).toContain(`trust ${folder()} --distribution ../work/acme.js`)
    expect((await runOwn(['trust', '--yes', '--distribution', '../work/acme.js'], from)).code).toBe(0)
    expect((await runOwn(['trust', '--dry-run', '--distribution', '../work/acme.js'], from)).stdout).toContain(
      'in another folder',
    )
    expect((await runOwn(['list', '--distribution', '../work/acme.js'], from)).code).toBe(1)
    look()
    expect((await runOwn(['trust', folder(), '--yes', '--distribution', '../work/acme.js'], from)).code).toBe(0)
    look()
    expect((await runOwn(['list', '--distribution', '../work/acme.js'], from)).code).toBe(0)
    look('ran-part', 'ran-top')
  })

  test('stands in a configuration, where it counts once all of it was agreed to', async () => {
    own.write({ [`${place}/skills.config.json`]: '{ "distribution": "./acme.js" }' })
    expect((await runOwn(['list'])).stdout).toContain('folder\t')
    expect((await runOwn(['trust', '--yes'])).code).toBe(0)
    look()
    expect((await runOwn(['list'])).stdout).toContain('field\t')
    look('ran-part', 'ran-top')
    own.write({ [`${place}/acme.js`]: text('ran-changed') })
    const { stdout, stderr } = await runOwn(['list'])
    expect([stdout, stderr]).toEqual([
      expect.stringContaining('folder\t'),
      expect.stringMatching(/: module acme\.js \(changed, acme\.js\)\. /),
    ])
    look()
  })

  test('that gives no distribution is one sentence', async () => {
    own.write({ [`${place}/acme.js`]: 'export default () => ({})' })
    await runOwn(['trust', '--yes', '--distribution', './acme.js'])
    expect(await runOwn(['list', '--distribution', './acme.js'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^skills: .*"\.\/acme\.js" .*"plugins".*\n$/) as string,
    })
  })
})
