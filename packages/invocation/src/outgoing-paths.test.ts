import { symlinkSync } from 'node:fs'
import { createSkills, defineProvider, loadResult, promptCommand } from '@skills/core'
import { fakeHost, tempTree } from '@skills/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { OutgoingPaths, skillAddress } from './outgoing-paths.js'

/** Returns a function that replaces paths, on a machine with these skills. */
async function replacing(
  skills: Readonly<Record<string, string>> = {},
  host: Parameters<typeof fakeHost>[0] = {},
  places: readonly string[] = [],
) {
  const made = fakeHost({ cwd: '/srv/shop/web', home: '/home/ann', showsPaths: false, ...host })
  const engine = createSkills({
    host: made,
    onDiagnostic: () => {},
    plugins: [
      defineProvider({
        kind: 'source',
        id: 'user',
        setup: () => ({
          source: 'user',
          list: () =>
            loadResult({
              commands: Object.entries(skills).map(([name, baseDir]) =>
                promptCommand({ name, source: 'user', baseDir, load: () => ({ template: '' }) }),
              ),
              places: places.map(path => ({ path, state: 'read', found: 0 })),
            }),
        }),
      }),
    ],
  })
  onTestFinished(() => engine.close())
  const paths = new OutgoingPaths(made)
  paths.learn(await engine.catalog())
  return (text: string): string => paths.text(text)
}

describe('a path of this machine', () => {
  test('becomes the address of a skill, the working folder, the home folder or the last part of a place', async () => {
    const text = await replacing({ deploy: '/srv/shop/.claude/skills/deploy', go: '/opt/acme/skills/go' }, {}, [
      '/srv/shop/.claude/skills',
      '/etc/tools/skills',
    ])
    const cases: Readonly<Record<string, string>> = {
      'Base directory for this skill: /srv/shop/.claude/skills/deploy\n\nGo.':
        'Base directory for this skill: skill://deploy\n\nGo.',
      'Read /srv/shop/.claude/skills/deploy/references/a b.md.': 'Read skill://deploy/references/a b.md.',
      '"/opt/acme/skills/go/SKILL.md"': '"skill://go/SKILL.md"',
      '/srv/shop/web/src/a.ts:3': './src/a.ts:3',
      '/srv/shop/web': '.',
      'in /srv/shop.': 'in …/shop.',
      '/srv/shop/package.json': '…/shop/package.json',
      '/home/ann/.ssh': '~/.ssh',
      '/srv/shop/.claude/skills/broken/SKILL.md': '…/skills/broken/SKILL.md',
      '/etc/tools/skills/x': '…/skills/x',
      'file:///home/ann/x': 'file://~/x',
      'cc -I/home/ann/include': 'cc -I~/include',
      'A=/home/ann:/srv/shop/web': 'A=~:.',
    }
    for (const [given, wanted] of Object.entries(cases)) expect([given, text(given)]).toEqual([given, wanted])
  })

  test('of a qualified name has its parts in the address', () => {
    expect([skillAddress('acme:git:push'), skillAddress('a b')]).toEqual(['skill://acme/git/push', 'skill://a%20b'])
  })

  test('is not seen in longer names, in relative paths and in addresses', async () => {
    const text = await replacing({ deploy: '/srv/shop/web/.claude/skills/deploy' }, { cwd: '/app', home: '/' })
    for (const plain of ['packages/app/src', '/apple', '/app-old/x', '/app.old', 'https://a.example/app2', '/usr/bin'])
      expect(text(plain)).toBe(plain)
    expect(text('/app/x')).toBe('./x')
  })

  test('is seen between letters of other alphabets, after an escaped line break and in an encoded address', async () => {
    const tells = await replacing({ deploy: '/home/ann lee/skills/deploy' }, { home: '/home/ann lee' })
    expect(tells('请运行/srv/shop/web/run.sh，然后/srv/shop/web目录')).toBe('请运行./run.sh，然后.目录')
    expect(tells(String.raw`"done\n/srv/shop/web/out"`)).toBe(String.raw`"done\n./out"`)
    expect(tells('file:///home/ann%20lee/x and file:///home/ann%20lee/skills/deploy/y')).toBe(
      'file://~/x and file://skill://deploy/y',
    )
  })

  test('is known by its real path too', async () => {
    const tree = tempTree({ 'data/ann': { dir: true } })
    onTestFinished(() => tree.dispose())
    symlinkSync(`${tree.path}/data/ann`, `${tree.path}/ann`)
    const text = await replacing({}, { home: `${tree.path}/ann` })
    expect(text(`${tree.path}/ann/x and ${tree.path}/data/ann/y`)).toBe('~/x and ~/y')
  })

  test('is known in both notations and any case on Windows', async () => {
    const text = await replacing(
      { deploy: 'C:/Users/Ann/shop/.claude/skills/deploy' },
      { cwd: String.raw`C:\Users\Ann\shop`, home: String.raw`C:\Users\Ann`, platform: 'win32' },
    )
    expect(text(String.raw`c:\users\ann\x and C:/Users/Ann/shop/y`)).toBe(String.raw`~\x and ./y`)
    expect(text(String.raw`"C:\\Users\\Ann\\shop\\z"`)).toBe(String.raw`".\\z"`)
    expect(text(String.raw`C:\Users\Ann\shop\.claude\skills\deploy\a.md`)).toBe(String.raw`skill://deploy\a.md`)
  })

  test('stays where the host shows paths', async () => {
    const text = await replacing({ deploy: '/home/ann/deploy' }, { showsPaths: true })
    expect(text('/home/ann/deploy')).toBe('/home/ann/deploy')
  })
})
