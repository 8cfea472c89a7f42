import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { tarOf } from '../test/archives.js'
import { agreed, machine, skill, temporary, type Machine } from '../test/places.js'
import { applyPlan, outdated, planAdd, planUpdate, readManifest, sync } from './index.js'
import { ci } from './ci.js'
import { readLock } from './lock.js'
import { digestOf } from './skill-files.js'
import { verify } from './verify.js'

const files = { 'SKILL.md': '0'.repeat(64) }
const integrity = `sha512-${'A'.repeat(86)}==`
const commit = '0'.repeat(40)
const git = (url: string, of = commit): object => ({ type: 'git', url, commit: of })
const npm = (name: string, version = '1.2.3'): object => ({ type: 'npm', name, version, integrity })
const github = 'https://github.com/acme/tools.git'

function lockOf(source: string, resolved: object, more: object = {}): string {
  const entry = { source, resolved, path: '', digest: digestOf(files), agents: {}, files, ...more }
  return JSON.stringify({ version: 1, skills: { deploy: entry } })
}

function readOf(text: string): unknown {
  const tree = temporary({ 'skills.lock.json': text })
  return readLock(`${tree.path}/skills.lock.json`, '/home/ann')
}

describe('a lock', () => {
  it.each([
    ['npm:good', npm('good')],
    ['npm:good@^1.2', npm('good')],
    ['npm:good@next', npm('good', '9.0.0-beta.1')],
    ['npm:@acme/good@1 || 2', npm('@acme/good')],
    ['acme/tools#main', git(github)],
    [`acme/tools#${commit}`, git(github)],
    ['~/x', { type: 'folder', path: '/home/ann/x' }],
    ['./a/../x.zip', { type: 'archive', at: './x.zip', digest: `sha256:${'0'.repeat(64)}` }],
    ['https://acme.example', { type: 'site', url: 'https://acme.example' }],
    ['plugin:a@acme/tools', git(github)],
    ['plugin:a@acme/tools', git('https://git.example/x.git')],
    ['plugin:a@acme/tools', npm('any')],
    ['plugin:a@file:///srv/market.git', git('file:///srv/x.git')],
    ['plugin:a@./market', { type: 'folder', path: './market' }],
  ])('from %s may have led to %j', (source, resolved) => {
    expect(readOf(lockOf(source, resolved))).toMatchObject({ deploy: { source, resolved } })
  })

  it.each([
    ['npm:good', npm('evil')],
    ['npm:good', npm('good', 'latest')],
    ['npm:good', npm('good', '../../x')],
    ['npm:good@^1', npm('good', '2.0.0')],
    ['npm:good', { ...npm('good'), integrity: 'sha1-AAAA' }],
    ['npm:good', { ...npm('good'), integrity: `${integrity} evil` }],
    ['npm:good', git(github)],
    ['acme/tools', git('https://github.com/evil/tools.git')],
    ['acme/tools', git('https://github.com.evil.example/acme/tools.git')],
    ['acme/tools', git('https://GITHUB.com/acme/tools.git')],
    ['acme/tools', git(github, 'abc123')],
    [`acme/tools#${'1'.repeat(40)}`, git(github)],
    ['acme/tools', npm('tools')],
    ['./x', { type: 'folder', path: '/etc' }],
    ['./x', { type: 'folder', path: './x/../y' }],
    ['~/x', { type: 'folder', path: '/home/eve/x' }],
    ['https://a.example/x.zip', { type: 'archive', at: 'https://b.example/x.zip', digest: `sha256:${'0'.repeat(64)}` }],
    ['https://a.example/x.zip', { type: 'archive', at: 'https://a.example/x.zip', digest: 'sha256:0' }],
    ['https://a.example', { type: 'site', url: 'https://b.example' }],
    ['plugin:a@acme/tools', { type: 'folder', path: '/etc' }],
    ['plugin:a@acme/tools', git('file:///home/ann/private.git')],
    ['plugin:a@acme/tools', git('http://git.example/x.git')],
    ['plugin:a@acme/tools', git('ext::sh -c x')],
    ['plugin:a@acme/tools', { type: 'archive', at: '/x.zip', digest: `sha256:${'0'.repeat(64)}` }],
    ['plugin:a@acme/tools', { type: 'site', url: 'https://a.example' }],
    ['plugin:a@plugin:b@acme/tools', npm('a')],
    ['ext::sh -c x', npm('a')],
    [
      'https://ann:geheim-word@a.example/x.zip',
      { type: 'archive', at: 'https://ann:geheim-word@a.example/x.zip', digest: `sha256:${'0'.repeat(64)}` },
    ],
  ])('from %s that says %j is refused, with what to do', (source, resolved) => {
    const read = (): unknown => readOf(lockOf(source, resolved))
    expect(read).toThrow(expect.objectContaining({ code: 'E_INSTALL_LOCK' }) as Error)
    expect(read).toThrow(
      expect.objectContaining({
        code: 'E_INSTALL_LOCK',
        message: expect.stringMatching(/skills\.lock\.json .*"deploy".*skills update/s),
      }),
    )
    expect(read).not.toThrow(/geheim-word/)
  })

  it('whose folder leads out of its source, or that links where its source is none, is refused', () => {
    for (const more of [{ path: '../x' }, { path: '/etc' }, { path: 'a/../../x' }, { path: 'a\\..\\..' }])
      expect(() => readOf(lockOf('./x', { type: 'folder', path: './x' }, more))).toThrow('leads out of its source')
    const linked = { digest: '', files: {} }
    expect(readOf(lockOf('./x', { type: 'folder', path: './x' }, linked))).toHaveProperty('deploy.digest', '')
    expect(() => readOf(lockOf('plugin:a@./x', { type: 'folder', path: './x' }, linked))).toThrow('the digest of')
  })

  it('with a key that stands twice is refused: who reviews reads the first, a program the last', () => {
    const text = lockOf('npm:good', npm('good'))
    const twice = text.replace('"type":"npm"', '"name":"evil","type":"npm"')
    expect(() => readOf(twice)).toThrow('an object has the same key twice')
    expect(() => readOf(text.replace('"version":1', '"vers\\u0069on":2,"version":1'))).toThrow(
      'an object has the same key twice',
    )
    const tree = temporary({ 'skills.json': '{"skills":{"a":{"source":"./x"},"a":{"source":"./y"}}}' })
    expect(() => readManifest(`${tree.path}/skills.json`)).toThrow('an object has the same key twice')
    expect(readOf(lockOf('npm:good', npm('good'), { note: 'a "quoted\\": key"' }))).toHaveProperty('deploy')
  })

  it('that does not fit is refused by every command that reads it, and nothing is written', async () => {
    const source = 'npm:good'
    const at = machine({
      'project/skills.lock.json': lockOf(source, npm('evil')),
      'project/skills.json': JSON.stringify({ skills: { deploy: { source } } }),
    })
    const refused = expect.objectContaining({ code: 'E_INSTALL_LOCK' }) as Error
    await expect(verify(at)).rejects.toThrow(refused)
    for (const work of [ci({}, at), sync({}, at), planUpdate(undefined, at), outdated(at)])
      await expect(work).rejects.toThrow(refused)
    expect(existsSync(at.place.folder)).toBe(false)
  })
})

describe('a marketplace', () => {
  const marketOf = (source: unknown): string => JSON.stringify({ name: 'm', plugins: [{ name: 'x', source }] })
  const asking = async (at: Machine, market = '../market'): Promise<unknown> =>
    planAdd(`plugin:x@${market}`, {}, at).then(
      plan => {
        plan?.discard()
        return 'added'
      },
      (error: unknown) => error,
    )

  it.each([
    { source: 'github', repo: 'npm:x' },
    { source: 'github', repo: 'plugin:x@../market' },
    { source: 'github', repo: '../folder' },
    { source: 'github', repo: './x' },
    { source: 'github', repo: '/etc' },
    { source: 'github', repo: '~/x' },
    { source: 'github', repo: 'a/b/c' },
    { source: 'github', repo: 'a/b#c' },
    { source: 'github', repo: 'git@host:x/y' },
    { source: 'github', repo: 'a/..' },
    { source: 'github', repo: ['a/b'] },
    { source: 'url', url: 'npm:x' },
    { source: 'url', url: '../folder' },
    { source: 'url', url: '/etc' },
    { source: 'url', url: 'plugin:x@a/b' },
    { source: 'url', url: 'https://ann:geheim-word@host/x.git' },
    { source: 'url', url: 'https://host/x.git?private_token=geheim-word' },
    { source: 'url', url: 'https://host/x.git#-x' },
    { source: 'git', url: '--upload-pack=x@host:y' },
    { source: 'git-subdir', url: 'https://host/x', path: '../..' },
    { source: 'git', url: 'https://host/x', sha: 'abc' },
    { source: 'git', url: 'https://host/x', ref: '--x' },
    { source: 'npm', package: '../x' },
    { source: 'npm', package: 'x@npm:y' },
    { source: 'npm', package: 'x', version: 'file:../y' },
    { source: 'npm', package: 'x', version: '1.0.0-y.tgz' },
    { source: 'plugin', plugin: 'x' },
    { source: 'folder', path: '/etc' },
    '/etc',
    '../folder',
    7,
  ])('that names %j is not followed', async source => {
    const at = machine({ 'market/.claude-plugin/marketplace.json': marketOf(source), 'folder/SKILL.md': skill('x') })
    const error = await asking(at)
    expect(error).toMatchObject({ code: 'E_INSTALL_SOURCE' })
    expect(String(error)).not.toContain('geheim-word')
  })

  it('whose plugin is a link out of its tree is refused', async () => {
    const at = machine({
      'market/.claude-plugin/marketplace.json': marketOf('./plugins/x'),
      'market/plugins/x': { link: '../../folder' },
      'folder/skills/x/SKILL.md': skill('x'),
    })
    expect(await asking(at)).toMatchObject({ code: 'E_INSTALL_UNSAFE' })
  })

  it('in an archive leads to what lies in it, which stays what the lock says', async () => {
    const archive = tarOf(
      { path: '.claude-plugin/marketplace.json', content: marketOf('./plugins/x') },
      { path: 'plugins/x/skills/x/SKILL.md', content: skill('x') },
    )
    const at = machine({ 'market.tar': archive })
    const plan = agreed(await planAdd('plugin:x@../market.tar', {}, at))
    await applyPlan(plan, { agreed: plan.digest }, at)
    expect(await verify(at)).toEqual([])
    at.tree.remove('project/.agents', 'home/.cache')
    expect(await ci({}, at)).toMatchObject({ repaired: ['x'] })
    expect(readFileSync(`${at.place.folder}/x/SKILL.md`, 'utf8')).toBe(skill('x'))
  })

  it('that leads elsewhere by now is not followed by a lock', async () => {
    const at = machine({
      'market/.claude-plugin/marketplace.json': marketOf('./plugins/x'),
      'market/plugins/x/skills/x/SKILL.md': skill('x'),
    })
    const plan = agreed(await planAdd('plugin:x@../market', {}, at))
    await applyPlan(plan, { agreed: plan.digest }, at)
    at.tree.write({ 'market/.claude-plugin/marketplace.json': marketOf({ source: 'npm', package: 'evil' }) })
    at.tree.remove('project/.agents', 'home/.cache')
    const { differences } = await ci({}, at)
    expect(differences).toMatchObject([{ message: expect.stringContaining('names another source') as string }])
  })
})

it('a skills-lock.json of another installer names no other kind of source than it says', () => {
  const entry = (sourceType: string, source: string): string =>
    JSON.stringify({ version: 1, skills: { x: { sourceType, source } } })
  for (const [kind, source] of [
    ['github', 'npm:evil'],
    ['github', '/etc'],
    ['git', 'npm:evil'],
    ['well-known', '/etc'],
    ['well-known', 'npm:evil'],
    ['node_modules', '../x'],
  ] as const) {
    const tree = temporary({ 'skills-lock.json': entry(kind, source) })
    expect(() => readManifest(`${tree.path}/skills.json`)).toThrow(
      expect.objectContaining({ code: 'E_INSTALL_LOCK', message: expect.stringContaining('"x"') }),
    )
  }
  const tree = temporary({ 'skills-lock.json': entry('github', 'acme/tools') })
  expect(readManifest(`${tree.path}/skills.json`).skills).toEqual({ x: { source: 'acme/tools' } })
})

it('a file that is called as something of every object is compared as any other', async () => {
  const at = machine({ 'from/SKILL.md': skill('from'), 'from/constructor': 'a', 'from/toString': 'b' })
  const plan = agreed(await planAdd('../from', {}, at))
  await applyPlan(plan, { agreed: plan.digest }, at)
  expect(await verify(at)).toEqual([])
  at.tree.write({ 'project/.agents/skills/from/valueOf': 'c' })
  expect(await verify(at)).toMatchObject([{ kind: 'added' }])
})
