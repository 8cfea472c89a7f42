import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { namedRoot, Root, temporaryRoot, writeNamed } from '../writer.js'

function treeOf(files: Parameters<typeof tempTree>[0]): TempTree {
  const tree = tempTree(files)
  onTestFinished(() => tree.dispose())
  return tree
}

function projectIn(tree: TempTree, places: readonly string[] = ['']): Root {
  return new Root(`${tree.path}/project`, { kind: 'project', places })
}

const refusal = (message: string): unknown =>
  expect.objectContaining({ code: 'E_WRITE', message: expect.stringContaining(message) })

describe('in a project', () => {
  const outside = { 'outside/kept': 'mine' }
  const acts: Readonly<Record<string, (root: Root, path: string) => unknown>> = {
    write: (root, path) => root.write(path, 'theirs', { replaces: 'ours' }),
    create: (root, path) => root.create(path, 'theirs'),
    makeFolder: (root, path) => root.makeFolder(`${path}/made`),
    link: (root, path) => root.link(path, '..'),
    'move to': (root, path) => root.move('source', path),
    'move from': (root, path) => root.move(path, 'elsewhere'),
    remove: (root, path) => root.remove(path),
    removeEmpty: (root, path) => root.removeEmpty(path),
    touch: (root, path) => root.touch(path, 0),
    hardLink: (root, path) => root.hardLink(path, 'elsewhere'),
  }

  test.each(Object.entries(acts))('%s passes through no link, at whichever level', (_, act) => {
    const tree = treeOf({
      ...outside,
      'project/source': 'x',
      'project/one': { link: '../outside' },
      'project/a/two': { link: '../../outside' },
      'project/a/b/loop': { link: '..' },
    })
    for (const path of ['one/kept', 'a/two/kept', 'a/b/loop/two/kept'])
      expect(() => act(projectIn(tree), path)).toThrow(refusal('is a link to'))
    expect(readdirSync(`${tree.path}/outside`)).toEqual(['kept'])
    expect(readFileSync(`${tree.path}/outside/kept`, 'utf8')).toBe('mine')
    expect(statSync(`${tree.path}/outside/kept`).mtimeMs).toBeGreaterThan(0)
  })

  test.each(['a', 'a/b'])('a folder that is kept is walked to anew once another stands at its path: %s', swapped => {
    const tree = treeOf({ ...outside, 'outside/b/kept': 'mine', 'project/a/b/file': 'x' })
    const project = projectIn(tree)
    project.keep()
    onTestFinished(() => project.release())
    project.create('a/b/one', '1')
    renameSync(`${tree.path}/project/${swapped}`, `${tree.path}/project/moved`)
    symlinkSync(swapped === 'a' ? '../outside' : '../../outside/b', `${tree.path}/project/${swapped}`)
    for (const act of Object.values(acts)) expect(() => act(project, 'a/b/kept')).toThrow(refusal('is a link to'))
    expect(readdirSync(`${tree.path}/outside/b`)).toEqual(['kept'])
    unlinkSync(`${tree.path}/project/${swapped}`)
    project.create('a/b/two', '2')
    expect(readdirSync(`${tree.path}/project/a/b`)).toEqual(['two'])
  })

  test.runIf(process.platform === 'linux')(
    'while folders are kept only the last few are open, and none afterwards',
    () => {
      const tree = treeOf({ 'project/file': 'x' })
      const open = (): number => readdirSync('/proc/self/fd').length
      const before = open()
      const project = projectIn(tree)
      project.keep()
      for (let at = 0; at < 100; at++) project.create(`folder-${at}/file`, 'x')
      expect(open() - before).toBeLessThan(20)
      project.release()
      expect(open()).toBe(before)
      expect(readdirSync(`${tree.path}/project`)).toHaveLength(101)
    },
  )

  test('a link in the place itself is neither followed nor replaced', () => {
    const tree = treeOf({ ...outside, 'project/file': { link: '../outside/kept' } })
    for (const replaces of ['nothing', 'ours', 'named', { bytes: Buffer.from('mine') }] as const)
      expect(() => projectIn(tree).write('file', 'theirs', { replaces })).toThrow(
        refusal('is a link to ../outside/kept'),
      )
    expect(() => projectIn(tree).create('file', 'theirs')).toThrow('EEXIST')
    expect(() => projectIn(tree).open('file', 2)).toThrow('ELOOP')
    expect(readFileSync(`${tree.path}/outside/kept`, 'utf8')).toBe('mine')
    projectIn(tree).remove('file')
    expect(readdirSync(`${tree.path}/project`)).toEqual([])
  })

  test('a root that is reached through a link of the project is refused', () => {
    const tree = treeOf({ ...outside, 'project/sub': { link: '../outside' } })
    const top = `${tree.path}/project`
    const root = new Root(`${top}/sub`, { kind: 'project', top, places: [''] })
    expect(() => root.write('file', 'x', { replaces: 'nothing' })).toThrow(refusal('is a link to ../outside'))
  })

  test.each(['../x', 'a/../../x', '/x', 'a//x', '', './x', 'a/', 'x\0'])('%j is no path', path => {
    const tree = treeOf({ 'project/a/b': 'x' })
    expect(() => projectIn(tree).write(path, 'x', { replaces: 'ours' })).toThrow(refusal('path below'))
  })

  test.each([
    '.git',
    '.GIT',
    '.Git.',
    '.git ',
    'GIT~1',
    'git~22',
    '.g\u200cit',
    '.git::$INDEX_ALLOCATION',
    '.\uFF47it',
    '.hg',
    '.svn',
    '.jj',
    'node_modules',
    'NODE_MODULES',
  ])('nothing is written to %j, also deep within', name => {
    const tree = treeOf({ 'project/a/b': 'x' })
    for (const path of [name, `${name}/hooks/pre-commit`, `a/${name}/config`])
      expect(() => projectIn(tree).write(path, 'x', { replaces: 'ours' })).toThrow(refusal('other programs keep'))
  })

  test('nothing is written to a repository of git by another name, nor below it', () => {
    const tree = treeOf({
      'project/store/HEAD': 'ref: refs/heads/main',
      'project/store/objects/x': '',
      'project/store/hooks/x': '',
      'project/tree/HEAD': 'ref: refs/heads/main',
      'project/tree/commondir': '../store',
    })
    for (const path of ['store/config', 'store/hooks/pre-commit', 'tree/config'])
      expect(() => projectIn(tree).write(path, 'x', { replaces: 'ours' })).toThrow(
        refusal('the inside of a git repository'),
      )
  })

  test('only its places are written to', () => {
    const tree = treeOf({ 'project/a': 'x' })
    const root = projectIn(tree, ['skills.json', '.agents/skills'])
    root.write('skills.json', '{}', { replaces: 'ours' })
    root.write('.agents/skills/a/SKILL.md', 'x', { replaces: 'nothing' })
    for (const path of ['.agents/x', '.agents/skills.md', '.github/workflows/x.yml', 'a', 'skills.json.x'])
      expect(() => root.write(path, 'x', { replaces: 'ours' })).toThrow(refusal('Nothing may be written to'))
  })

  test.runIf(process.platform === 'linux')(
    'a folder that another process swaps for a link again and again leads nowhere',
    async () => {
      const tree = treeOf({ 'outside/inner/kept': 'mine', 'project/a/inner/x': 'x', 'project/move': 'x' })
      const script = `
        const fs = require('node:fs')
        process.chdir(${JSON.stringify(`${tree.path}/project`)})
        console.log('up')
        for (let at = 0; ; at++) {
          try { fs.renameSync('a', 'b' + at); fs.symlinkSync('../outside', 'a') } catch {}
          try { fs.unlinkSync('a') } catch {}
        }`
      const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
      onTestFinished(() => void child.kill('SIGKILL'))
      await once(child.stdout, 'data')
      const root = projectIn(tree)
      let [refused, written] = [0, 0]
      while (refused < 50 || written < 50)
        try {
          root.makeFolder('a/inner')
          root.create(`a/inner/${written}`, 'theirs')
          root.remove('a/inner/kept')
          written++
        } catch {
          refused++
        }
      child.kill('SIGKILL')
      await once(child, 'exit')
      expect(readdirSync(`${tree.path}/outside`)).toEqual(['inner'])
      expect(readdirSync(`${tree.path}/outside/inner`)).toEqual(['kept'])
    },
  )
})

describe('a file', () => {
  test('is replaced as is said', () => {
    const tree = treeOf({ 'project/file': 'before' })
    const root = projectIn(tree)
    const path = `${tree.path}/project/file`
    const { ino, size, mtimeMs } = statSync(path)
    expect(() => root.write('file', 'x', { replaces: 'nothing' })).toThrow(refusal('already exists'))
    expect(() => root.write('file', 'x', { replaces: { bytes: undefined } })).toThrow(
      refusal('changed by another program'),
    )
    expect(() => root.write('file', 'x', { replaces: { bytes: Buffer.from('else') } })).toThrow(refusal('changed'))
    expect(() => root.write('file', 'x', { replaces: { ino, size, mtimeMs: 1 } })).toThrow(refusal('changed'))
    expect(readFileSync(path, 'utf8')).toBe('before')
    root.write('file', 'second', { replaces: { ino, size, mtimeMs } })
    root.write('file', 'third', { replaces: { bytes: Buffer.from('second') } })
    expect(readFileSync(path, 'utf8')).toBe('third')
    expect(readdirSync(`${tree.path}/project`)).toEqual(['file'])
  })

  test('that is changed while it is written is left as it then is', () => {
    const tree = treeOf({ 'project/file': 'before' })
    const root = projectIn(tree)
    for (const [path, replaces] of [
      ['file', 'named'],
      ['new', 'nothing'],
    ] as const) {
      const other = (): void => tree.write({ [`project/${path}`]: 'of another' })
      expect(() => root.write(path, 'x', { replaces, ready: other })).toThrow(
        /changed by another program|already exists/,
      )
      expect(readFileSync(`${tree.path}/project/${path}`, 'utf8')).toBe('of another')
    }
    expect(readdirSync(`${tree.path}/project`)).toEqual(['file', 'new'])
  })

  test('keeps its mode, and is not replaced when it is read-only and a person named it', () => {
    const tree = treeOf({ file: 'before' })
    const path = `${tree.path}/file`
    chmodSync(path, 0o640)
    writeNamed(path, 'after', '/')
    expect(statSync(path).mode & 0o777).toBe(0o640)
    chmodSync(path, 0o440)
    expect(() => writeNamed(path, 'x', '/')).toThrow(refusal('is read-only'))
    expect(readFileSync(path, 'utf8')).toBe('after')
  })

  test('that has a second name elsewhere leaves what goes by that as it is', () => {
    const tree = treeOf({ 'outside/kept': 'mine', 'project/a': 'x' })
    new Root(tree.path, { kind: 'person' }).hardLink('outside/kept', 'project/file')
    projectIn(tree).write('file', 'theirs', { replaces: 'ours' })
    expect(readFileSync(`${tree.path}/outside/kept`, 'utf8')).toBe('mine')
  })

  test('is for this user alone in a private and a temporary folder', () => {
    const tree = treeOf({ own: { dir: true } })
    const own = new Root(`${tree.path}/own`, { kind: 'private' })
    own.write('a/file', 'x', { replaces: 'ours' })
    own.create('b', 'x')
    const temporary = temporaryRoot('skills-test.')
    onTestFinished(() =>
      new Root(`${temporary.path}/..`, { kind: 'person' }).remove(temporary.path.split('/').at(-1) ?? ''),
    )
    temporary.create('a/file', 'x')
    const modes = [
      `${own.path}/a`,
      `${own.path}/a/file`,
      `${own.path}/b`,
      temporary.path,
      `${temporary.path}/a`,
      `${temporary.path}/a/file`,
    ]
    expect(modes.map(path => (statSync(path).mode & 0o777).toString(8))).toEqual([
      '700',
      '600',
      '600',
      '700',
      '700',
      '600',
    ])
  })
})

describe('what a person named', () => {
  test('may lie behind a link of their own, and not behind one of the working folder or a repository', () => {
    const tree = treeOf({
      'real/x': 'x',
      mine: { link: 'real' },
      'work/out': { link: '../real' },
      'clone/.git/HEAD': 'x',
      'clone/sub/out': { link: '../../real' },
    })
    writeNamed(`${tree.path}/mine/report`, 'ok', `${tree.path}/work`)
    expect(readFileSync(`${tree.path}/real/report`, 'utf8')).toBe('ok')
    for (const path of ['work/out/other', 'clone/sub/out/other'])
      expect(() => writeNamed(`${tree.path}/${path}`, 'x', `${tree.path}/work`)).toThrow(refusal('is a link to'))
    expect(readdirSync(`${tree.path}/real`)).toEqual(['report', 'x'])
  })

  test('that cannot be is said to be so when something is written to it, and holds nothing to be removed', () => {
    const tree = treeOf({ file: 'x' })
    for (const place of ['file', 'file/below', 'file/far/below']) {
      const root = new Root(`${tree.path}/${place}`, { kind: 'person' })
      for (const act of [() => root.makeFolder(''), () => root.write('a', 'x', { replaces: 'ours' })])
        expect(act).toThrow(expect.objectContaining({ code: expect.stringMatching(/^(?:ENOTDIR|EEXIST)$/) }))
      if (place === 'file') continue
      root.remove('a')
      root.removeAbandoned('')
    }
    expect(readFileSync(`${tree.path}/file`, 'utf8')).toBe('x')
  })

  test('is made where it is missing', () => {
    const tree = treeOf({ work: { dir: true } })
    const root = namedRoot(`${tree.path}/work/a/b`, `${tree.path}/work`)
    expect(root.makeFolder('c')).toEqual(['a', 'a/b', 'a/b/c'].map(path => `${tree.path}/work/${path}`))
    expect(root.removeEmpty('c')).toBe(true)
    expect(root.makeFolder('')).toEqual([])
  })
})

describe('a folder', () => {
  test('is moved whole, and over nothing', () => {
    const tree = treeOf({
      'project/a/inner/x': 'x',
      'project/b/y': 'y',
      'project/empty': { dir: true },
      'project/link': { link: 'b' },
    })
    const root = projectIn(tree)
    for (const place of ['b', 'empty', 'link']) expect(root.move('a', place)).toBe(false)
    expect(root.move('a', 'new/c')).toBe(true)
    expect(readFileSync(`${tree.path}/project/new/c/inner/x`, 'utf8')).toBe('x')
  })

  test('is removed with everything in it, and links in it are not followed', () => {
    const tree = treeOf({ 'outside/kept': 'x', 'project/a/b/c': 'x', 'project/a/out': { link: '../../outside' } })
    projectIn(tree).remove('a')
    projectIn(tree).remove('a/b/c')
    expect(existsSync(`${tree.path}/project/a`)).toBe(false)
    expect(readdirSync(`${tree.path}/outside`)).toEqual(['kept'])
  })

  test('that was replaced by another one since its root was opened is not written to', () => {
    const tree = treeOf({ 'project/x': 'x', 'other/x': 'x' })
    const root = projectIn(tree)
    new Root(tree.path, { kind: 'person' }).move('project', 'before')
    mkdirSync(`${tree.path}/project`)
    expect(() => root.write('y', 'x', { replaces: 'ours' })).toThrow(refusal('replaced'))
  })

  test('gets links, and says so as the system does where something is there', () => {
    const tree = treeOf({ 'project/x': 'x' })
    const root = projectIn(tree)
    root.link('sub/y', '../x')
    expect(readlinkSync(`${tree.path}/project/sub/y`)).toBe('../x')
    expect(() => root.link('x', 'y')).toThrow(`symlink 'y' -> '${tree.path}/project/x'`)
    expect(lstatSync(`${tree.path}/project/x`).isFile()).toBe(true)
  })
})
