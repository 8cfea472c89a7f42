import {
  forEachChild,
  type ArithmeticExpression,
  type ParameterExpansionPart,
  type ParsedScript,
  type SyntaxNode,
  type TestExpression,
  type Word,
  type WordPart,
} from 'unbash'
import type { Held, HeldValues } from './held-values.js'

export interface ReadWord extends Held {
  /** True if it may become several words, or none. */
  readonly splits: boolean
  /** Text that it begins with in any case. */
  readonly prefix: string
  readonly node: SyntaxNode
}

const numeric = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge'])

/** Reads words, calculations and tests. Finds those that contain a value, and those that evaluate a value. */
export class BashWords {
  /** @param script follows the script of a substitution */
  constructor(
    private readonly held: HeldValues,
    private readonly script: (script: ParsedScript, source: string) => void,
  ) {}

  word(node: Word): ReadWord {
    const read =
      node.parts === undefined
        ? { text: node.value, named: this.held.named(node.value), splits: false }
        : this.parts(node.parts, false)
    return this.held.meet({ prefix: prefixOf(node), node, ...read })
  }

  parts(parts: readonly WordPart[], isQuoted: boolean): Held & { readonly splits: boolean } {
    let from: string | undefined
    let text: string | undefined = ''
    let named: string | undefined
    let splits = false
    for (const part of parts) {
      const one = this.#part(part, isQuoted)
      named ??= one.named
      from = this.held.merge({ from }, one)
      text = text === undefined || one.text === undefined ? undefined : text + one.text
      splits ||= one.splits === true
    }
    this.held.meet({ from })
    return { from, text, named, splits }
  }

  #part(part: WordPart, isQuoted: boolean): Held & { readonly splits?: boolean } {
    switch (part.type) {
      case 'Literal':
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        return { text: part.value, named: this.held.named(part.value) }
      case 'DoubleQuoted':
      case 'LocaleString':
        return this.parts(part.parts, true)
      case 'SimpleExpansion': {
        const name = part.text.slice(1)
        return {
          ...this.held.lookUp(name),
          splits: isQuoted ? name === '@' : !/^[?#$!]$/.test(name),
          ...(/^[@*]$/.test(name) && { text: undefined }),
        }
      }
      case 'ParameterExpansion':
        return { splits: !isQuoted || part.parameter === '@' || part.index?.text === '@', ...this.#parameter(part) }
      case 'CommandExpansion':
        return { ...this.#output(part, part.script), splits: !isQuoted }
      case 'ArithmeticExpansion':
        if (part.expression === undefined) this.held.refuse('runs', this.held.any, part)
        else this.calculate(part.expression)
        return { splits: false }
      case 'ProcessSubstitution': {
        if (part.operator === '>') this.held.pipe(this.held.any)
        return this.#output(part, part.script)
      }
      case 'Glob':
      case 'ExtendedGlob':
      case 'BraceExpansion': {
        if (part.type === 'ExtendedGlob' && part.parts === undefined && /[$`]/.test(part.text))
          this.held.refuse('runs', this.held.any, part)
        return { from: this.parts(part.parts ?? [], isQuoted).from, splits: true }
      }
    }
  }

  /** Returns the output of a substitution. */
  #output(node: SyntaxNode, script: ParsedScript | undefined): Held {
    if (script === undefined) this.held.refuse('runs', this.held.any, node)
    const met = this.held.meeting(() => {
      if (script !== undefined) this.script(script, this.held.source)
    })
    return this.held.isKept ? { from: this.held.any.from } : met
  }

  #parameter(part: ParameterExpansionPart): Held {
    const { parameter, prefix, index, operation } = part
    const held = this.held.lookUp(parameter)
    const isAll = index?.text === '@' || index?.text === '*'
    if (index !== undefined && !isAll) this.calculateText(index)
    // The operation takes effect in any case.
    const result = this.#operated(part, held)
    // Names of variables, which a calculation would evaluate.
    if (operation?.type === 'Names') return { from: this.held.any.from }
    if (prefix === '!' && !(isAll && operation === undefined)) {
      this.held.refuse(operation === undefined ? 'again' : 'runs', operation === undefined ? held : this.held.any, part)
      return { from: this.held.any.from }
    }
    return prefix === '#' ? {} : result
  }

  /** Returns the result of an expansion, and follows its assignments and calculations. */
  #operated(part: ParameterExpansionPart, held: Held): Held {
    const { parameter, index, operation } = part
    switch (operation?.type) {
      case undefined:
        return index === undefined ? held : { from: held.from }
      case 'Default': {
        const operand = this.word(operation.operand)
        if (operation.operator.endsWith('=')) this.held.assign(parameter, { from: operand.from }, part)
        if (operation.operator.endsWith('-') && held.text !== undefined && held.text !== '') return held
        return this.#joinedTo(held, operand)
      }
      case 'Remove':
        this.word(operation.operand)
        break
      case 'Replace':
        this.word(operation.pattern)
        return this.#joinedTo(held, this.word(operation.replacement))
      case 'CaseModification':
        if (operation.operand !== undefined) this.word(operation.operand)
        break
      case 'Slice':
        for (const one of [operation.offset, operation.length]) if (one !== undefined) this.calculateText(one)
        break
      case 'Transform':
        if (!/^[QUuLaKkAE]$/.test(operation.operand.text)) this.held.refuse('runs', held, part)
        break
      case 'Names':
        return {}
      case 'Unknown':
        this.held.refuse('runs', this.held.any, part)
    }
    return { from: held.from }
  }

  #joinedTo(held: Held, { from, named }: Held): Held {
    return { from: this.held.merge(held, { from }), named: held.named ?? named }
  }

  calculate(node: ArithmeticExpression): void {
    switch (node.type) {
      case 'ArithmeticBinary':
        this.calculate(node.left)
        return this.calculate(node.right)
      case 'ArithmeticUnary':
        return this.calculate(node.operand)
      case 'ArithmeticTernary':
        for (const one of [node.test, node.consequent, node.alternate]) this.calculate(one)
        return
      case 'ArithmeticGroup':
        return this.calculate(node.expression)
      case 'ArithmeticCommandExpansion':
        return this.calculateText(node)
      case 'ArithmeticWord':
        return this.calculateText(node)
    }
  }

  /**
   * Follows a text that bash calculates. A value put into it becomes part of the expression, and a variable named in it
   * is an expression of its own.
   */
  calculateText(node: SyntaxNode): void {
    let text = ''
    const look = (one: SyntaxNode): void => {
      switch (one.type) {
        case 'SimpleExpansion':
        case 'ParameterExpansion':
        case 'CommandExpansion':
        case 'ArithmeticExpansion':
          return this.held.refuse('runs', this.#part(one, true), node)
        case 'ArithmeticCommandExpansion':
          return this.held.refuse('runs', this.#output(one, one.script), node)
        case 'SingleQuoted':
        case 'AnsiCQuoted':
        case 'Literal':
          text += ` ${one.value}`
          return
        case 'Word':
        case 'ArithmeticWord':
          if (one.parts === undefined) text += ` ${one.value}`
          else for (const part of one.parts) look(part)
          return
        default:
          text += ` ${'text' in one ? one.text : ''}`
          forEachChild(one, look)
      }
    }
    look(node)
    for (const [, , name = ''] of text
      .replace(/\$\{#\w+(?:\[[@*]\])?\}|\$#/g, '')
      .matchAll(/(\$\{?)?([A-Za-z_]\w*|(?<=\$\{?)[@*\d])/g))
      this.held.refuse('again', this.held.lookUp(name), node)
    for (const [, name = ''] of text.matchAll(/\$\{?(\w+|[@*])/g))
      this.held.refuse('runs', this.held.lookUp(name), node)
    if (text.includes('`') || text.includes('$(')) this.held.refuse('runs', this.held.any, node)
  }

  test(node: TestExpression): void {
    switch (node.type) {
      case 'TestLogical':
        for (const one of node.operands) this.test(one)
        return
      case 'TestNot':
        return this.test(node.operand)
      case 'TestGroup':
        return this.test(node.expression)
      case 'TestUnary': {
        const operand = this.word(node.operand)
        if (node.operator === '-v' || node.operator === '-R') {
          this.held.refuse('again', operand, node)
          if (operand.text?.includes('[') !== false) this.held.refuse('again', this.held.any, node)
        }
        return
      }
      case 'TestBinary': {
        const words = [this.word(node.left), this.word(node.right)]
        if (!numeric.has(node.operator)) return
        for (const word of words) {
          const parts = word.node.type === 'Word' ? word.node.parts : undefined
          const [only, ...more] =
            parts?.[0]?.type === 'DoubleQuoted' && parts.length === 1 ? parts[0].parts : (parts ?? [])
          // A whole word is a number or a name. A part of a word could belong to an operator.
          if (only !== undefined && more.length === 0) this.held.refuse('again', word, node)
          else this.calculateText(word.node)
        }
      }
    }
  }
}

/** Returns the text that a word begins with as it is written. */
function prefixOf({ parts, value = '' }: { readonly parts?: Word['parts']; readonly value?: string }): string {
  if (parts === undefined) return value
  let prefix = ''
  for (const part of parts) {
    if (part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted') prefix += part.value
    else if (part.type === 'DoubleQuoted') {
      const inner = prefixOf({ parts: part.parts })
      prefix += inner
      if (part.parts.some(({ type }) => type !== 'Literal')) return prefix
    } else return prefix
  }
  return prefix
}
