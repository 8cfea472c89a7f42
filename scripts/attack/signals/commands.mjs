// @ts-check
import { commandRowsOf } from '../../commands.mjs'

/** @typedef {{ readonly name: string, readonly args: string, readonly least: number, readonly most: number, readonly options: readonly string[], readonly refuses?: readonly string[] }} Row */

/** Lists every command of the program. @returns {Promise<readonly Row[]>} */
export const commandRows = () => commandRowsOf()

/**
 * Returns words that a command may be given, by the names of its arguments in the table: one of each list is drawn.
 * @param {{ readonly slow: string }} places
 * @returns {Readonly<Record<string, readonly string[]>>}
 */
export function wordsFor({ slow }) {
  return {
    NAME: ['waits', 's7-plan', 'nothing-like-it'],
    QUERY: ['plan the release'],
    PATH: ['.', '.claude/skills'],
    SOURCE: ['../big.tgz', '../source', slow],
    ID: ['0123456789'],
    QUESTION: ['q'],
    ANSWER: ['yes'],
    DIR: ['../plug', '.'],
    COMMAND: ['list'],
    list: ['list'],
  }
}

/**
 * Draws a command line for a row: its arguments and some of its options, with those values that keep the command busy.
 * @param {Row} row @param {import('../random.mjs').Random} random
 * @param {Readonly<Record<string, readonly string[]>>} words @param {string} slow
 * @returns {readonly string[]}
 */
export function lineOf({ name, args, least, options, refuses }, random, words, slow) {
  const places = [...args.matchAll(/[A-Za-z]+/g)].map(([word]) => word)
  const count = Math.max(least, random.once(3) ? 0 : Math.min(1, places.length))
  const given = places.slice(0, count).map(place => random.pick(words[place] ?? ['x']))
  const flags = options.flatMap(option => {
    const [, flag = '', value] = /^(--[a-z-]+)(?: <([a-z=]+))?/.exec(option) ?? []
    if (flag === '--queue') return [flag, slow]
    if (flag === '--dir' || flag === '--report' || flag === '--recordings') return []
    if (value === 'file') return random.once(4) ? [flag, '../tmp-file'] : []
    return value === undefined && random.once(3) ? [flag] : []
  })
  const plugins = refuses === undefined && random.once(3) ? ['--plugin-dir', '../plug'] : []
  return [...name.split(' '), ...given, ...flags, ...plugins]
}
