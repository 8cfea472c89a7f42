import type { Assignment, Command, SyntaxNode } from 'unbash'
import { builtins, decidesWhatRuns, plainSetOptions, plainShellOptions } from './bash-names.js'
import type { BashWords, ReadWord } from './bash-words.js'
import { nothing, onlyHeld, type Held, type HeldValues } from './held-values.js'
import { hasFixedOperator } from './test-operands.js'

/** Callbacks for the commands and scripts that a command itself runs. */
export interface Runs {
  call(name: ReadWord, args: readonly (ReadWord | Assignment)[], node: Command, isWrapped: boolean): void
  /** Follows a text that bash reads as a script. */
  text(held: Held, where: SyntaxNode): void
}

export const identifier = /^[A-Za-z_]\w*$/
const assigned = /^([A-Za-z_]\w*)\+?=/

/** Follows values into bash itself: assignments, declarations and other builtins. */
export class BashBuiltins {
  constructor(
    private readonly held: HeldValues,
    private readonly words: BashWords,
    private readonly scripts: Runs,
  ) {}

  builtin(name: string, words: readonly ReadWord[], node: Command): void {
    const tainted = words.find(({ from }) => from !== undefined) ?? nothing
    const [first, second] = words
    switch (name) {
      case '[':
      case 'test': {
        const operands = name === '[' ? words.slice(0, -1) : words
        if (
          !hasFixedOperator(operands.map(word => ({ ...word, text: word.from === undefined ? word.text : undefined })))
        )
          this.held.refuse(
            'again',
            operands.some(({ text }) => text?.includes('[') === true) ? this.held.any : tainted,
            node,
          )
        return
      }
      case 'printf':
        return this.#printf(words, node)
      case 'read':
      case 'mapfile':
      case 'readarray':
      case 'unset':
        return this.#names(name, words, node)
      case 'wait':
        return this.held.refuse('runs', tainted, node)
      case 'getopts':
        if (first?.text === undefined || second?.text === undefined || !identifier.test(second.text))
          return this.held.refuse('runs', this.held.any, node)
        return this.held.assign(second.text, this.held.anyIn([...words, this.held.lookUp('@')]), node)
      case 'set':
        return this.#set(words, node)
      case 'let':
        for (const word of words) this.words.calculateText(word.node)
        return
      case 'eval':
        if (words.some(({ splits }) => splits)) return this.held.refuse('runs', this.held.any, node)
        return this.scripts.text(this.#joined(words), node)
      case 'trap': {
        const [action, ...signals] = first?.text === '--' ? words.slice(1) : words
        if (action === undefined || (signals.length === 0 && tainted.from === undefined)) return
        this.held.refuse('runs', this.held.anyIn(signals), node)
        return this.scripts.text(action.splits ? nothing : action, node)
      }
      case 'source':
      case '.': {
        if (
          first?.text === undefined ||
          first.splits ||
          (first.from !== undefined && !this.held.isOwn(first)) ||
          /^-|^\/(?:dev|proc)\//.test(first.text)
        )
          return this.held.refuse('runs', this.held.any, node)
        // The content of the file is not read.
        return this.held.refuse(this.held.isWritten(first) ? 'runs' : 'again', this.held.any, node)
      }
      case 'exec':
      case 'command':
      case 'builtin': {
        const at = words.findIndex(({ text }) => text === undefined || !text.startsWith('-'))
        const options = words.slice(0, at < 0 ? words.length : at)
        if (options.some(({ from }) => from !== undefined)) return this.held.refuse('runs', tainted, node)
        if (name === 'command' && options.some(({ text = '' }) => /[vV]/.test(text))) return
        const inner = words[at]
        if (inner === undefined) return
        return this.scripts.call(inner, words.slice(at + 1), node, true)
      }
      case 'shopt':
        if (!words.every(({ text = '' }) => plainShellOptions.test(text))) this.held.refuse('runs', this.held.any, node)
        return
      default:
        if (builtins.get(name) === 'unsure') this.held.refuse('runs', this.held.any, node)
        if (/^(?:cd|pushd)$/.test(name)) for (const one of words) this.held.meet(one)
    }
  }

  #printf(words: readonly ReadWord[], node: Command): void {
    const [first, second] = words
    if (first === undefined) return
    if (
      first.text === undefined
        ? first.splits || first.prefix === '' || first.prefix.startsWith('-')
        : first.splits && first.from !== undefined
    )
      return this.held.refuse('runs', first.from === undefined ? this.held.any : first, node)
    if (first.from !== undefined && first.text?.startsWith('-') === true) return this.held.refuse('runs', first, node)
    if (first.text?.startsWith('-v') !== true) return
    const target = first.text === '-v' ? second?.text : first.text.slice(2)
    if (target === undefined || (second?.from !== undefined && first.text === '-v') || !identifier.test(target))
      return this.held.refuse('runs', this.held.any, node)
    this.held.assign(target, this.held.anyIn(words.map(word => this.held.calculated(word))), node)
  }

  /** Handles builtins whose words may be names of variables. */
  #names(name: string, words: readonly ReadWord[], node: Command): void {
    const isReading = name !== 'unset'
    const read = this.held.isPiped || this.held.isKept ? this.held.any : nothing
    for (const [at, { text, from, splits }] of words.entries()) {
      const option = words[at - 1]?.text
      if (from !== undefined) {
        if (name === 'read' && !splits && option !== undefined && /^-[ers]*[pidt]$/.test(option)) continue
        return this.held.refuse('runs', { from }, node)
      }
      // The option calls a command for each line.
      const isCalled = name !== 'read' && /^-\w*C/.test(text ?? '')
      if (text === undefined || splits || text.includes('[') || isCalled)
        return this.held.refuse('runs', this.held.any, node)
      if (!isReading || !identifier.test(text)) continue
      if (name !== 'read' || words.some(({ text: other }) => /^-\w*a/.test(other ?? '')))
        this.held.mark(this.held.lists, text)
      this.held.assign(text, read, node)
    }
  }

  #set(words: readonly ReadWord[], node: Command): void {
    if (words.length === 0) this.held.meet(this.held.any)
    let at = 0
    for (; at < words.length; at += 1) {
      const { text, from, splits } = words[at] ?? { splits: true }
      if (text === '--' && from === undefined) break
      if (text === undefined || splits || (from !== undefined && /^[-+]/.test(text)))
        return this.held.refuse('runs', this.held.any, node)
      if (!/^[-+]/.test(text) && words[at - 1]?.text?.endsWith('o') !== true) break
      if (!plainSetOptions.test(text)) return this.held.refuse('runs', this.held.any, node)
    }
    for (const word of words.slice(at)) this.held.assign('@', onlyHeld(word), word.node)
  }

  #joined(words: readonly ReadWord[]): Held {
    const isKnown = words.every(({ text }) => text !== undefined)
    return { ...this.held.anyIn(words), text: isKnown ? words.map(({ text }) => text).join(' ') : undefined }
  }

  declare(name: string, args: readonly (ReadWord | Assignment)[], node: Command, isWrapped: boolean): void {
    const options = args
      .flatMap(one => ('type' in one || !/^[-+]/.test(one.text ?? '') ? [] : [one.text ?? '']))
      .join('')
    const isExported = name === 'export' || options.includes('x')
    // A name reference takes its name from a value that is assigned later.
    if (options.includes('n') && name !== 'export') this.held.refuse('runs', this.held.any, node)
    if (options.includes('p') || args.length === 0) this.held.meet(this.held.any)
    for (const one of args) {
      if (!('type' in one)) {
        if (/^[-+]/.test(one.text ?? '') && one.from === undefined) continue
        const [, target] = assigned.exec(one.prefix) ?? []
        if (target !== undefined && !one.splits) {
          this.#declareOne(
            target,
            options,
            { from: one.from, text: one.text?.slice(one.text.indexOf('=') + 1) },
            one.node,
            isExported,
          )
          // A value that looks like a list is read as one.
          this.held.refuse('again', one, node)
        } else if (one.text === undefined || one.from !== undefined || one.splits)
          this.held.refuse('runs', one.from === undefined ? this.held.any : one, node)
        else if (identifier.test(one.text)) this.#declareOne(one.text, options, undefined, one.node, isExported)
        else this.held.refuse('runs', this.held.any, node)
        continue
      }
      if (isWrapped) {
        this.held.refuse('runs', this.assignmentWord(one), node)
        continue
      }
      const { index, value } = one
      if (index !== undefined) {
        this.held.mark(this.held.lists, one.name)
        this.held.refuse('runs', this.held.any, one)
      } else if (value.type === 'Word')
        this.#declareOne(one.name, options, onlyHeld(this.words.word(value)), one, isExported)
      else {
        this.#declareOne(one.name, `${options}a`, undefined, one, isExported)
        this.assignment(one, isExported)
        if (/[Ai]/.test(options)) this.held.refuse('again', this.held.lookUp(one.name), one)
      }
    }
  }

  #declareOne(name: string, options: string, held: Held | undefined, where: SyntaxNode, isExported: boolean): void {
    if (options.includes('i')) this.held.mark(this.held.integers, name)
    if (/a/i.test(options)) this.held.mark(this.held.lists, name)
    if (isExported && held === undefined) {
      const { from } = this.held.lookUp(name)
      if (from !== undefined && decidesWhatRuns(name, true)) this.held.refuse('runs', { from }, where)
    }
    if (held === undefined) return
    // The value of a list variable is read as a list.
    if (this.held.lists.has(name)) this.held.refuse('again', held, where)
    this.held.assign(name, held, where, isExported)
  }

  assignment(node: Assignment, isExported: boolean): void {
    const { name, value, index } = node
    if (index !== undefined) {
      this.held.mark(this.held.lists, name)
      this.words.calculateText(index)
    }
    if (value.type === 'Word') return this.held.assign(name, onlyHeld(this.words.word(value)), value, isExported)
    this.held.mark(this.held.lists, name)
    for (const element of value.elements) {
      const held = this.words.word(element)
      // The subscript is calculated.
      if (element.text.startsWith('[') && !/^\[\d+\]\+?=/.test(element.text))
        this.held.refuse('again', this.held.any, node)
      this.held.assign(name, { from: this.held.calculated(held).from }, element)
    }
  }

  /** Reads an argument that looks like an assignment. */
  assignmentWord(node: Assignment): ReadWord {
    const { value, index, name } = node
    const words = [...(index === undefined ? [] : [index]), ...(value.type === 'Word' ? [value] : value.elements)]
    return { from: this.held.anyIn(words.map(word => this.words.word(word))).from, splits: true, prefix: name, node }
  }
}
