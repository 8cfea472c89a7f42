import { describe, expect, test } from 'vitest'
import { argumentProblems } from './argument-problems.js'
import { findCommand } from './parse-arguments.js'
import type { CommandRow } from './command-row.js'

const row = (name: string): CommandRow => ({ name, args: '', least: 0, most: 0, options: [] })
const rows = [row('list'), row('plugin init'), row('plugin check'), row('help')]

function find(
  line: string,
  { isHelpWanted = false, rest = [] as readonly string[] } = {},
): readonly [string | undefined, ...string[]] {
  const { row: found, args } = findCommand(rows, line === '' ? [] : line.split(' '), {
    rest,
    isHelpWanted,
    problems: argumentProblems,
  })
  return [found?.name, ...args]
}

describe('a command of a group', () => {
  test('has two words, and its arguments after them', () => {
    expect(find('plugin init a b')).toEqual(['plugin init', 'a', 'b'])
    expect(find('list plugin')).toEqual(['list', 'plugin'])
  })

  test('is asked for when the group stands alone, and proposed when it is mistyped', () => {
    expect(() => find('plugin')).toThrow(/^skills plugin .*: init, check\.$/)
    expect(() => find('plugin chek')).toThrow(/"plugin chek"\. .* plugin check\?$/)
    expect(() => find('plugin xyzzy', { isHelpWanted: true })).toThrow('plugin xyzzy')
  })

  test('is not asked for when help is wanted for the group', () => {
    expect(find('plugin', { isHelpWanted: true })).toEqual(['help', 'plugin'])
  })
})

test('a word that means several commands is answered with each of them', () => {
  expect(() => find('check')).toThrow(/"lint" .*"outdated" .*"verify"/)
  expect(() => find('constructor')).toThrow('There is no command "constructor".')
})

test('without a word there is no command, and a word after -- is one that is not known', () => {
  expect(find('')).toEqual([undefined])
  expect(() => find('', { rest: ['x'] })).toThrow('"x"')
})
