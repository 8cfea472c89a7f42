import { expect, test } from 'vitest'
import { checkPackageName, npmNameProblem } from './package-name.js'

test.each(['acme', 'acme-tools', '@acme/tools', '@a.b/c1'])('%j is taken', name => {
  expect(checkPackageName(name)).toBeUndefined()
})

test.each([
  ['Acme', 'acme'],
  ['acme_tools', 'acme-tools'],
  ['acme--tools', 'acme-tools'],
  ['@Acme/tools', '@acme/tools'],
  ['.acme', 'acme'],
  ['acme tools', 'acme-tools'],
])('%j is refused, and %j is the nearest', (name, nearest) => {
  expect(checkPackageName(name)).toMatchObject({ nearest })
})

test.each([
  '',
  '-',
  'mcp',
  '@acme/plugin',
  'fs',
  'node_modules',
  'ärger',
  '@/x',
  'a/b',
  '@a/b/c',
  '../a',
  `a${'b'.repeat(64)}`,
])('%j is refused', name => {
  expect(checkPackageName(name)?.message).toMatch(/\.$/)
})

test('npm takes names that are no names of plugins', () => {
  expect([npmNameProblem('acme_tools'), npmNameProblem('a.b'), npmNameProblem('user')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(npmNameProblem('a'.repeat(215))).toContain('215')
})
