import { afterEach, describe, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { plain, runIn, type Console } from '../../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

/** Configuration without bundled skills, so that only the test's skills exist. */
const unbundled = { 'home/.config/skills/skills.config.json': '{"bundled":false}' }
const skill = (description: string, more = '', body = 'Body.'): string =>
  `---\ndescription: ${description}\n${more}---\n${body}\n`

function project(): Console {
  tree = tempTree({
    'work/.git': { dir: true },
    ...unbundled,
    'work/.claude/skills/deploy/SKILL.md': skill('Ships the project.'),
    'work/.claude/skills/review/SKILL.md': skill('Reviews a change.', 'tags: [quality]\n', 'Mentions terraform.'),
    'home/.claude/skills/deploy/SKILL.md': skill('Ships my project.'),
  })
  return { cwd: `${tree.path}/work`, home: `${tree.path}/home` }
}

describe('in a pipe', () => {
  test('each skill that is found is a line: name, source, description, state, and why', async () => {
    expect(await runIn(['search', 'ships'], project())).toEqual({
      code: 0,
      stderr: '',
      stdout:
        'deploy\tuser\tShips my project.\tactive\tdescription: ships\twhole\nproject:deploy\tproject\tShips the project.\tqualified\tdescription: ships\twhole\n',
    })
  })

  test('several words are one query', async () => {
    expect((await runIn(['search', 'quality', 'review'], project())).stdout).toBe(
      'review\tproject\tReviews a change.\tactive\tname: review; keyword: quality; description: reviews\twhole\n',
    )
  })

  test('nothing found is exit code 1, and what to do', async () => {
    expect(await runIn(['search', 'terraform', 'x;y'], project())).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^skills: Nothing .*"terraform x;y"\. .*: skills search terraform 'x;y' --body\n$/),
    })
    expect(await runIn(['search', 'zzzzz', '--body'], project())).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^skills: .*"zzzzz"\. (?!.*--body).*\n$/) as string,
    })
  })

  test('--body looks into bodies', async () => {
    expect(await runIn(['search', 'terraform', '--body'], project())).toMatchObject({
      code: 0,
      stdout: 'review\tproject\tReviews a change.\tactive\tbody: terraform\twhole\n',
    })
  })

  test('--limit shows fewer, and says so', async () => {
    expect(await runIn(['search', 'ships', '--limit', '1'], project())).toEqual({
      code: 0,
      stdout: 'deploy\tuser\tShips my project.\tactive\tdescription: ships\twhole\n',
      stderr: expect.stringMatching(/^2 skills .*1 .*--limit 2 .*\n$/) as string,
    })
  })

  test('what waits for a file that is worked on is found', async () => {
    const console = project()
    tree.write({ 'work/.claude/skills/styles/SKILL.md': skill('Styles.', 'paths: "**/*.css"\n') })
    expect((await runIn(['search', 'styles'], console)).stdout).toContain('styles\tproject')
  })
})

describe('on a terminal', () => {
  test('it is a table cut to the width', async () => {
    const { stdout, stderr } = await runIn(['search', 'ships'], { ...project(), isTerminal: true, columns: 76 })
    expect(plain(stdout)).toBe(`NAME            SOURCE   STATE      FOUND IN            DESCRIPTION
deploy          user     active     description: ships  Ships my project.
project:deploy  project  qualified  description: ships  Ships the project.
`)
    expect(stderr).toBe('')
  })

  test('it shows the best twenty', async () => {
    const console = project()
    tree.write(
      Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [`work/.claude/skills/many-${at}/SKILL.md`, skill('One of many.')]),
      ),
    )
    const { stdout, stderr } = await runIn(['search', 'many'], { ...console, isTerminal: true })
    expect(stdout.trimEnd().split('\n')).toHaveLength(21)
    expect(plain(stderr)).toMatch(/30 skills .* 10 .*--limit 30 /)
  })

  test('nothing in it is obeyed', async () => {
    tree = tempTree({ '.claude/skills/a/SKILL.md': '---\ndescription: "Red \\u202e and \\e[2J ends."\n---\nx' })
    const { stdout } = await runIn(['search', 'red', '--no-color'], { cwd: tree.path, isTerminal: true })
    // oxlint-disable-next-line no-control-regex -- none of them may be there
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
  })
})

test('--json has each as a list has it, and which words were found where', async () => {
  const console = project()
  const { stdout, code } = await runIn(['search', 'ships', '--json', '--limit', '1'], console)
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    query: 'ships',
    total: 2,
    unread: [],
    incomplete: [],
    found: [
      expect.objectContaining({
        name: 'deploy',
        source: 'user',
        state: 'active',
        path: `${tree.path}/home/.claude/skills/deploy/SKILL.md`,
        found: [{ field: 'description', words: ['ships'] }],
      }),
    ],
  })
  const nothing = await runIn(['search', 'zzzzz', '--json'], console)
  expect(nothing).toMatchObject({ code: 1, stdout: expect.stringContaining('"found": []') as string })
})

test.each(['0', '-1', '1.5', 'many', ''])('--limit %j is an argument that is not understood', async given => {
  expect(await runIn(['search', 'a', `--limit=${given}`], project())).toMatchObject({ code: 2, stdout: '' })
})

test('a search for nothing is an argument that is not understood', async () => {
  expect(await runIn(['search'], project())).toMatchObject({
    code: 2,
    stderr: 'skills: skills search needs QUERY…. See skills search --help.\n',
  })
  expect(await runIn(['search', ''], project())).toMatchObject({ code: 2 })
})
