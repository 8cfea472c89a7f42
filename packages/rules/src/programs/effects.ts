import { optionEffect, plainOption, programOf, subcommand } from './table.js'
import type { Effect, Program } from './program.js'

/** Word of a command in the form that the program gets. */
export interface Word {
  /** Word as it is written. */
  readonly text: string
  readonly value: string
  /**
   * Other words that it may become. `name`: only its later letters may change; `word`: it may be any word, such as an
   * option; `any`: it may be several words.
   */
  readonly isOpen?: 'name' | 'word' | 'any' | undefined
  /** For the first word of a command: true if the command reads from a pipe. */
  readonly isFed?: boolean | undefined
}

/** Word that stands for all unknown words that a program gets in addition to the words in the script. */
export const others: Word = { text: '', value: '', isOpen: 'any' }

export interface FoundEffect {
  readonly effect: Effect
  /** Index of the word that names what is run; Infinity if no word does, or if it is unknown. */
  readonly at: number
}

export interface Effects {
  readonly found: readonly FoundEffect[]
  /** Command that this one only starts in another way, with the words that are added to it. */
  readonly inner?: { readonly at: number; readonly words: readonly Word[] } | undefined
}

const nothing: Effects = { found: [] }

/** Most programs before each other, as in `nice nohup time x`. */
const deepest = 16

/**
 * Finds the programs and scripts that a command runs because of its arguments. It finds too many rather than too few.
 */
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
  // Worst effect of a word that is not known.
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
    // Standard input is not a file that someone could read beforehand.
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
