import type { Command } from 'unbash'
import { effectsOf } from '@skills/rules/internal'
import type { Runs } from './bash-builtins.js'
import type { ReadWord } from './bash-words.js'
import { nothing, type HeldValues } from './held-values.js'

const shells = /(?:^|\/)(?:ba|da)?sh$/

/** Follows values into the programs that a script starts. */
export class BashPrograms {
  constructor(
    private readonly held: HeldValues,
    private readonly scripts: Pick<Runs, 'text'>,
  ) {}

  /** Follows values into a program that is not part of bash. */
  program(name: ReadWord, given: readonly ReadWord[], node: Command): void {
    const words = given.flatMap(word =>
      word.splits && word.from === undefined && word.text !== undefined && this.held.splitsPlainly(word.text)
        ? word.text.split(/ +/).map(text => ({ ...word, text, splits: false }))
        : [word],
    )
    const tainted = this.held.anyIn(words)
    if (/(?:^|\/)(?:env|printenv)$/.test(name.text ?? '')) this.held.meet(this.held.any)
    this.held.keep(tainted)
    const script = shells.test(name.text ?? '') ? scriptAt(words) : undefined
    if (script !== undefined) {
      for (const word of words.slice(script + 1)) this.held.assign('@', { from: word.from }, word.node)
      return this.scripts.text(words[script] ?? nothing, node)
    }
    const isFed = tainted.from !== undefined || this.held.isPiped
    if (isFed && this.#readsNoCode(name, words)) return
    const runs = new Set<ReadWord>(name.text?.includes('/') === true ? [name] : [])
    this.#effects(name, words, node, { isFed, isOpen: false }, runs)
    // A word that is known only in part may be an option. Plain values cannot turn it into one.
    if (isFed) this.#effects(name, words, node, { isFed, isOpen: true }, runs)
    for (const word of runs) if (this.held.isWritten(word)) this.held.refuse('runs', this.held.any, node)
    if (isFed) for (const word of words) if (!runs.has(word)) this.held.write(word)
  }

  /** Refuses values in code that a program runs, and collects the words that name what it runs. */
  #effects(
    name: ReadWord,
    words: readonly ReadWord[],
    node: Command,
    { isFed, isOpen }: { readonly isFed: boolean; readonly isOpen: boolean },
    runs: Set<ReadWord>,
  ): void {
    const place = isOpen ? 'again' : 'runs'
    const { found } = effectsOf(
      [name, ...words].map(({ text, from, splits, prefix }) => {
        const isKnown = text !== undefined && !(splits && from !== undefined)
        return {
          text: text ?? prefix,
          // Neither code of a program nor the name of a subcommand.
          value: isKnown ? text : `${prefix}${from === undefined ? 'x' : 'system(|1e'}`,
          isOpen: isKnown || from === undefined || !isOpen ? undefined : opening(prefix, splits),
        }
      }),
    )
    for (const { effect, at } of found) {
      const word = at === 0 ? name : words[at - 1]
      if (effect === 'code' || effect === 'script' || at === Infinity) {
        // A value may also reach it through an environment variable.
        if (isFed || this.#namesValue(words)) this.held.refuse(place, this.held.anyIn([...words, this.held.any]), node)
        continue
      }
      if (word === undefined) continue
      runs.add(word)
      if (!isFed || word === name) continue
      if (word.from === undefined ? word.text === undefined : !this.#mayName(word, effect))
        this.held.refuse('runs', word.from === undefined ? this.held.any : word, node)
    }
  }

  /** True if a value may name what a program runs: a folder of the engine's, or a target or script of the project. */
  #mayName(word: ReadWord, effect: string): boolean {
    if (word.text === undefined || word.splits) return false
    return this.held.isOwn(word) || (effect === 'file' && /^\w[\w:.-]*$/.test(word.text))
  }

  /** True if an interpreter gets its code from the script itself, so that the words after it are data. */
  #readsNoCode(name: ReadWord, words: readonly ReadWord[]): boolean {
    const [option, code, next] = words
    if (
      !/(?:^|\/)(?:python[\d.]*|node)$/.test(name.text ?? '') ||
      option?.text === undefined ||
      option.from !== undefined
    )
      return false
    const isNode = name.text?.endsWith('node') === true
    const after = option.text === '-' ? code : next
    if (isNode && after !== undefined && (after.text === undefined || after.splits || after.text.startsWith('-')))
      return false
    if (option.text === '-') return !this.held.isPiped
    return (
      option.text === (isNode ? '-e' : '-c') && code !== undefined && code.from === undefined && code.text !== undefined
    )
  }

  #namesValue(words: readonly ReadWord[]): boolean {
    return words.some(({ text }) =>
      [...(text ?? '').matchAll(/[A-Za-z_]\w*/g)].some(([name]) => this.held.lookUp(name).from !== undefined),
    )
  }
}

/** Returns the index of the script among the words of `sh -c`. */
function scriptAt(words: readonly ReadWord[]): number | undefined {
  const at = words.findIndex(({ text, from }) => from !== undefined || !/^-[euxf]+$/.test(text ?? ''))
  const word = words[at]
  return word !== undefined && word.from === undefined && /^-[euxf]*c$/.test(word.text ?? '') ? at + 1 : undefined
}

/** Returns what a word may become if only its beginning is known. */
function opening(prefix: string, splits: boolean): 'name' | 'word' | 'any' {
  if (splits) return 'any'
  return /^[\w./~]/.test(prefix) ? 'name' : 'word'
}
