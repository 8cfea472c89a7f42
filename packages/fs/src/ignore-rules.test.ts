import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { temporary } from '../test/text-tree.js'
import { IgnoreRules } from './ignore-rules.js'

async function ignored(files: Readonly<Record<string, string>>, paths: readonly string[]): Promise<readonly string[]> {
  const { path } = temporary(files)
  const rules = await IgnoreRules.under(path)
  return paths.filter(one => rules.ignores(`${path}/${one}`))
}

describe('ignore rules', () => {
  it('are those of the .gitignore at the top', async () => {
    expect(await ignored({ '.gitignore': '*.log\n# a comment\n\nbuild\n' }, [
      'a.log', 'deep/b.log', 'build', 'src/build', 'a.txt', '# a comment',
    ])).toEqual([
      'a.log', 'deep/b.log', 'build', 'src/build',
    ])
  })

  it('hold for all that lies in an ignored folder, whatever a file in it says', async () => {
    const files = { '.gitignore': 'out/', 'out/.gitignore': '!kept.txt' }
    expect(await ignored(files, ['out/kept.txt', 'out/deep/x', 'kept.txt'])).toEqual(['out/kept.txt', 'out/deep/x'])
  })

  it('come from nested files too, the deeper one last', async () => {
    const files = { '.gitignore': '*.log\n', 'a/.gitignore': '!kept.log\n*.tmp\n', 'a/b/.gitignore': 'kept.log\n' }
    expect(await ignored(files, [
      'kept.log', 'a/kept.log', 'a/b/kept.log', 'a/x.tmp', 'x.tmp', 'a/other.log',
    ])).toEqual(['kept.log', 'a/b/kept.log', 'a/x.tmp', 'a/other.log'])
  })

  it('are anchored by a slash, to the folder of their file', async () => {
    const files = { '.gitignore': '/top\nx/y\n', 'a/.gitignore': '/here\n' }
    expect(await ignored(files, ['top', 'a/top', 'x/y', 'a/x/y', 'a/here', 'a/b/here', 'here'])).toEqual(['top', 'x/y', 'a/here'])
  })

  it('that end with a slash mean folders only', async () => {
    expect(await ignored(
      { '.gitignore': 'cache/\n' }, ['cache', 'cache/', 'a/cache/', 'cache/x'],
    )).toEqual(['cache/', 'a/cache/', 'cache/x'])
  })

  it('say nothing of the top itself, nor of what lies outside', async () => {
    const { path } = temporary({ 'repo/.gitignore': '*\n', 'other/x': '' })
    const rules = await IgnoreRules.under(`${path}/repo`)
    const asked = ['/repo', '/repo/', '/other/x', '/repo-two/x', '', '/repo/../other/x', '/repo/..', '/repo/a/../../other/x']
    expect(asked.filter(one => rules.ignores(`${path}${one}`))).toEqual([])
    expect(rules.ignores('relative/x')).toBe(false)
    expect(rules.ignores(`${path}/repo/./a/../x`)).toBe(true)
  })

  it('are found for a top that is written with a slash at its end', async () => {
    const { path } = temporary({ '.gitignore': 'x\n' })
    expect((await IgnoreRules.under(`${path}/`)).ignores(`${path}/x`)).toBe(true)
  })

  it('are none without a file, and where a folder has its name', async () => {
    expect(await ignored({ 'a/.gitignore/x': '' }, ['x', 'a/x'])).toEqual([])
  })

  it('come from .git/info/exclude of the top before any .gitignore, which may take them back', async () => {
    const files = { '.git/info/exclude': '*.tmp\n*.log\n', '.gitignore': '!a.log\n', 'deep/.gitignore': '!b.log\n', 'deep/.git/info/exclude': '*.txt\n' }
    expect(await ignored(files, ['x.tmp', 'a.log', 'b.log', 'deep/b.log', 'deep/c.log', 'deep/x.txt'])).toEqual(['x.tmp', 'b.log', 'deep/c.log'])
    // In a worktree it is a file that says where the repository is.
    expect(await ignored({ '.git': 'gitdir: /nowhere\n', '.gitignore': '*.log\n' }, ['a.log', 'a.tmp'])).toEqual(['a.log'])
  })

  it.each(['\ufeff*.log\n', '*.log\r\n', '*.log'])('are read from %j', async text => {
    expect(await ignored({ '.gitignore': text }, ['a.log', 'a.txt'])).toEqual(['a.log'])
  })

  it('are those that git has, for any patterns and paths', async () => {
    const names = ['a', 'b', 'c.log', 'build', '.hidden', 'A']
    const pattern = fc.tuple(
      fc.constantFrom('', '', '', '!'), fc.constantFrom('', '', '/', '**/'),
      fc.array(fc.constantFrom(...names, '*', '*.log', '**', '?', '[ab]', 'b*'), { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', '', '/', '/**'),
    ).map(([not, from, parts, end]) => not + from + parts.join('/') + end)
    const path = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }).map(parts => parts.join('/'))
    const file = fc.array(pattern, { maxLength: 4 }).map(patterns => `${patterns.join('\n')}\n`)
    const files = fc.record({ '.gitignore': file, 'a/.gitignore': file, 'a/build/.gitignore': file }, { noNullPrototype: true })
    const cases = fc.sample(fc.tuple(files, fc.uniqueArray(path, { minLength: 12, maxLength: 12 })), { numRuns: 60, seed: 1 })

    let count = 0
    for (const [written, paths] of cases) {
      const tree = temporary(written)
      const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
      expect(spawnSync('git', ['init', '--quiet', tree.path], { env }).status).toBe(0)
      const asked = paths.filter(one => !Object.keys(written).some(other => other.startsWith(`${one}/`)))
      const check = ['-C', tree.path, '-c', 'core.quotePath=false', 'check-ignore', '--no-index', '--stdin']
      const git = spawnSync('git', check, { env, input: asked.join('\n'), encoding: 'utf8' })
      expect(git.stderr).toBe('')
      const rules = await IgnoreRules.under(tree.path)
      const found = asked.filter(one => rules.ignores(`${tree.path}/${one}`))
      expect(found, JSON.stringify(written)).toEqual(git.stdout.split('\n').filter(Boolean))
      count += found.length
    }
    // The generated set must not be one that says nothing.
    expect(count).toBeGreaterThan(100)
  }, 60_000)
})

describe('patterns for other uses', () => {
  it('say yes to what they would ignore as lines of a .gitignore, all in a folder included', async () => {
    const matches = (await IgnoreRules.patterns())(['src/**', '!src/*.md', 'apps/', '*.log', '/top'])
    const paths = ['src/a.ts', 'src/deep/b.ts', 'src/a.md', 'lib/src/a.ts', 'apps/web/x', 'apps', 'a/b.log', 'top', 'a/top', 'x']
    expect(paths.filter(matches)).toEqual(['src/a.ts', 'src/deep/b.ts', 'apps/web/x', 'a/b.log', 'top'])
  })

  it('are one pattern each, whatever is in them', async () => {
    const matches = (await IgnoreRules.patterns())(['a\nb'])
    expect(['a', 'b', 'a\nb'].filter(matches)).toEqual(['a\nb'])
  })

  it('answer as before once the library has forgotten what it was asked', async () => {
    const matches = (await IgnoreRules.patterns())(['*.ts', '!kept.ts'])
    const asked = Array.from({ length: 2500 }, (_, at) => [matches(`f${at}.ts`), matches('kept.ts'), matches(`f${at}.js`)].join())
    expect(new Set(asked)).toEqual(new Set(['true,false,false']))
  })
})
