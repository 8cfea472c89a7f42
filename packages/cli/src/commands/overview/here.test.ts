import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runIn, type Ran } from '../../../test/console.js'
import { repositories } from '../../../test/repositories.js'

type Name = keyof typeof repositories

function checkout(entries: TreeEntries): TempTree {
  const tree = tempTree({ home: { dir: true }, ...entries })
  onTestFinished(() => tree.dispose())
  return tree
}

/** Runs in a folder of a checkout. Replaces the tree's path by /TMP in the output. */
async function at({ path }: TempTree, folder: string, argv: readonly string[] = []): Promise<Ran> {
  const { code, stdout, stderr } = await runIn(argv, { cwd: `${path}/${folder}`, home: `${path}/home` })
  return { code, stdout: stdout.replaceAll(path, '/TMP'), stderr: stderr.replaceAll(path, '/TMP') }
}

/** Returns the output of the overview after the counts. */
async function said(tree: TempTree, folder: string): Promise<readonly string[]> {
  const { stdout } = await at(tree, folder)
  return stdout
    .slice(stdout.search(/active|from here/))
    .split('\n')
    .slice(1)
    .filter(line => line !== '')
    .map(line => line.replace(/ {2,}/g, '  '))
}

const namesIn = ({ stdout }: Ran): readonly string[] =>
  stdout
    .split('\n')
    .filter(line => line !== '')
    .map(line => line.split('\t')[0] ?? '')

describe('where one is', () => {
  test('a marketplace of plugins that share its root', async () => {
    expect(await said(checkout(repositories['anthropics__skills']), 'anthropics__skills')).toEqual([
      expect.stringMatching(/ marketplace of 2 plugins .* 5 skills$/),
      '  document-skills  3 skills',
      '  example-skills  2 skills',
      expect.stringMatching(/^ {2}1 more SKILL\.md /),
      expect.stringMatching(/^ {2}no problems /),
      'Next',
      expect.stringMatching(/^ {2}skills add \.\/ --user {2}\S/),
      expect.stringMatching(/^ {2}skills list --marketplace \. {2}\S/),
      expect.stringMatching(/^ {2}skills lint \. {2}\S/),
      expect.stringMatching(/^ {2}skills audit --marketplace \. {2}\S/),
    ])
  })

  test('a plugin that lists its skills, a collection in hidden folders, and folders in them', async () => {
    const tree = checkout({ ...repositories['mattpocock__skills'], ...repositories['openai__skills'] })
    expect((await said(tree, 'mattpocock__skills')).slice(0, 3)).toEqual([
      expect.stringMatching(/ plugin mattpocock-skills with 3 skills$/),
      expect.stringMatching(/^ {2}2 more SKILL\.md /),
      expect.stringMatching(/^ {2}no problems /),
    ])
    expect((await said(tree, 'openai__skills'))[0]).toMatch(
      / collection of 4 skills .* skills\/\.curated, skills\/\.experimental, skills\/\.system$/,
    )
    expect((await said(tree, 'openai__skills/skills'))[0]).toMatch(/ 4 skills in \.curated, \.experimental, \.system$/)
    expect((await said(tree, 'openai__skills/skills/.curated'))[0]).toMatch(/ 2 skills /)
    expect((await said(tree, 'openai__skills/skills/.curated/pdf'))[0]).toMatch(/ skill pdf$/)
    expect((await said(tree, 'mattpocock__skills/skills/engineering/tdd'))[0]).toMatch(/ tdd$/)
  })

  test('what is wrong with it is said, and a folder within says what is around it', async () => {
    const tree = checkout({
      ...repositories['trailofbits__skills'],
      'trailofbits__skills/plugins/gh-cli/skills/bad/SKILL.md': '---\ndescription: x\n',
      'trailofbits__skills/docs/notes/a.txt': 'x',
    })
    const lines = await said(tree, 'trailofbits__skills/docs/notes')
    expect(lines[0]).toMatch(/^\/TMP\/trailofbits__skills .* 3 plugins with 4 skills$/)
    expect(lines.slice(4, 6)).toEqual([
      '  1 error',
      expect.stringMatching(
        /^ {2}\/TMP\/trailofbits__skills\/plugins\/gh-cli\/skills\/bad\/SKILL\.md:1:1 {2}error {2}/,
      ),
    ])
    expect(lines).toContainEqual(
      expect.stringMatching(/^ {2}skills audit --marketplace \/TMP\/trailofbits__skills {2}/),
    )
  })

  test('folders of other agents are named with the agents that read them, and the command that is printed works', async () => {
    const skill = (name: string): string => `---\nname: ${name}\ndescription: Does it.\n---\nDo it.\n`
    const tree = checkout({
      'work/.git': { dir: true },
      'work/.claude/skills/a/SKILL.md': skill('a'),
      'work/.github/skills/b/SKILL.md': skill('b'),
      'work/.cursor/skills/f/SKILL.md': skill('f'),
      'work/.kiro/skills/c/SKILL.md': skill('c'),
      'work/.claude/Skills/d/SKILL.md': skill('d'),
      'work/.own/skills/e/SKILL.md': skill('e'),
      'work/.windsurf/skills': { link: '../.claude/skills' },
    })
    const lines = await said(tree, 'work')
    expect(lines[0]).toBe('Skills elsewhere')
    for (const [folder, agent] of [
      ['.github/skills', 'GitHub Copilot'],
      ['.cursor/skills', 'Cursor'],
      ['.kiro/skills', 'Kiro CLI'],
    ] as const) {
      expect(lines).toContainEqual(
        expect.stringMatching(new RegExp(`^  \\${folder} has 1 skill \\(.\\) for ${agent};`)),
      )
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^  .*: skills add \\./\\${folder} --all$`)))
    }
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}Rename .* \.claude\/skills\.$/))
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}.*: skills add \.\/\.own\/skills --all$/))
    expect(lines.join('\n')).not.toContain('.windsurf')
    expect(lines.join('\n')).not.toContain('error')
    expect((await at(tree, 'work', ['add', './.github/skills', '--all', '--yes'])).code).toBe(0)
    expect((await at(tree, 'work', ['add', './.own/skills', '--all', '--yes'])).code).toBe(0)
    expect(namesIn(await at(tree, 'work', ['list']))).toEqual(['a', 'b', 'e'])
  })

  test('a folder that has nothing to do with skills is told how to begin', async () => {
    const lines = await said(checkout({ 'work/.git': { dir: true }, 'work/src/x.ts': '' }), 'work/src')
    expect(lines.map(line => line.trim().split(/ {2,}/)[0]).slice(1)).toEqual(['skills add SOURCE', 'skills new hello'])
  })
})

describe('what people have', () => {
  test.each<[Name, readonly string[]]>([
    [
      'anthropics__skills',
      [
        'document-skills:xlsx',
        'document-skills:docx',
        'document-skills:pdf',
        'example-skills:canvas-design',
        'example-skills:mcp-builder',
      ],
    ],
    [
      'trailofbits__skills',
      [
        'contracts:algorand-scanner',
        'contracts:cairo-scanner',
        'differential-review:differential-review',
        'gh-cli:using-gh-cli',
      ],
    ],
    [
      'openai__skills',
      ['openai-skills:gh-fix-ci', 'openai-skills:pdf', 'openai-skills:transcribe', 'openai-skills:skill-creator'],
    ],
    ['mattpocock__skills', ['mattpocock-skills:diagnose', 'mattpocock-skills:tdd', 'mattpocock-skills:grill-me']],
  ])('%s is taken by --plugin-dir', async (name, expected) => {
    const ran = await at(checkout(repositories[name]), '.', ['list', '--plugin-dir', name])
    expect({ ...ran, stdout: namesIn(ran) }).toEqual({ code: 0, stderr: '', stdout: expected })
  })

  test('--marketplace takes a folder or its file, and refuses any other', async () => {
    const tree = checkout(repositories['anthropics__skills'])
    const file = 'anthropics__skills/.claude-plugin/marketplace.json'
    for (const given of ['anthropics__skills', file])
      expect(namesIn(await at(tree, '.', ['list', '--marketplace', given]))).toHaveLength(5)
    expect(await at(tree, '.', ['list', '--marketplace', 'anthropics__skills/README.md'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--marketplace is not'),
    })
    expect((await at(tree, 'home', ['--marketplace', '../anthropics__skills'])).stdout).toContain(
      'skills list --marketplace ../anthropics__skills',
    )
    expect(
      await at(tree, '.', ['list', '--marketplace', 'anthropics__skills', '--distribution', 'mini']),
    ).toMatchObject({ stderr: expect.stringContaining('1 warning') })
  })

  test('one that is named in the wrong way is told the right one', async () => {
    const tree = checkout({
      'work/.claude-plugin/marketplace.json': '{"name":"m","plugins":[]}',
      'project/.claude/skills/a/SKILL.md': 'x',
      'home/.config/skills/skills.config.json': '{ "plugins": ["/TMP"] }',
    })
    tree.write({ 'home/.config/skills/skills.config.json': JSON.stringify({ plugins: [`${tree.path}/work`] }) })
    expect((await at(tree, 'home', ['lint'])).stdout).toMatch(/"marketplaces" .*--marketplace/)
    expect((await at(tree, '.', ['lint', '--plugin-dir', 'project'])).stdout).toMatch(/"additional" .*--add-dir/)
  })
})

describe('trust in what the command line names', () => {
  const plugin = {
    'p/.claude-plugin/plugin.json': '{"name":"p"}',
    'p/skills/a/SKILL.md': '---\ndescription: A.\n---\nNow: !`date`.\n',
    'm/.claude-plugin/marketplace.json': '{"name":"m","plugins":[{"name":"p","source":"./p"}]}',
  }

  test('explain says that the command line named it, run says what to do, and that works', async () => {
    const tree = checkout({ ...plugin, 'm/p/skills/a/SKILL.md': plugin['p/skills/a/SKILL.md'] })
    const explained = (await at(tree, '.', ['explain', 'p:a', '--plugin-dir', 'p'])).stdout
    expect(explained).toMatch(/note: .*"p" at \/TMP\/p /)
    expect(explained).toMatch(/note: .* the command line/)
    const refused = await at(tree, '.', ['run', 'p:a', '--plugin-dir', 'p', '--yes'])
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('Then write "plugins": ["/TMP/p"] in home/.config/skills/skills.config.json.'),
    })
    expect((await at(tree, '.', ['run', 'p:a', '--marketplace', 'm', '--yes'])).stderr).toContain(
      'Then write "marketplaces": ["/TMP/m"] in home/.config/skills/skills.config.json.',
    )
    tree.write({ 'home/.config/skills/skills.config.json': JSON.stringify({ plugins: [`${tree.path}/p`] }) })
    expect(await at(tree, '.', ['run', 'p:a', '--yes'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Now: .*\d/),
    })
  })
})
