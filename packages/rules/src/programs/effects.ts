import { optionEffect, plainOption, programOf, subcommand } from './table.js'
import type { Effect, Program } from './program.js'

/** A word of a command as the program gets it. */
export interface Word {
  /** As it is written. */
  readonly text: string
  readonly value: string
  /**
   * Whether it may become other words than its value: `name` in its further letters, `word` wholly, so that it may be an
   * option, `any` several of these.
   */
  readonly isOpen?: 'name' | 'word' | 'any' | undefined
  /** Of the first word of a command, whether it stands behind a pipe. */
  readonly isFed?: boolean | undefined
}

/** Words that a program gets besides those that stand there. */
export const others: Word = { text: '', value: '', isOpen: 'any' }

export interface FoundEffect {
  readonly effect: Effect
  /** The word that names what is run. Infinity where no word does, or where it cannot be said. */
  readonly at: number
}

export interface Effects {
  readonly found: readonly FoundEffect[]
  /** The command that is started in another way and nothing else, with the words that are added to it. */
  readonly inner?: { readonly at: number; readonly words: readonly Word[] } | undefined
}

const nothing: Effects = { found: [] }

/** How many programs may stand before each other, as in `nice nohup time x`. */
const deepest = 16

/** What a command runs for its arguments. It rather finds too much. */
export function effectsOf(words: readonly Word[], depth = 0): Effects {
  const [name] = words
  const program = name && programOf(name.value)
  if (program === undefined) return nothing
  return depth > deepest ? { found: [{ effect: 'code', at: Infinity }] } : effectsFrom(program, words, 1, depth)
}

function effectsFrom(program: Program, words: readonly Word[], start: number, depth: number): Effects {
  const { always, argument, all, operand, subcommands, bare, skip = 0 } = program
  const args = words.slice(start)
  if (
    args.length === 1 &&
    args[0]?.isOpen === undefined &&
    ['--version', '--help', ...(program.asks?.split(' ') ?? [])].includes(args[0]?.value ?? '')
  )
    return nothing
  const found: FoundEffect[] =
    always === undefined
      ? []
      : [{ effect: always, at: always === 'file' || always === 'program' ? start - 1 : Infinity }]
  const add = (effect: Effect | undefined, at = Infinity): void => {
    if (effect !== undefined) found.push({ effect, at })
  }
  if (all !== undefined)
    add(args.some(({ isOpen }) => isOpen !== undefined) ? 'code' : all(args.map(({ value }) => value)))
  const ends = operand !== undefined || subcommands !== undefined
  // What a word that is not known might do.
  const worst = ends || argument !== undefined || program.options !== undefined ? 'code' : undefined
  const unclear = operand ?? 'code'
  let at = start
  for (; at < words.length; at++) {
    const { value, isOpen } = words[at] ?? others
    if (isOpen === 'any' || isOpen === 'word') {
      add(worst)
      if (ends) return { found }
      continue
    }
    const effect = argument?.(value) ?? optionEffect(program, value)
    if (ends && effect === 'file') {
      add(effect, /^--.*=|^-[^-]./.test(value) ? at : at + 1)
      return { found }
    }
    add(effect)
    if (!ends || effect !== undefined) continue
    if (!value.startsWith('-') || value === '-') break
    if (value === '--') {
      at++
      break
    }
    const length = plainOption(program, value)
    if (length === undefined) {
      add(unclear)
      return { found }
    }
    at += length - 1
  }
  if (!ends) {
    if (args.length === 0) add(bare)
    return { found }
  }
  if (at >= words.length) add(bare, bare === 'file' ? start - 1 : Infinity)
  at += skip
  const word = words[at]
  if (word === undefined) return { found }
  if (word.isOpen !== undefined || (skip > 0 && word.value.startsWith('-'))) {
    add(unclear)
    return { found }
  }
  if (subcommands !== undefined) {
    const chosen = subcommand(subcommands, word.value)
    const { found: further } = chosen === undefined ? nothing : effectsFrom(chosen, words, at + 1, depth)
    return { found: [...found, ...further] }
  }
  if (operand !== 'program') {
    // What comes in is no file that someone could look at.
    if ((operand === 'file' || operand === 'source') && /^-$|(?:^|\/)(?:dev|proc)\//.test(word.value)) add('code')
    add(
      operand,
      operand === 'file' || operand === 'source' ? (program.isEach === true ? words.length - 1 : at) : Infinity,
    )
    if (program.isEach === true)
      for (const { value, isOpen } of words.slice(at + 1))
        add(isOpen === undefined ? (argument?.(value) ?? optionEffect(program, value)) : 'code')
    return { found }
  }
  const inner = program.addsWords === true ? [...words.slice(at), others] : words.slice(at)
  const isTransparent =
    found.length === 0 &&
    (program.isTransparent === 'plain' || (program.isTransparent === 'bare' && at === start + skip))
  const place = at
  return {
    found: [
      ...found,
      { effect: 'program', at },
      ...effectsOf(inner, depth + 1).found.map(one => ({ ...one, at: one.at + place })),
    ],
    inner: isTransparent ? { at, words: inner } : undefined,
  }
}
