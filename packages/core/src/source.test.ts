import { describe, expect, test } from 'vitest'
import { fileSkill, local, names, skill } from '../test/engine.js'
import { loadResult, type Diagnostic, type Place } from './index.js'

const error: Diagnostic = { severity: 'error', type: 'io', code: 'unreadable', message: 'No.' }
const place: Place = { path: '/x', state: 'read', found: 1 }

describe('a load result', () => {
  test('is empty but for what it is made of', () => {
    const empty = { commands: [], errors: [], warnings: [], disabledPaths: [], places: [] }
    expect(loadResult({})).toMatchObject({ ...empty, hasErrors: false, errorCount: 0 })
  })

  test('counts its errors', () => {
    expect(loadResult({ errors: [error, error] })).toMatchObject({ hasErrors: true, errorCount: 2 })
  })

  test('has as enabled what does not lie in a disabled folder', () => {
    const commands = [
      fileSkill('a', 'user', '/off/SKILL.md', ''),
      fileSkill('b', 'user', '/on/SKILL.md', ''),
      skill('c'),
      local('d'),
    ]
    expect(names(loadResult({ commands, disabledPaths: ['/off'] }).enabled())).toEqual(['b', 'c', 'd'])
    expect(loadResult({ commands }).enabled()).toBe(commands)
  })

  test('merges with another, its own first', () => {
    const one = loadResult({ commands: [skill('a')], errors: [error], disabledPaths: ['/1'] })
    const two = loadResult({ commands: [skill('b')], warnings: [error], disabledPaths: ['/2'], places: [place] })
    const both = one.merge(two)
    expect(names(both.commands)).toEqual(['a', 'b'])
    expect(both).toMatchObject({
      errors: [error],
      warnings: [error],
      disabledPaths: ['/1', '/2'],
      places: [place],
      errorCount: 1,
    })
    expect(one.commands).toHaveLength(1)
  })
})
