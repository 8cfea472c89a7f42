import { tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'
import { contentOf, tools } from './tools.js'

function folder() {
  const tree = tempTree({
    'work/a.txt': 'One.\nTwo.\n',
    'work/sub/b.txt': 'Two, again.\n',
    'work/.hidden/c.txt': 'Two.\n',
    'work/out': { link: '../secret.txt' },
    'work/away': { link: '..' },
    'secret.txt': 'Two secrets.\n',
  })
  onTestFinished(() => tree.dispose())
  const own = tools(`${tree.path}/work`)
  return {
    tree,
    use: async (name: string, input: unknown): Promise<unknown> =>
      own[name]?.execute?.(input, { toolCallId: '1', messages: [] }),
  }
}

it('reads, writes, searches and runs in its folder', async () => {
  const { use, tree } = folder()
  expect(await use('Read', { path: 'a.txt' })).toBe('One.\nTwo.\n')
  expect(await use('Write', { path: 'sub/new.txt', content: 'New.' })).toBe('Wrote 4 characters.')
  expect(await use('Read', { path: `${tree.path}/work/sub/new.txt` })).toBe('New.')
  expect(await use('Search', { path: '.', text: 'Two' })).toBe('a.txt:2: Two.\nsub/b.txt:1: Two, again.')
  expect(await use('Search', { path: 'a.txt', text: 'Three' })).toBe('No line contains it.')
  expect(await use('Bash', { command: 'cat a.txt; echo no >&2' })).toBe('One.\nTwo.\nno')
})

it.each(['../secret.txt', 'out', 'away/secret.txt', '/etc/passwd', 'sub/../../secret.txt'])(
  'does not leave its folder by %s',
  async path => {
    const { use, tree } = folder()
    await expect(use('Read', { path })).rejects.toThrow('is not in the working folder.')
    await expect(use('Write', { path, content: 'Gone.' })).rejects.toThrow('working folder')
    await expect(use('Search', { path, text: 'secret' })).rejects.toThrow('working folder')
    tree.dispose()
  },
)

it('says a path in one way, however it is written, so that a rule about it holds', () => {
  for (const path of ['sub/b.txt', './sub/b.txt', 'sub//b.txt', '/work/sub/b.txt', 'x/../sub/b.txt'])
    expect(contentOf('/work', { path, content: '' })).toBe('sub/b.txt')
  expect(contentOf('/work', { command: 'ls' })).toBe('ls')
  expect(contentOf('/work', { command: 'ls', path: 'a' })).toBe('a')
  expect(contentOf('/work', { skill: 'x' })).toBe('{"skill":"x"}')
})
