import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toolContent } from './index.js'

it.each([
  ['Bash', { command: 'git log', description: 'Looks.' }, 'git log'],
  ['PowerShell', { command: 'Get-Item' }, 'Get-Item'],
  ['Bash', { script: 'ls' }, '{"script":"ls"}'],
  ['Read', { file_path: '/a/b', limit: 3 }, '/a/b'],
  ['Write', { path: 'a', content: 'x' }, 'a'],
  ['Fetch', { url: 'https://example.org' }, '{"url":"https://example.org"}'],
  ['Fetch', 'text', '"text"'],
  ['Fetch', undefined, ''],
  ['Fetch', null, 'null'],
])('of %s with %j rules are compared with %s', (tool, input, content) => {
  expect(toolContent(tool, input)).toBe(content)
})

it('does not let a command that is harmless stand for the file that is written', () => {
  expect(toolContent('Write', { path: '/etc/passwd', command: 'ls' })).toBe('/etc/passwd')
})

it('compares the whole where the input names two files, one of which might hide the other', () => {
  expect(toolContent('Write', { path: 'notes.md', file_path: '/etc/passwd' })).toBe(
    '{"path":"notes.md","file_path":"/etc/passwd"}',
  )
  expect(toolContent('Write', { path: 'notes.md', file_path: 7 })).toBe('{"path":"notes.md","file_path":7}')
})

it('is text for every name and every input that a model sends', () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), (tool, input) => {
      expect(typeof toolContent(tool, input)).toBe('string')
    }),
  )
})
