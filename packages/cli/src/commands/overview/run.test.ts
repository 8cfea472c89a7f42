import { afterEach, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { plain, runIn } from '../../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

test('it tells where was looked, what there is, what is wrong and what to do next', async () => {
  const broken = Object.fromEntries(
    Array.from({ length: 7 }, (_, at) => [`work/.claude/skills/broken-${at}/SKILL.md`, '---\ndescription: x\n']),
  )
  tree = tempTree({
    ...broken,
    'work/.git': { dir: true },
    'work/.claude/skills/a/SKILL.md': '---\ndescription: x\n---\nx',
    'work/sub/.agents/skills/b/SKILL.md': '---\ndescription: Use it: now\n---\nx',
    'home/.claude/skills/a/SKILL.md': '---\ndescription: y\n---\ny',
    'more/.claude/skills/c/SKILL.md': '---\ndescription: z\n---\nz',
  })
  const { code, stdout, stderr } = await runIn(['--add-dir', '../../more'], {
    cwd: `${tree.path}/work/sub`,
    home: `${tree.path}/home`,
  })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.replaceAll(tree.path, '/TMP').replace(/ +(project|user) +/g, '  $1  ')).toBe(`Skills for /TMP/work/sub
  .agents/skills  project  1 skill
  /TMP/work/.claude/skills  project  1 skill
  /TMP/more/.claude/skills  project  1 skill
  /TMP/home/.claude/skills  user  1 skill
  not there: .claude/skills, /TMP/work/.agents/skills, /TMP/more/.agents/skills, /TMP/home/.agents/skills

4 skills active, 1 of them under a qualified name, 7 failed to load

7 errors and 1 warning
${Array.from(
  { length: 5 },
  (
    _,
    at,
  ) => `  /TMP/work/.claude/skills/broken-${at}/SKILL.md:1:1  error  The frontmatter that opens on line 1 is never closed.
    Write a line \`---\` below its last key.`,
).join('\n')}
  and 3 more: skills lint --add-dir ../../more

Next
  skills list --add-dir ../../more       every skill and what it is for
  skills explain a --add-dir ../../more  where one comes from, and why it is or is not used
  skills lint --add-dir ../../more       check every file completely; --fix repairs what can be
`)
})

test('without any skill it says how to have one, and that works', async () => {
  tree = tempTree({
    home: { dir: true },
    'work/.git/HEAD': '',
    'own/hi/SKILL.md': '---\ndescription: Greets.\n---\nHi.',
  })
  const at = { cwd: `${tree.path}/work`, home: `${tree.path}/home` }
  const { code, stdout } = await runIn([], at)
  expect(code).toBe(0)
  expect(stdout).toMatch(/not there: .*\.claude\/skills, \.agents\/skills, /)
  const commands = stdout
    .slice(stdout.indexOf('Next'))
    .split('\n')
    .slice(1, 3)
    .map(line => line.trim().split(' ').slice(1, 3))
  expect(commands).toEqual([
    ['add', 'SOURCE'],
    ['new', 'hello'],
  ])
  expect(await runIn(['new', 'hello'], at)).toMatchObject({ code: 0, stderr: '' })
  expect(await runIn(['add', '../own', '--yes'], at)).toMatchObject({ code: 0, stderr: '' })
  expect((await runIn(['list'], at)).stdout).toMatch(/^hello\t.*\nhi\t/)
  expect((await runIn(['lint', '--standard'], at)).stdout).toMatch(/ untouched-text\n/)
})

test('what is wrong with the configuration comes first, and the command that is named shows all of it', async () => {
  const broken = Object.fromEntries(
    Array.from({ length: 7 }, (_, at) => [`work/.claude/skills/broken-${at}/SKILL.md`, '---\ndescription: x\n']),
  )
  tree = tempTree({
    ...broken,
    'work/.git': { dir: true },
    'work/skills.config.json': '{}',
    'home/.config/skills/skills.config.json': '{\n "overrides": { "old": "of" }\n}',
  })
  const console = { cwd: `${tree.path}/work`, home: `${tree.path}/home` }
  const problems =
    (await runIn([], console)).stdout
      .split('8 errors and 1 warning\n')[1]
      ?.split('\n')
      .filter(line => /^ {2}\S/.test(line)) ?? []
  expect(problems.slice(0, 6).map(line => /skills\.config\.json|broken-\d|and .*/.exec(line)?.[0])).toEqual([
    'skills.config.json',
    'skills.config.json',
    'broken-0',
    'broken-1',
    'broken-2',
    'and 4 more: skills lint',
  ])
  const { code, stdout } = await runIn(['lint'], console)
  expect(code).toBe(1)
  expect(stdout).toContain('  invalid-configuration\n')
  expect(stdout).toContain('  untrusted-configuration\n')
  expect(stdout).toContain('7 files checked: 8 errors, 1 warning.')
})

test('a folder that two sources look for is named once', async () => {
  tree = tempTree()
  const { stdout } = await runIn([], { cwd: tree.path, home: tree.path })
  expect(stdout).toContain('  not there: .claude/skills, .agents/skills\n')
})

test('a folder that may not be read stands among the places', async () => {
  tree = tempTree({ '.claude/skills': { link: 'skills' } })
  const { stdout } = await runIn([], { cwd: tree.path })
  expect(plain(stdout)).toMatch(/\.claude\/skills {2}project {2}unreadable/)
})
