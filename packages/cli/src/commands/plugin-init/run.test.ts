import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { runIn, type Ran } from '../../../test/console.js'

let tree: TempTree
beforeEach(() => {
  tree = tempTree()
})
afterEach(() => tree.dispose())

const init = (...argv: readonly string[]): Promise<Ran> => runIn(['plugin', 'init', ...argv], { cwd: tree.path })
const read = (path: string): string => readFileSync(`${tree.path}/${path}`, 'utf8')
const write = (path: string, text: string): void => writeFileSync(`${tree.path}/${path}`, text)

describe('from nothing', () => {
  test('a folder of the name is made with a package file, a first skill and a README, and the next steps are told', async () => {
    const { code, stdout, stderr } = await init('acme-tools', '--description', 'Tools of Acme.')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n')).toEqual([
      'acme-tools/package.json',
      'acme-tools/skills/first-skill/SKILL.md',
      'acme-tools/README.md',
      '',
      'Next for acme-tools',
      expect.stringMatching(/^ {2}Give .* names, .* description .*\.$/),
      expect.stringMatching(/^ {2}skills plugin check --npm acme-tools {2}\S/),
      expect.stringMatching(/^ {2}skills plugin pack acme-tools {9}\S/),
      '',
    ])
    expect(JSON.parse(read('acme-tools/package.json'))).toEqual({
      name: 'acme-tools',
      version: '0.1.0',
      description: 'Tools of Acme.',
      keywords: ['agent-skills', 'skills'],
      files: ['skills'],
      skillsPaths: ['./skills'],
    })
  })

  test('the scope of a name is no part of the folder', async () => {
    expect(await init('@acme/tools')).toMatchObject({ code: 0 })
    expect(JSON.parse(read('tools/package.json'))).toMatchObject({ name: '@acme/tools' })
  })

  test('without a name the present folder gives it', async () => {
    mkdirSync(`${tree.path}/acme`)
    expect(await init('--cwd', 'acme')).toMatchObject({ code: 0 })
    expect(JSON.parse(read('acme/package.json'))).toMatchObject({ name: 'acme' })
  })

  test('the next steps are for the folder of the shell, not for --cwd', async () => {
    mkdirSync(`${tree.path}/plugins`)
    const { stdout } = await init('acme', '--cwd', 'plugins')
    const [command = ''] = /skills plugin check\S* .*?(?=  )/.exec(stdout) ?? []
    expect(command).toBe('skills plugin check --npm plugins/acme')
    expect(
      await runIn(command.split(' ').slice(1), { cwd: tree.path, env: { PATH: import.meta.dirname } }),
    ).toMatchObject({ code: 0, stdout: expect.stringContaining('acme:first-skill') })
  })

  test('--json tells what was made', async () => {
    const { stdout } = await init('acme', '--json')
    const folder = `${tree.path}/acme`
    expect(JSON.parse(stdout)).toEqual({
      folder,
      name: 'acme',
      files: [`${folder}/package.json`, `${folder}/skills/first-skill/SKILL.md`, `${folder}/README.md`],
      added: [],
    })
  })
})

describe('in a folder that is there', () => {
  test('what is missing is added to the package file, every other byte stays, and a second time nothing is written', async () => {
    const before =
      '{\r\n\t"name": "@acme/x",\r\n\t"private": false,\r\n\t"files": ["dist", "docs"],\r\n\t"scripts": {"a": "b"}\r\n}\r\n'
    write('package.json', before)
    write('README.md', 'Mine.')
    const { stdout } = await init()
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      'skills/first-skill/SKILL.md',
      'package.json  added: files, version, description, skillsPaths',
    ])
    const after = read('package.json')
    expect(JSON.parse(after)).toEqual({
      name: '@acme/x',
      private: false,
      files: ['dist', 'docs', 'skills'],
      scripts: { a: 'b' },
      version: '0.1.0',
      description: 'Describe here what x is for.',
      skillsPaths: ['./skills'],
    })
    const added =
      '"version": "0.1.0",\r\n\t"description": "Describe here what x is for.",\r\n\t"skillsPaths": ["./skills"]'
    expect(after).toBe(
      before.replace('"docs"]', '"docs", "skills"]').replace('{"a": "b"}', `{"a": "b"},\r\n\t${added}`),
    )
    expect(read('README.md')).toBe('Mine.')
    expect((await init()).stdout).toContain('nothing was written')
    expect(read('package.json')).toBe(after)
  })

  test('a list of files is not begun where npm publishes everything', async () => {
    write('package.json', '{"name":"acme"}')
    await init()
    expect(JSON.parse(read('package.json'))).not.toHaveProperty('files')
  })

  test('no skill is added where there are some, and none of them is touched', async () => {
    mkdirSync(`${tree.path}/skills/mine`, { recursive: true })
    write('skills/mine/SKILL.md', 'x')
    await init('acme-x', '--cwd', '.')
    await runIn(['plugin', 'init'], { cwd: tree.path })
    expect(readdirSync(`${tree.path}/skills`)).toEqual(['mine'])
    expect(read('skills/mine/SKILL.md')).toBe('x')
  })

  test('a plugin that `skills new` began has its manifest published', async () => {
    await runIn(['new', 'acme', '--plugin'], { cwd: tree.path })
    await init('--cwd', 'acme')
    expect(JSON.parse(read('acme/package.json'))).toMatchObject({ files: ['skills', '.claude-plugin'] })
    expect(readdirSync(`${tree.path}/acme/skills`)).toEqual(['first-skill'])
  })
})

describe('bad input', () => {
  test.each([
    ['Acme', 'acme'],
    ['acme tools', 'acme-tools'],
    ['@Acme/Tools', '@acme/tools'],
    ['-x', undefined],
    ['user', undefined],
    ['http', undefined],
    ['../x', undefined],
    ['käse', undefined],
    ['a'.repeat(65), undefined],
  ])('the name %j is refused, and nothing is written', async (name, nearest) => {
    const { code, stderr } = await init('--', name)
    expect(code).toBe(2)
    expect(stderr).toContain(nearest === undefined ? 'skills: ' : `Did you mean ${nearest}?`)
    expect(readdirSync(tree.path)).toEqual([])
  })

  test('a present folder whose name no package can have asks for one', async () => {
    mkdirSync(`${tree.path}/My Tools`)
    expect(await init('--cwd', 'My Tools')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/ my-tools, .*package\.json/),
    })
    expect(readdirSync(`${tree.path}/My Tools`)).toEqual([])
  })

  test.each([
    ['{"name": "acme",}', 'is not JSON'],
    ['[]', 'must be an object'],
    ['', 'is not JSON'],
    ['\xff\xfe', 'is not JSON'],
  ])('a package file with %j is left as it is', async (text, why) => {
    writeFileSync(`${tree.path}/package.json`, text, 'latin1')
    expect(await init()).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(why) })
    expect(readFileSync(`${tree.path}/package.json`, 'latin1')).toBe(text)
    expect(readdirSync(tree.path)).toEqual(['package.json'])
  })

  test('a folder of skills that is a link out is not written into', async () => {
    const other = tempTree()
    try {
      symlinkSync(other.path, `${tree.path}/skills`)
      write('package.json', '{"name":"acme"}')
      expect(await init()).toMatchObject({ code: 1, stderr: expect.stringContaining('leads out') })
      expect(readdirSync(other.path)).toEqual([])
      expect(read('package.json')).toBe('{"name":"acme"}')
    } finally {
      other.dispose()
    }
  })

  test('a package file that is a link out is neither read nor written', async () => {
    const other = tempTree({ 'package.json': '{"name":"other"}' })
    try {
      symlinkSync(`${other.path}/package.json`, `${tree.path}/package.json`)
      expect(await init()).toMatchObject({ code: 1, stdout: '' })
      expect(readFileSync(`${other.path}/package.json`, 'utf8')).toBe('{"name":"other"}')
    } finally {
      other.dispose()
    }
  })

  test.each(['acme', 'acme/skills'])('a file where the folder %s would be is left as it is', async path => {
    if (path !== 'acme') mkdirSync(`${tree.path}/acme`)
    write(path, 'mine')
    expect(await init('acme')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^skills: .*(${path} is not|a file at ${path},) `)) as string,
    })
    expect(read(path)).toBe('mine')
  })

  test('a package file that is read-only stays as it is, and nothing is left beside it', async () => {
    writeFileSync(`${tree.path}/package.json`, '{"name":"acme"}', { mode: 0o444 })
    expect(await init()).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('read-only') })
    expect(readdirSync(tree.path)).toEqual(['package.json'])
    expect(read('package.json')).toBe('{"name":"acme"}')
  })
})

describe('of the standard', () => {
  const manifest = (): unknown => JSON.parse(read('acme/plugin.json'))

  test('a new plugin has its manifest besides the package, and a check finds nothing wrong but the placeholders', async () => {
    expect((await init('acme', '--standard', '--description', 'Tools.')).code).toBe(0)
    expect(manifest()).toEqual({
      $schema: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json',
      name: 'acme',
      version: '0.1.0',
      description: 'Tools.',
    })
    expect(JSON.parse(read('acme/package.json'))).toMatchObject({ files: ['plugin.json', 'skills'] })
    const checked = await runIn(['plugin', 'check', 'acme', '--json'], { cwd: tree.path })
    expect(JSON.parse(checked.stdout)).toMatchObject({
      name: 'acme',
      version: '0.1.0',
      skills: [{ name: 'acme:first-skill' }],
      others: [],
    })
  })

  test('an existing package keeps its version and gets the files that npm has to publish', async () => {
    mkdirSync(`${tree.path}/acme/skills/a`, { recursive: true })
    write('acme/package.json', '{ "name": "@x/acme", "version": "3.1.0", "description": "X.", "files": ["skills"] }')
    write('acme/mcp.json', '{}')
    expect((await init('@x/acme', '--standard')).code).toBe(0)
    expect(manifest()).toMatchObject({ name: 'acme', version: '3.1.0' })
    expect(JSON.parse(read('acme/package.json'))).toMatchObject({ files: ['skills', 'plugin.json', 'mcp.json'] })
    write('acme/plugin.json', '{}')
    await init('@x/acme', '--standard')
    expect(manifest()).toEqual({})
  })
})
