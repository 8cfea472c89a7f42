import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { cleanEnv, program, runToEnd, skills, type Ended } from './built.js'

const skill = (description: string, more = ''): string => `---\ndescription: ${description}\n${more}---\nBody.\n`
const named = (name: string, description = 'Named.'): string => skill(description, `name: ${name}\n`)

let tree: TempTree
beforeAll(() => {
  tree = tempTree({
    'home/.claude/skills/twice/SKILL.md': named('twice', 'Of the user.'), 'home/.config/opencode/skill/global/SKILL.md': named('global'),
    'home/all/.claude/skills/above/SKILL.md': named('above'),
    'home/all/repo/.git': { dir: true }, 'home/all/repo/.claude/skills/outer/SKILL.md': named('outer'),
    'home/all/repo/work/.claude/skills/twice/SKILL.md': named('twice', 'Of the project.'), 'home/all/repo/work/.claude/skills/folder/SKILL.md': named('field'),
    'home/all/repo/work/.claude/skills/group/deep/SKILL.md': named('deep'), 'home/all/repo/work/.claude/skills/plain/SKILL.md': skill('Without a name.'),
    'home/all/repo/work/.claude/commands/old.md': skill('Legacy.'), 'home/all/repo/work/.agents/skills/agent/SKILL.md': named('agent'),
    'home/all/repo/work/.opencode/skills/oc/SKILL.md': named('oc'),
  })
})
afterAll(() => tree.dispose())

function run(args: readonly string[], folder = 'home/all/repo/work', home = 'home'): Promise<Ended> {
  return skills([...args, '--home', `${tree.path}/${home}`], { cwd: `${tree.path}/${folder}` })
}

/** The names of a list, each with its source where that is not the project. */
function namesIn({ stdout }: Ended): readonly string[] {
  return stdout.split('\n').filter(line => line !== '').map(line => line.split('\t')).map(([name = '', source = '']) => source === 'project' ? name : `${name} of ${source}`).toSorted()
}

/** Both of one name are there, and the first that is said here has it. */
const expected: Readonly<Record<string, { readonly names: readonly string[]; readonly twice: string }>> = {
  standard: { names: ['agent', 'deep', 'folder', 'old', 'outer', 'plain', 'twice of user', 'work:twice'], twice: 'Of the user.' },
  'claude-code': { names: ['above', 'folder', 'old', 'outer', 'plain', 'twice of user'], twice: 'Of the user.' },
  'claude-code-classic': { names: ['folder', 'old', 'plain', 'twice of user'], twice: 'Of the user.' },
  opencode: { names: ['deep', 'field', 'global of configuration', 'oc of configuration', 'outer', 'twice of user'], twice: 'Of the user.' },
  mini: { names: ['field', 'plain', 'twice'], twice: 'Of the project.' },
  cocode: { names: ['deep', 'folder', 'plain', 'twice of user'], twice: 'Of the user.' },
}

describe('--distribution', () => {
  test.each(Object.entries(expected))('%s finds what that one finds', async (name, { names, twice }) => {
    const list = await run(['list', '--all', '--distribution', name])
    expect(list.code).toBe(0)
    const there = { ...list, stdout: list.stdout.split('\n').filter(line => /\t(active|qualified)$/.test(line)).join('\n') }
    expect(namesIn(there)).toEqual(names)
    expect(list.stdout).toMatch(new RegExp(`^twice\\t(user|project)\\t${twice}\\tactive$`, 'm'))
  })

  test('is standard where no one says anything', async () => {
    expect((await run(['list', '--json'])).stdout).toBe((await run(['list', '--json', '--distribution=standard'])).stdout)
  })

  test('that there is not is one sentence with those that there are and the closest, and exit code 1', async () => {
    const all = 'There are standard, claude-code, claude-code-classic, opencode, mini, cocode.\n'
    for (const command of ['list', 'overview', 'explain', 'listing']) {
      expect(await run([...command === 'overview' ? [] : [command], ...command === 'explain' ? ['twice'] : [], '--distribution', 'opencod'])).toMatchObject({
        code: 1, stdout: '', stderr: `skills: There is no distribution "opencod". Did you mean "opencode"? ${all}`,
      })
    }
    expect((await run(['list', '--distribution', 'constructor'])).stderr).toBe(`skills: There is no distribution "constructor". ${all}`)
    expect((await run(['list', '--distribution', 'a\u001b[2Jb'])).stderr).toBe(`skills: There is no distribution "a<U+001B>[2Jb". ${all}`)
  })

  test('stands in the help with every name', async () => {
    const { stdout } = await skills(['explain', '--help'])
    const line = stdout.split('\n').find(one => one.includes('--distribution NAME')) ?? ''
    expect(line.match(/[a-z]+(?:-[a-z]+)*(?=,| or |$)/g)).toEqual(Object.keys(expected))
  })

  test('given twice, or without a name, is not understood', async () => {
    expect(await run(['list', '--distribution', 'mini', '--distribution', 'opencode'])).toMatchObject({ code: 2, stdout: '', stderr: 'skills: The option --distribution is given twice.\n' })
    expect(await run(['list', '--distribution='])).toMatchObject({ code: 2, stdout: '' })
  })

  test.each(['mini', 'opencode'])('%s reads nothing of the others', async name => {
    writeFileSync(`${tree.path}/report.cjs`, `process.on('exit', () => require('fs').writeSync(2, JSON.stringify(Object.keys(require.cache))))`)
    const { stderr } = await runToEnd(process.execPath, ['-r', `${tree.path}/report.cjs`, program, 'list', '--json', '--distribution', name, '--home', `${tree.path}/home`], { cwd: `${tree.path}/home/all/repo/work`, env: cleanEnv() })
    const files = (JSON.parse(stderr.slice(stderr.indexOf('["'))) as string[]).map(file => basename(file))
    const others = Object.keys(expected).filter(other => other !== name).map(other => `${other}.cjs`)
    expect(files).toContain(`${name}.cjs`)
    expect(files.filter(file => others.includes(file))).toEqual([])
  })
})

test('each distribution but the standard one is a file of its own, and none holds another', () => {
  const folder = dirname(program)
  for (const name of Object.keys(expected).filter(one => one !== 'standard')) {
    const text = readFileSync(join(folder, `${name}.cjs`), 'utf8')
    const held = Object.keys(expected).filter(other => new RegExp(`name:"${other}"`).test(text))
    expect(held).toEqual([name])
  }
})

describe('a configuration', () => {
  const place = { user: 'chosen/home/.config/skills/skills.config.json', project: 'chosen/repo/skills.config.json' }
  beforeAll(() => {
    tree.write({
      'chosen/repo/.git': { dir: true }, 'chosen/repo/.claude/skills/folder/SKILL.md': named('field'), 'chosen/repo/.claude/skills/other/SKILL.md': named('other'),
      'chosen/repo/.opencode/skills/oc/SKILL.md': named('oc'),
    })
  })
  afterEach(() => {
    for (const path of [...Object.values(place), 'chosen/home/.local']) tree.remove(path)
  })
  const names = async (...more: readonly string[]): Promise<readonly string[]> => namesIn(await run(['list', ...more], 'chosen/repo', 'chosen/home'))
  const found = { standard: ['folder', 'other'], mini: ['field', 'other'], opencode: ['field', 'oc of configuration', 'other'] }

  test('of the user chooses, and the command line comes before it', async () => {
    tree.write({ [place.user]: '{ "distribution": "mini" }' })
    expect(await names()).toEqual(found.mini)
    expect(await names('--distribution', 'opencode')).toEqual(found.opencode)
    expect(await names('--distribution', 'standard')).toEqual(found.standard)
  })

  test('of a project chooses once its folder is trusted, then before the user\'s', async () => {
    tree.write({ [place.user]: '{ "distribution": "mini" }', [place.project]: '{ "distribution": "opencode" }' })
    expect(await names()).toEqual(found.mini)
    expect((await run([], 'chosen/repo', 'chosen/home')).stdout).toContain('The configuration came with a folder that is not trusted')
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
    expect(stdout).toMatch(/skills\.config\.json:3\S* +error +"distribution" of the configuration must be one of standard, .*, cocode; the closest is "opencode"\./)
  })

  test('has its other words counted for what is chosen', async () => {
    tree.write({ [place.user]: '{ "distribution": "opencode", "overrides": { "field": "off" } }' })
    expect(await names()).toEqual(['oc of configuration', 'other'])
    expect(await names('--distribution', 'mini')).toEqual(['other'])
  })
})
