import { execFileSync, spawnSync } from 'node:child_process'
import { truncateSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyFile, anyPath } from '../test/ignore-patterns.js'
import { temporary } from '../test/text-tree.js'
import { IgnoreRules } from './ignore-rules.js'

const hasGit = spawnSync('git', ['--version']).status === 0

async function ignored(files: Readonly<Record<string, string>>, paths: readonly string[]): Promise<readonly string[]> {
  const { path } = temporary(files)
  const rules = IgnoreRules.under(path)
  return paths.filter(one => rules.ignores(`${path}/${one}`))
}

describe('ignore rules', () => {
  it('are those of the .gitignore at the top', async () => {
    expect(
      await ignored({ '.gitignore': '*.log\n# a comment\n\nbuild\n' }, [
        'a.log',
        'deep/b.log',
        'build',
        'src/build',
        'a.txt',
        '# a comment',
      ]),
    ).toEqual(['a.log', 'deep/b.log', 'build', 'src/build'])
  })

  it('hold for all that lies in an ignored folder, against any rule of a file in it', async () => {
    const files = { '.gitignore': 'out/', 'out/.gitignore': '!kept.txt' }
    expect(await ignored(files, ['out/kept.txt', 'out/deep/x', 'kept.txt'])).toEqual(['out/kept.txt', 'out/deep/x'])
  })

  it('come from nested files too, the deeper one last', async () => {
    const files = { '.gitignore': '*.log\n', 'a/.gitignore': '!kept.log\n*.tmp\n', 'a/b/.gitignore': 'kept.log\n' }
    expect(await ignored(files, ['kept.log', 'a/kept.log', 'a/b/kept.log', 'a/x.tmp', 'x.tmp', 'a/other.log'])).toEqual(
      ['kept.log', 'a/b/kept.log', 'a/x.tmp', 'a/other.log'],
    )
  })

  it('are anchored by a slash, to the folder of their file', async () => {
    const files = { '.gitignore': '/top\nx/y\n', 'a/.gitignore': '/here\n' }
    expect(await ignored(files, ['top', 'a/top', 'x/y', 'a/x/y', 'a/here', 'a/b/here', 'here'])).toEqual([
      'top',
      'x/y',
      'a/here',
    ])
  })

  it('that end with a slash mean folders only', async () => {
    expect(await ignored({ '.gitignore': 'cache/\n' }, ['cache', 'cache/', 'a/cache/', 'cache/x'])).toEqual([
      'cache/',
      'a/cache/',
      'cache/x',
    ])
  })

  it('say nothing of the top itself, nor of what lies outside', async () => {
    const { path } = temporary({ 'repo/.gitignore': '*\n', 'other/x': '' })
    const rules = IgnoreRules.under(`${path}/repo`)
    const asked = [
      '/repo',
      '/repo/',
      '/other/x',
      '/repo-two/x',
      '',
      '/repo/../other/x',
      '/repo/..',
      '/repo/a/../../other/x',
    ]
    expect(asked.filter(one => rules.ignores(`${path}${one}`))).toEqual([])
    expect(rules.ignores('relative/x')).toBe(false)
    expect(rules.ignores(`${path}/repo/./a/../x`)).toBe(true)
  })

  it('are found for a top that is written with a slash at its end', async () => {
    const { path } = temporary({ '.gitignore': 'x\n' })
    expect(IgnoreRules.under(`${path}/`).ignores(`${path}/x`)).toBe(true)
  })

  it('are none without a file, and where a folder has its name', async () => {
    expect(await ignored({ 'a/.gitignore/x': '' }, ['x', 'a/x'])).toEqual([])
  })

  it.skipIf(process.platform === 'win32')(
    'are read from regular files of the repository alone, which are small; what is none is named once',
    () => {
      const { path } = temporary({
        '.gitignore': { link: '/dev/zero' },
        'outside/.gitignore': { link: '../../private' },
        'self/.gitignore': { link: '.gitignore' },
        'pipe/x': '',
        'large/.gitignore': '',
        'linked/.gitignore': { link: '../shared' },
        shared: 'x\n',
        folder: { dir: true },
        'folder/.gitignore': { dir: true },
      })
      truncateSync(`${path}/large/.gitignore`, 5 * 1024 ** 3)
      execFileSync('mkfifo', [`${path}/pipe/.gitignore`])
      const rules = IgnoreRules.under(path)
      const folders = ['outside', 'self', 'pipe', 'large', 'linked', 'folder']
      for (const again of [1, 2])
        expect(
          folders.filter(folder => rules.ignores(`${path}/${folder}/x`)),
          `${again}`,
        ).toEqual(['linked'])
      expect(
        rules.problems.map(problem => [
          problem.severity,
          problem.code,
          problem.path?.slice(path.length + 1),
          problem.hint !== undefined,
        ]),
      ).toEqual([
        ['warning', 'link-escapes', '.gitignore', true],
        ['warning', 'dangling-link', 'outside/.gitignore', true],
        ['warning', 'unreadable', 'self/.gitignore', true],
        ['warning', 'not-a-file', 'pipe/.gitignore', true],
        ['warning', 'file-too-large', 'large/.gitignore', true],
        ['warning', 'not-a-file', 'folder/.gitignore', true],
      ])
    },
  )

  it('are matched in proportion to the pattern and the path, with any wildcards', async () => {
    const rules = [
      `${'**/a/'.repeat(9)}x`,
      `${'*a'.repeat(300)}b`,
      `${'a*/'.repeat(200)}b`,
      `${'[a]*'.repeat(200)}b`,
      `${'**a'.repeat(200)}/b`,
    ]
    const deep = `${'a/'.repeat(400)}y`
    expect(
      await ignored({ '.gitignore': rules.join('\n') }, [
        deep,
        `${'a/'.repeat(60)}y`,
        'a'.repeat(250),
        `${'a/'.repeat(9)}x`,
      ]),
    ).toEqual([`${'a/'.repeat(9)}x`])
  })

  it('count as far as they are few, and short', () => {
    const { path } = temporary({
      '.gitignore': `${'never\n'.repeat(4999)}last\nbeyond\n`,
      'a/.gitignore': `one\n${'x'.repeat(1025)}\ntwo\n`,
    })
    const rules = IgnoreRules.under(path)
    expect(
      ['last', 'beyond', 'a/one', 'a/two', `a/${'x'.repeat(1025)}`].filter(one => rules.ignores(`${path}/${one}`)),
    ).toEqual(['last', 'a/one', 'a/two'])
    expect(rules.problems).toMatchObject([
      { code: 'ignore-rules-limit', path: `${path}/.gitignore` },
      { code: 'ignore-rules-limit', path: `${path}/a/.gitignore`, line: 2 },
    ])
  })

  it('count no longer once they have taken too long, which is said once', () => {
    const { path } = temporary({ '.gitignore': `z\n${`${'*a'.repeat(100)}\n`.repeat(800)}` })
    const rules = IgnoreRules.under(path)
    expect(rules.ignores(`${path}/z`)).toBe(true)
    const asked = Array.from({ length: 20 }, (_, at) => rules.ignores(`${path}/${'a'.repeat(200)}${at}`))
    expect([asked.includes(true), rules.ignores(`${path}/z`)]).toEqual([false, false])
    expect(rules.problems).toMatchObject([{ code: 'ignore-rules-limit', path }])
  })

  it('come from .git/info/exclude of the top before any .gitignore, which may take them back', async () => {
    const files = {
      '.git/info/exclude': '*.tmp\n*.log\n',
      '.gitignore': '!a.log\n',
      'deep/.gitignore': '!b.log\n',
      'deep/.git/info/exclude': '*.txt\n',
    }
    expect(await ignored(files, ['x.tmp', 'a.log', 'b.log', 'deep/b.log', 'deep/c.log', 'deep/x.txt'])).toEqual([
      'x.tmp',
      'b.log',
      'deep/c.log',
    ])
    // In a worktree `.git` is a file that says where the repository is.
    expect(await ignored({ '.git': 'gitdir: ../nowhere\n', '.gitignore': '*.log\n' }, ['a.log', 'a.tmp'])).toEqual([
      'a.log',
    ])
  })

  it.each(['\ufeff*.log\n', '*.log\r\n', '*.log'])('are read from %j', async text => {
    expect(await ignored({ '.gitignore': text }, ['a.log', 'a.txt'])).toEqual(['a.log'])
  })

  it.skipIf(!hasGit)(
    'are those that git has, for any patterns and paths (needs git)',
    async () => {
      const files = fc.record(
        { '.gitignore': anyFile, 'a/.gitignore': anyFile, 'a/build/.gitignore': anyFile },
        { noNullPrototype: true },
      )
      const cases = fc.sample(fc.tuple(files, fc.uniqueArray(anyPath, { minLength: 12, maxLength: 12 })), {
        numRuns: 80,
        seed: 1,
      })

      let count = 0
      for (const [written, paths] of cases) {
        const tree = temporary(written)
        const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
        expect(spawnSync('git', ['init', '--quiet', tree.path], { env }).status).toBe(0)
        const asked = paths.filter(one => !Object.keys(written).some(other => other.startsWith(`${one}/`)))
        const check = ['-C', tree.path, '-c', 'core.quotePath=false', 'check-ignore', '--no-index', '--stdin']
        const git = spawnSync('git', check, { env, input: asked.join('\n'), encoding: 'utf8' })
        expect(git.stderr).toBe('')
        const rules = IgnoreRules.under(tree.path)
        const found = asked.filter(one => rules.ignores(`${tree.path}/${one}`))
        expect(found, JSON.stringify(written)).toEqual(git.stdout.split('\n').filter(Boolean))
        count += found.length
      }
      // Makes sure that the generated set ignores something.
      expect(count).toBeGreaterThan(100)
    },
    60_000,
  )
})

describe('patterns for other uses', () => {
  it('say yes to what they would ignore as lines of a .gitignore, all in a folder included', async () => {
    const matches = IgnoreRules.patterns()(['src/**', '!src/*.md', 'apps/', '*.log', '/top'])
    const paths = [
      'src/a.ts',
      'src/deep/b.ts',
      'src/a.md',
      'lib/src/a.ts',
      'apps/web/x',
      'apps',
      'a/b.log',
      'top',
      'a/top',
      'x',
    ]
    expect(paths.filter(matches)).toEqual(['src/a.ts', 'src/deep/b.ts', 'apps/web/x', 'a/b.log', 'top'])
  })

  it('are one pattern each, with any characters', async () => {
    const matches = IgnoreRules.patterns()(['a\nb'])
    expect(['a', 'b', 'a\nb'].filter(matches)).toEqual(['a\nb'])
  })

  it('count as far as those of a file do', () => {
    const matches = IgnoreRules.patterns()([...Array.from({ length: 4999 }, (_, at) => `a${at}`), 'b', 'c'])
    expect(['a0', 'b', 'c'].filter(matches)).toEqual(['a0', 'b'])
  })

  it('say no where a test would take too long', () => {
    const matches = IgnoreRules.patterns()(['src', ...Array.from({ length: 100 }, () => `${'*a'.repeat(500)}b`)])
    expect([matches('src/x'), matches(`${'a'.repeat(200)}/`.repeat(10)), matches('src/y')]).toEqual([true, false, true])
  })

  it('answer as before however often they are asked', async () => {
    const matches = IgnoreRules.patterns()(['*.ts', '!kept.ts'])
    const asked = Array.from({ length: 2500 }, (_, at) =>
      [matches(`f${at}.ts`), matches('kept.ts'), matches(`f${at}.js`)].join(),
    )
    expect(new Set(asked)).toEqual(new Set(['true,false,false']))
  })
})
