import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tempTree } from '@skills/testing'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { makeRepository, recorded, type Repository } from '../../test/make-repository.js'
import { gitStore, type GitStoreOptions } from '../git.js'
import type { GitStore } from './git-store.js'

const call = { signal: new AbortController().signal, maxBytes: 1_000_000 }

function repositoryWith(samples: Parameters<typeof makeRepository>[0] = { 'a/SKILL.md': 'Text.' }): Repository {
  const repository = makeRepository(samples)
  onTestFinished(() => repository.tree.dispose())
  return repository
}

function storeOf({ path }: { readonly path: string }, options: Partial<GitStoreOptions> = {}): GitStore {
  const store = gitStore({ repository: path, ref: 'main', root: 'git:', ...options })
  onTestFinished(() => store.close())
  return store
}

async function text(store: GitStore, path: string): Promise<string | undefined> {
  const found = await store.read(`git:/${path}`, call)
  return found?.found === 'file' ? found.bytes.toString('utf8', 0, found.length) : found?.found
}

describe('nothing of a repository runs', () => {
  it('that its configuration, hooks and attributes name', async () => {
    const repository = repositoryWith({
      'a/SKILL.md': 'Text.',
      '.gitattributes': '* diff=evil filter=evil textconv=evil',
    })
    const pwned = `${repository.tree.path}/pwned`
    const run = `touch ${pwned}`
    for (const key of [
      'core.fsmonitor',
      'core.sshCommand',
      'core.pager',
      'pager.cat-file',
      'pager.ls-tree',
      'core.editor',
      'core.askPass',
      'credential.helper',
      'core.gitProxy',
      'core.alternateRefsCommand',
      'diff.evil.textconv',
      'diff.external',
      'filter.evil.smudge',
      'filter.evil.process',
      'uploadpack.packObjectsHook',
      'gpg.program',
      'alias.cat-file',
      'alias.ls-tree',
      'trace2.eventTarget',
    ])
      repository.git('config', key, key.startsWith('alias') || key === 'credential.helper' ? `!${run}` : run)
    repository.git('config', 'core.hooksPath', `${repository.path}/hooks`)
    for (const hook of [
      'post-index-change',
      'reference-transaction',
      'pre-auto-gc',
      'post-checkout',
      'fsmonitor-watchman',
    ]) {
      repository.tree.write({ [`skills.git/hooks/${hook}`]: { content: `#!/bin/sh\n${run}\n`, mode: 0o755 } })
    }
    expect(await text(storeOf(repository), 'a/SKILL.md')).toBe('Text.')
    expect(existsSync(pwned)).toBe(false)
  })

  it.each([
    ['ext', 'ext::touch %p'],
    ['ssh', 'ssh://localhost/x'],
    ['file', 'file://%p'],
    ['a helper of its own', 'evil::x'],
  ])('and nothing is fetched where a partial clone lacks a file, by %s', async (_how, url) => {
    const repository = repositoryWith({ 'a/SKILL.md': 'Text.', 'b/SKILL.md': 'Other.' })
    const pwned = `${repository.tree.path}/pwned`
    repository.tree.write({ 'bin/git-remote-evil': { content: `#!/bin/sh\ntouch ${pwned}\n`, mode: 0o755 } })
    for (const [key, value] of [
      ['remote.origin.url', url.replace('%p', pwned)],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.partialclonefilter', 'blob:none'],
      ['extensions.partialClone', 'origin'],
      ['core.repositoryformatversion', '1'],
      ['protocol.allow', 'always'],
      ['protocol.ext.allow', 'always'],
      ['protocol.evil.allow', 'always'],
      ['protocol.ssh.allow', 'always'],
      ['core.sshCommand', `touch ${pwned}`],
      ['remote.origin.uploadpack', `touch ${pwned};`],
    ] as const)
      repository.git('config', key, value)
    const id = repository.git('rev-parse', 'main:a/SKILL.md')
    unpack(repository)
    rmSync(`${repository.path}/objects/${id.slice(0, 2)}/${id.slice(2)}`)
    const env = { PATH: `${repository.tree.path}/bin:${process.env['PATH'] ?? ''}` }
    await Promise.allSettled([
      text(storeOf(repository, { env }), 'a/SKILL.md'),
      text(storeOf(repository, { env }), 'b/SKILL.md'),
    ])
    expect(existsSync(pwned)).toBe(false)
  })

  it('and git gets no more of the environment than the search path', async () => {
    const repository = repositoryWith()
    const { program } = recorded(repository.tree, `env > '${repository.tree.path}/env'; exec git "$@"`)
    const env = {
      PATH: process.env['PATH'],
      HOME: '/root',
      GIT_DIR: '/elsewhere',
      GIT_ALTERNATE_OBJECT_DIRECTORIES: '/elsewhere',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.pager',
      GIT_CONFIG_VALUE_0: 'x',
      GIT_EXEC_PATH: '/elsewhere',
      API_TOKEN: 'secret',
      LD_PRELOAD: '',
    }
    expect(await text(storeOf(repository, { program, env }), 'a/SKILL.md')).toBe('Text.')
    const names = readFileSync(`${repository.tree.path}/env`, 'utf8')
      .split('\n')
      .map(line => line.split('=')[0] ?? '')
    expect(
      names.filter(name =>
        [
          'HOME',
          'GIT_DIR',
          'API_TOKEN',
          'GIT_EXEC_PATH',
          'GIT_CONFIG_COUNT',
          'GIT_ALTERNATE_OBJECT_DIRECTORIES',
          'LD_PRELOAD',
        ].includes(name),
      ),
    ).toEqual(['HOME'])
  })
})

describe('a repository that leads elsewhere is refused', () => {
  it.each(['objects/info/alternates', 'commondir'])('by %s', async file => {
    const [repository, other] = [repositoryWith(), repositoryWith()]
    appendFileSync(`${repository.path}/${file}`, `${other.path}/objects\n`)
    await expect(text(storeOf(repository), 'a/SKILL.md')).rejects.toMatchObject({
      code: 'E_GIT_REPOSITORY',
      message: expect.stringContaining(`${repository.path}/${file} `),
    })
  })
  it('by its folder of objects, or by a .git that is a file or a link', async () => {
    const repository = repositoryWith()
    renameSync(`${repository.path}/objects`, `${repository.tree.path}/objects`)
    symlinkSync(`${repository.tree.path}/objects`, `${repository.path}/objects`)
    await expect(text(storeOf(repository), 'a/SKILL.md')).rejects.toMatchObject({ code: 'E_GIT_REPOSITORY' })
    const { path, tree } = repositoryWith()
    for (const name of ['file', 'link']) mkdirSync(`${tree.path}/${name}`)
    writeFileSync(`${tree.path}/file/.git`, `gitdir: ${path}\n`)
    symlinkSync(path, `${tree.path}/link/.git`)
    for (const name of ['file', 'link'])
      await expect(text(storeOf({ path: `${tree.path}/${name}` }), 'a/SKILL.md')).rejects.toMatchObject({
        code: 'E_GIT_REPOSITORY',
      })
    await expect(text(storeOf({ path: tree.path }), 'a/SKILL.md')).rejects.toMatchObject({ code: 'E_GIT_REPOSITORY' })
  })
  it('and one that is not there has nothing in it', async () => {
    const tree = tempTree()
    onTestFinished(() => tree.dispose())
    expect(await storeOf({ path: `${tree.path}/nowhere` }).list('git:', call)).toBeUndefined()
  })
})

describe('a ref', () => {
  it.each([
    '',
    '-c',
    '--upload-pack=touch x',
    '@',
    '@{-1}',
    'main~1',
    'main^',
    'main:a',
    ':/text',
    'main^{/x}',
    'a..b',
    'a b',
    'a\nb',
    'a\0',
    '/a',
    'a/',
    'a//b',
    'a/.b',
    'a.lock',
    'a.',
    'a\\b',
    'a*',
  ])('is no option and no expression: %j', ref => {
    expect(() => gitStore({ repository: '/a', ref })).toThrow(expect.objectContaining({ code: 'E_INVALID_OPTION' }))
  })
  it('that is taken gives one line to git', () => {
    const isTaken = (ref: string): boolean => {
      try {
        return gitStore({ repository: '/a', ref }).id === 'git'
      } catch {
        // Git refused the name.
        return false
      }
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), ref => {
        expect(isTaken(ref) && /[\n\0 :^~]|^-/.test(ref)).toBe(false)
      }),
      { numRuns: 2000 },
    )
  })
  it('is a branch, a tag or a commit, and nothing else', async () => {
    const repository = repositoryWith()
    const first = repository.git('rev-parse', 'main')
    repository.git('tag', '-a', '-m', 'One.', 'v1')
    repository.git('tag', 'blob', repository.git('rev-parse', 'main:a/SKILL.md'))
    repository.commit({ 'a/SKILL.md': 'Newer.' })
    for (const [ref, expected] of [
      ['HEAD', 'Newer.'],
      ['refs/heads/main', 'Newer.'],
      ['v1', 'Text.'],
      [first, 'Text.'],
      [first.slice(0, 12), 'Text.'],
    ] as const)
      expect(await text(storeOf(repository, { ref }), 'a/SKILL.md')).toBe(expected)
    for (const ref of ['none', 'blob', 'f'.repeat(40)])
      await expect(text(storeOf(repository, { ref }), 'a/SKILL.md')).rejects.toMatchObject({ code: 'E_GIT_REF' })
  })
})

describe('an entry', () => {
  it('that is a submodule or a pointer of Git LFS is told of', async () => {
    const repository = repositoryWith({
      'a/SKILL.md': `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 5\n`,
      'b/SKILL.md': 'Text.',
    })
    repository.git('read-tree', 'main')
    repository.git('update-index', '--add', '--cacheinfo', `160000,${repository.git('rev-parse', 'main')},c/sub`)
    repository.git(
      'update-ref',
      'refs/heads/main',
      repository.git('commit-tree', '-m', 'x', repository.git('write-tree')),
    )
    const store = storeOf(repository)
    expect(await store.read('git:/a/SKILL.md', call)).toEqual({ found: 'other', what: 'a pointer of Git LFS' })
    expect(await store.list('git:/c', call)).toMatchObject({
      folders: [],
      files: [],
      others: [{ name: 'sub', what: 'a submodule' }],
    })
    expect(await store.read('git:/c/sub', call)).toEqual({ found: 'other', what: 'a submodule' })
  })
  it('is the object of its id, not one that is put in its place', async () => {
    const repository = repositoryWith({ 'a/SKILL.md': 'Text.', 'b/SKILL.md': 'Other text.' })
    repository.git(
      'replace',
      repository.git('rev-parse', 'main:a/SKILL.md'),
      repository.git('rev-parse', 'main:b/SKILL.md'),
    )
    expect(await text(storeOf(repository), 'a/SKILL.md')).toBe('Text.')
  })
  it('of a work tree does not count until it is committed', async () => {
    const bare = repositoryWith()
    bare.git('clone', '-q', bare.path, `${bare.tree.path}/work`)
    bare.tree.write({ 'work/a/SKILL.md': 'Changed.' })
    expect(await text(storeOf({ path: `${bare.tree.path}/work` }), 'a/SKILL.md')).toBe('Text.')
  })
  it('is one of so many', async () => {
    const repository = repositoryWith(
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}/SKILL.md`, 'x'])),
    )
    await expect(text(storeOf(repository, { maxEntries: 20 }), '1/SKILL.md')).rejects.toMatchObject({
      code: 'E_GIT_LIMIT',
    })
  })
})

describe('a git that', () => {
  it.each([
    ['is not there', undefined, 'cannot be started'],
    ['fails', 'echo broken >&2; exit 3', 'broken'],
    ['hangs', 'exec sleep 1000', 'gave no answer for 200 ms'],
    ['answers what is no answer', 'while read -r line; do echo "what $line"; done', 'answered'],
    ['says much', 'read -r line; exec yes', 'answered'],
    ['says much on one line', 'read -r line; exec tr "\\0" x < /dev/zero', 'without a request'],
    [
      'gives too much',
      `read -r line; echo "${'0'.repeat(40)} commit 999999999999"; exec yes`,
      'gave 999999999999 bytes',
    ],
  ])('%s is an error with its code, and has ended', async (_how, script, says) => {
    const repository = repositoryWith()
    const { program, running } =
      script === undefined
        ? { program: `${repository.tree.path}/no-git`, running: () => [] }
        : recorded(repository.tree, script)
    const store = storeOf(repository, { program, timeoutMs: script?.includes('sleep') === true ? 200 : 20_000 })
    await expect(text(store, 'a/SKILL.md')).rejects.toMatchObject({
      code: 'E_GIT_FAILED',
      message: expect.stringContaining(says),
    })
    await store.close()
    expect(running()).toEqual([])
  })
  it('ends in between is started again', async () => {
    const repository = repositoryWith({ 'a/SKILL.md': 'Text.', 'b/SKILL.md': 'Other.' })
    const { program, running } = recorded(repository.tree)
    const store = storeOf(repository, { program })
    expect(await text(store, 'a/SKILL.md')).toBe('Text.')
    const [pid = 0] = running()
    process.kill(pid, 'SIGKILL')
    await Promise.allSettled([text(store, 'b/SKILL.md')])
    expect(await text(store, 'b/SKILL.md')).toBe('Other.')
  })
  it('is not asked keeps no program from its end, and one that is closed does until it has ended', async () => {
    const store = storeOf(repositoryWith())
    const holds = (): number => process.getActiveResourcesInfo().filter(name => name === 'ProcessWrap').length
    expect(await text(store, 'a/SKILL.md')).toBe('Text.')
    const before = holds()
    const closed = store.close()
    expect(holds()).toBe(before + 1)
    await closed
  })
})

test('options are checked', () => {
  for (const options of [{ maxEntries: 0 }, { timeoutMs: Number.NaN }])
    expect(() => gitStore({ repository: '/a', ...options })).toThrow(
      expect.objectContaining({ code: 'E_INVALID_OPTION' }),
    )
})

/** Makes a file of each object, because small imports are kept so. */
function unpack(repository: Repository): void {
  repository.git('config', 'core.compression', '0')
  expect(readdirSync(`${repository.path}/objects/pack`)).toEqual([])
}
