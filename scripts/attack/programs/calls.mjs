// @ts-check
import { spawnSync } from 'node:child_process'
import { programs, values } from './list.mjs'

/** @typedef {{ words: string, operands: string, isChanging: boolean }} Tried */

/** @returns {Tried[]} */
export function tried() {
  return /** @type {const} */ (['looking', 'changing']).flatMap(kind =>
    Object.entries(programs[kind]).flatMap(([key, operands]) => {
      const isPath =
        /^(?:git|kubectl|docker|helm|terraform|gh|npm|pip3?|openssl|ip|systemctl|apt-cache|apt|go|cargo) \w/.test(key)
      return (isPath ? [key] : key.split(' ')).map(words => ({ words, operands, isChanging: kind === 'changing' }))
    }),
  )
}

/**
 * Finds the options that a program names in its help and in its manual page, and adds every single letter.
 * @param {string} words
 * @returns {string[]}
 */
export function optionsOf(words) {
  const [name = '', ...rest] = words.split(' ')
  const read = (/** @type {string} */ program, /** @type {string[]} */ args) => {
    const { stdout, stderr } = spawnSync(program, args, {
      encoding: 'utf8',
      input: '',
      timeout: 10_000,
      cwd: '/',
      env: {
        PATH: process.env['PATH'],
        HOME: '/nonexistent',
        MANPAGER: 'cat',
        PAGER: 'cat',
        MANWIDTH: '200',
        GIT_PAGER: 'cat',
      },
    })
    return `${stdout ?? ''}\n${stderr ?? ''}`
  }
  const text = [
    read(name, [...rest, rest.length > 0 && name === 'git' ? '-h' : '--help']),
    read('man', [name === 'git' && rest.length > 0 ? `git-${rest[0]}` : name]),
  ].join('\n')
  const found = new Set(/** @type {string[]} */ ([]))
  for (const [, option = ''] of text.matchAll(/(?:^|[\s,[(|/'"`])(--?\[?[A-Za-z0-9?@#][\w-]*)/gm))
    found.add(option.replace('[', ''))
  // Every letter, since an option may be in no text.
  for (const letter of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0') found.add(`-${letter}`)
  return [...found].filter(option => !option.endsWith('-')).toSorted()
}

/**
 * Returns the calls of one program: each option with each value in each form, and abbreviations of long options.
 * @param {Tried} tried
 * @param {readonly string[]} options
 * @returns {string[]}
 */
export function callsOf({ words, operands }, options) {
  const calls = new Set(/** @type {string[]} */ ([]))
  const add = (/** @type {string} */ middle) => calls.add([words, middle, operands].filter(one => one !== '').join(' '))
  for (const option of options) {
    add(option)
    for (const value of values) {
      add(`${option} ${value}`)
      add(option.startsWith('--') ? `${option}=${value}` : `${option}${value}`)
    }
    if (option.startsWith('--') && option.length > 6) add(`${option.slice(0, -2)}=./canary`)
  }
  for (const value of values) add(value)
  add('-- ./canary')
  return [...calls]
}
