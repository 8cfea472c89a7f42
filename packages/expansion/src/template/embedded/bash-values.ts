import {
  forEachChild,
  type ArithmeticExpression,
  type Assignment,
  type Command,
  type ParameterExpansionPart,
  type ParsedScript,
  type Redirection,
  type SyntaxNode,
  type TestExpression,
  type Word,
  type WordPart,
} from 'unbash'
import { effectsOf } from '@skills/rules'
import { builtins, decidesWhatRuns, isInteger, isSetByBash, plainSetOptions, plainShellOptions } from './bash-names.js'
import { understood } from './bash-quoting.js'
import { hasFixedOperator } from './test-operands.js'
import { isWholeNumber, shownPart, type Refusal, type ShellValue } from './shell-value.js'

/** What a word or a variable may hold. */
interface Held {
  /** The value that is in it, or that it was made of. */
  readonly from?: string | undefined
  /** Undefined where it is not known. */
  readonly text?: string | undefined
  /** The value of a variable that it names, which a calculation goes on with. */
  readonly named?: string | undefined
}

interface ReadWord extends Held {
  /** Whether it may become several words, or none. */
  readonly splits: boolean
  /** What it begins with in any case. */
  readonly prefix: string
  readonly node: SyntaxNode
}

type Place = Refusal['place']

/** Scripts in each other, as by `sh -c`. */
const deepest = 8
/** Times that a script is gone through; what is not settled then may hold any value. */
const mostPasses = 8

/** No expansion, operator, pattern or list is written without one of the other characters. */
const inert = /^(?:[\p{L}\p{N}_., /:@%]|(?<=\w)-(?=\w))*$/u
const identifier = /^[A-Za-z_]\w*$/
const assigned = /^([A-Za-z_]\w*)\+?=/
const numeric = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge'])
const joined = /(?<!\\)(?:\\\\)*(?<![\s])\\\n(?![ \t])/
const shells = /(?:^|\/)(?:ba|da)?sh$/
const nothing: Held = {}

/**
 * Follows values through a bash script: into variables, functions, loops, lists, substitutions, pipes and programs. A
 * value may stand where bash and the program surely take it for text; anywhere else it must be a whole number or,
 * where bash only evaluates it, a text without any operator.
 * @returns the first value that the script must not be given, and why
 */
export function refusedBashValue(script: string, values: Readonly<Record<string, ShellValue>>): Refusal | undefined {
  const hostile = Object.keys(values).filter(name => !isWholeNumber(values[name]?.text ?? ''))
  const worst = hostile.find(name => values[name]?.isOwn !== true) ?? hostile[0]
  if (worst === undefined) return undefined
  return new ValueFlow(values, worst, hostile).follow(script)
}

class ValueFlow {
  readonly #values: Readonly<Record<string, ShellValue>>
  readonly #hostile: ReadonlySet<string>
  /** Stands for any of the values. */
  readonly #any: Held
  readonly #areInert: boolean
  readonly #held = new Map<string, Held>()
  readonly #lists = new Set<string>()
  readonly #integers = new Set<string>()
  readonly #functions = new Set<string>()
  /** Names of files that a value may be in; the empty one stands for those that are not known. */
  readonly #files = new Set<string>()
  /** Whether a value may be in what a command reads, and in files. */
  #isPiped = false
  #isKept = false
  #isFlooded = false
  #hasChanged = false
  #depth = 0
  /** Set when a value is met. */
  #met: string | undefined
  #found: Refusal | undefined
  #source = ''

  constructor(values: Readonly<Record<string, ShellValue>>, worst: string, hostile: readonly string[]) {
    this.#values = values
    this.#hostile = new Set(hostile)
    this.#any = { from: worst }
    this.#areInert = hostile.every(name => inert.test(values[name]?.text ?? ''))
  }

  follow(script: string): Refusal | undefined {
    // Bash joins what such a line break parts, also within an operator.
    const parsed = joined.test(script) ? undefined : understood(script)
    if (parsed === undefined) this.#refuse('runs', this.#any, script)
    if (parsed === undefined || this.#found !== undefined) return this.#found
    // The parser must see each of them where it was put.
    let seen = 0
    const count = (node: SyntaxNode): void => {
      if (node.type === 'ParameterExpansion' && Object.hasOwn(this.#values, node.parameter)) seen += 1
      if (node.type === 'ArithmeticWord' && node.parts === undefined) seen += this.#namesIn(node.value)
      if (node.type === 'Function') this.#functions.add(node.name.value)
      forEachChild(node, count)
    }
    count(parsed)
    if (seen !== this.#namesIn(script)) this.#refuse('runs', this.#any, script)
    for (const name of this.#functions)
      if (builtins.has(name) || name === 'command_not_found_handle') this.#refuse('runs', this.#any, `${name}()`)
    for (let pass = 0; pass < mostPasses; pass += 1) {
      this.#hasChanged = false
      this.#script(parsed, script)
      if (this.#found !== undefined || !this.#hasChanged) return this.#found
    }
    this.#isFlooded = true
    this.#script(parsed, script)
    return this.#found
  }

  #namesIn(text: string): number {
    return [...text.matchAll(/\$\{(\w+)/g)].filter(([, name = '']) => Object.hasOwn(this.#values, name)).length
  }

  #refuse(place: Place, { from }: Held, where: string | SyntaxNode): void {
    if (from === undefined || this.#found !== undefined || (place === 'again' && this.#areInert)) return
    const text = typeof where === 'string' ? where : this.#source.slice(where.pos, where.end)
    this.#found = { variable: from, place, where: shownPart(text) }
  }

  // What is held.

  #merge(one: Held, other: Held): string | undefined {
    if (one.from === undefined || (this.#isOwn(one) && other.from !== undefined)) return other.from
    return one.from
  }

  /** Whether it is the engine's, such as the skill's folder. */
  #isOwn({ from }: Held): boolean {
    return from !== undefined && this.#values[from]?.isOwn === true
  }

  #meet<H extends Held>(held: H): H {
    if (held.from !== undefined) this.#met = this.#merge({ from: this.#met }, held)
    return held
  }

  /** What value is met while something is gone through. */
  #meeting(visit: () => void): Held {
    const before = this.#met
    this.#met = undefined
    visit()
    const met = { from: this.#met }
    this.#met = this.#merge({ from: before }, met)
    return met
  }

  #lookUp(name: string): Held {
    const value = this.#values[name]
    if (value !== undefined) return { from: this.#hostile.has(name) ? name : undefined, text: value.text }
    const isPositional = /^(?:[@*]|[1-9]\d*)$/.test(name)
    const held = this.#held.get(isPositional ? '@' : name)
    if (this.#isFlooded && (held !== undefined || isPositional)) return this.#any
    return isSetByBash(name) ? this.#any : (held ?? nothing)
  }

  #assign(name: string, given: Held, where: SyntaxNode | string, isExported = false): void {
    const held = this.#calculated(given)
    if (decidesWhatRuns(name, isExported)) this.#refuse('runs', given, where)
    if (this.#integers.has(name) || isInteger(name)) this.#refuse('again', held, where)
    const before = this.#held.get(name)
    const from = before === undefined ? held.from : this.#merge(before, held)
    const text = before === undefined || before.text === held.text ? held.text : undefined
    if (before !== undefined && before.from === from && before.text === text) return
    this.#held.set(name, { from, text })
    this.#hasChanged = true
  }

  /** What a calculation finds: the value, or that of a variable that is named. */
  #calculated(held: Held): Held {
    return held.from === undefined ? { ...held, from: held.named ?? this.#named(held.text) } : held
  }

  #named(text = ''): string | undefined {
    if (text.startsWith('-')) return undefined
    for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) {
      const from = Object.hasOwn(this.#values, name) ? name : this.#held.get(name)?.from
      if (from !== undefined) return from
    }
    return undefined
  }

  #mark(set: Set<string>, name: string): void {
    if (set.has(name)) return
    set.add(name)
    this.#hasChanged = true
  }

  #pipe(held: Held): void {
    if (held.from === undefined) return
    if (!this.#isPiped || !this.#isKept) this.#hasChanged = true
    this.#isPiped = true
    this.#isKept = true
  }

  #keep(held: Held): void {
    if (held.from === undefined || this.#isKept) return
    this.#isKept = true
    this.#hasChanged = true
  }

  // Scripts and commands.

  #script(script: ParsedScript, source: string): void {
    const outer = this.#source
    this.#source = script.source ?? source
    if ((script.errors?.length ?? 0) > 0) return this.#refuse('runs', this.#any, this.#source)
    for (const statement of script.commands) this.#visit(statement)
    this.#source = outer
  }

  /** A text that bash reads as a script. */
  #text({ from, text }: Held, where: SyntaxNode): void {
    if (from !== undefined || text === undefined || this.#depth >= deepest)
      return this.#refuse('runs', from === undefined ? this.#any : { from }, where)
    this.#depth += 1
    const parsed = joined.test(text) ? undefined : understood(text)
    if (parsed === undefined) return this.#refuse('runs', this.#any, where)
    const count = (node: SyntaxNode): void => {
      // What it defines was not known when the rest was read.
      if (node.type === 'Function') this.#refuse('runs', this.#any, node)
      forEachChild(node, count)
    }
    count(parsed)
    this.#script(parsed, text)
    this.#depth -= 1
  }

  #visit(node: SyntaxNode): void {
    if (this.#found !== undefined) return
    switch (node.type) {
      case 'Command':
        return this.#command(node)
      case 'Pipeline': {
        for (const [at, command] of node.commands.entries()) {
          const met = this.#meeting(() => this.#visit(command))
          if (at < node.commands.length - 1) this.#pipe(this.#isKept ? this.#any : met)
        }
        return
      }
      case 'Redirected':
        for (const one of node.redirects) this.#redirection(one)
        return this.#writing(node.redirects, () => this.#visit(node.command))
      case 'For':
      case 'Select': {
        const words = node.wordlist?.map(word => this.#word(word)) ?? [{ ...this.#lookUp('@'), splits: true }]
        for (const word of words)
          this.#assign(node.name.value, { ...onlyHeld(word), ...(word.splits && { text: undefined }) }, node.name)
        return this.#visit(node.body)
      }
      case 'ArithmeticFor':
        for (const one of [node.initialize, node.test, node.update]) if (one !== undefined) this.#calculate(one)
        return this.#visit(node.body)
      case 'ArithmeticCommand':
        if (node.expression === undefined) this.#refuse('runs', this.#any, node)
        else this.#calculate(node.expression)
        return
      case 'TestCommand':
        return this.#test(node.expression)
      case 'Case':
        this.#word(node.word)
        for (const { pattern, body } of node.items) {
          for (const word of pattern) this.#word(word)
          this.#visit(body)
        }
        return
      case 'Coproc':
        this.#pipe(this.#any)
        this.#mark(this.#lists, node.name?.value ?? 'COPROC')
        return this.#visit(node.body)
      case 'Function':
      case 'AndOr':
      case 'If':
      case 'Elif':
      case 'While':
      case 'Subshell':
      case 'BraceGroup':
      case 'CompoundList':
      case 'Statement':
        return forEachChild(node, child => {
          if (child.type !== 'Word') this.#visit(child)
        })
      default:
        return this.#refuse('runs', this.#any, node)
    }
  }

  #writing(redirects: readonly Redirection[], visit: () => void): void {
    const met = this.#meeting(visit)
    for (const one of redirects) {
      if (!one.operator.includes('>') || one.type !== 'Redirect' || one.target === undefined) continue
      const target = this.#word(one.target)
      if (target.text === '/dev/null' || /^[\d-]+$/.test(target.text ?? '')) continue
      const written = this.#isPiped ? this.#any : met
      this.#keep(written)
      if (written.from !== undefined) this.#write(target)
    }
  }

  #redirection(node: Redirection): void {
    const { descriptor } = node
    if (descriptor?.type === 'FileDescriptorVariable' && !identifier.test(descriptor.name))
      this.#refuse('runs', this.#any, descriptor)
    if (node.type === 'HereDoc') {
      const body = this.#parts(node.body.parts ?? [], true)
      return this.#pipe(this.#calculated({ ...body, text: node.body.text }))
    }
    const target = node.target && this.#word(node.target)
    if (target === undefined) return this.#refuse('runs', this.#any, node)
    if (node.type === 'HereString') return this.#pipe(this.#calculated(target))
    // A file that it names is expanded once more.
    if (node.operator === '>&' || node.operator === '<&') this.#refuse('again', target, node)
    if (node.operator.startsWith('<')) this.#pipe(target)
  }

  #command(node: Command): void {
    const { name, prefix, redirects } = node
    for (const one of redirects) this.#redirection(one)
    this.#writing(redirects, () => {
      for (const one of prefix) if (one.type === 'Assignment') this.#assignment(one, name !== undefined)
      if (name === undefined) return
      const args = node.args.map(one => (one.type === 'Word' ? this.#word(one) : one))
      this.#call(this.#word(name), args, node)
    })
    if (name === undefined && redirects.length > 0 && this.#isKept) this.#meet(this.#any)
  }

  #assignment(node: Assignment, isExported: boolean): void {
    const { name, value, index } = node
    if (index !== undefined) {
      this.#mark(this.#lists, name)
      this.#calculateText(index)
    }
    if (value.type === 'Word') return this.#assign(name, onlyHeld(this.#word(value)), value, isExported)
    this.#mark(this.#lists, name)
    for (const element of value.elements) {
      const held = this.#word(element)
      // Its subscript is calculated.
      if (element.text.startsWith('[') && !/^\[\d+\]\+?=/.test(element.text)) this.#refuse('again', this.#any, node)
      this.#assign(name, { from: this.#calculated(held).from }, element)
    }
  }

  #call(name: ReadWord, args: readonly (ReadWord | Assignment)[], node: Command, isWrapped = false): void {
    if (name.from !== undefined && !(this.#isOwn(name) && name.text !== undefined && !name.splits))
      return this.#refuse('runs', name, name.node)
    // Another one's variable: what it runs is not shown.
    if (name.text === undefined || (name.splits && !this.#splitsPlainly(name.text)))
      return this.#refuse('runs', this.#any, name.node)
    if (name.splits && name.text.includes(' ')) {
      const [first, ...more] = name.text.split(/ +/).map(text => ({ ...name, text, splits: false }))
      return first === undefined ? undefined : this.#call(first, [...more, ...args], node, true)
    }
    const use = builtins.get(name.text)
    if (use === 'declaration') return this.#declare(name.text, args, node, isWrapped)
    const words = args.map(one => ('type' in one ? this.#assignmentWord(one) : one))
    for (const word of words) this.#meet(this.#calculated(word))
    if (this.#functions.has(name.text)) {
      this.#meet(this.#any)
      for (const word of words) this.#assign('@', onlyHeld(word), word.node)
    }
    // A program of that name runs where the function is not defined yet, or any more.
    if (use === undefined) return this.#program(name, words, node)
    this.#builtin(name.text, words, node)
  }

  /** Whether a text without quotes becomes the words that its spaces part. */
  #splitsPlainly(text: string): boolean {
    return /^[\w./-][\w ./-]*$/.test(text) && !this.#held.has('IFS')
  }

  /** What looks like an assignment but is an argument. */
  #assignmentWord(node: Assignment): ReadWord {
    const { value, index, name } = node
    const words = [...(index === undefined ? [] : [index]), ...(value.type === 'Word' ? [value] : value.elements)]
    return { from: this.#anyIn(words.map(word => this.#word(word))).from, splits: true, prefix: name, node }
  }

  #builtin(name: string, words: readonly ReadWord[], node: Command): void {
    const tainted = words.find(({ from }) => from !== undefined) ?? nothing
    const [first, second] = words
    switch (name) {
      case '[':
      case 'test': {
        const operands = name === '[' ? words.slice(0, -1) : words
        if (
          !hasFixedOperator(operands.map(word => ({ ...word, text: word.from === undefined ? word.text : undefined })))
        )
          this.#refuse('again', operands.some(({ text }) => text?.includes('[') === true) ? this.#any : tainted, node)
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
        return this.#refuse('runs', tainted, node)
      case 'getopts':
        if (first?.text === undefined || second?.text === undefined || !identifier.test(second.text))
          return this.#refuse('runs', this.#any, node)
        return this.#assign(second.text, this.#anyIn([...words, this.#lookUp('@')]), node)
      case 'set':
        return this.#set(words, node)
      case 'let':
        for (const word of words) this.#calculateText(word.node)
        return
      case 'eval':
        if (words.some(({ splits }) => splits)) return this.#refuse('runs', this.#any, node)
        return this.#text(this.#joined(words), node)
      case 'trap': {
        const [action, ...signals] = first?.text === '--' ? words.slice(1) : words
        if (action === undefined || (signals.length === 0 && tainted.from === undefined)) return
        this.#refuse('runs', this.#anyIn(signals), node)
        return this.#text(action.splits ? nothing : action, node)
      }
      case 'source':
      case '.': {
        if (
          first?.text === undefined ||
          first.splits ||
          (first.from !== undefined && !this.#isOwn(first)) ||
          /^-|^\/(?:dev|proc)\//.test(first.text)
        )
          return this.#refuse('runs', this.#any, node)
        // What is in the file is not looked into.
        return this.#refuse(this.#isWritten(first) ? 'runs' : 'again', this.#any, node)
      }
      case 'exec':
      case 'command':
      case 'builtin': {
        const at = words.findIndex(({ text }) => text === undefined || !text.startsWith('-'))
        const options = words.slice(0, at < 0 ? words.length : at)
        if (options.some(({ from }) => from !== undefined)) return this.#refuse('runs', tainted, node)
        if (name === 'command' && options.some(({ text = '' }) => /[vV]/.test(text))) return
        const inner = words[at]
        if (inner === undefined) return
        return this.#call(inner, words.slice(at + 1), node, true)
      }
      case 'shopt':
        if (!words.every(({ text = '' }) => plainShellOptions.test(text))) this.#refuse('runs', this.#any, node)
        return
      default:
        if (builtins.get(name) === 'unsure') this.#refuse('runs', this.#any, node)
        if (/^(?:cd|pushd)$/.test(name)) for (const one of words) this.#meet(one)
    }
  }

  #anyIn(words: readonly Held[]): Held {
    return { from: words.reduce<string | undefined>((all, one) => this.#merge({ from: all }, one), undefined) }
  }

  #joined(words: readonly ReadWord[]): Held {
    const isKnown = words.every(({ text }) => text !== undefined)
    return { ...this.#anyIn(words), text: isKnown ? words.map(({ text }) => text).join(' ') : undefined }
  }

  #printf(words: readonly ReadWord[], node: Command): void {
    const [first, second] = words
    if (first === undefined) return
    if (
      first.text === undefined
        ? first.splits || first.prefix === '' || first.prefix.startsWith('-')
        : first.splits && first.from !== undefined
    )
      return this.#refuse('runs', first.from === undefined ? this.#any : first, node)
    if (first.from !== undefined && first.text?.startsWith('-') === true) return this.#refuse('runs', first, node)
    if (first.text?.startsWith('-v') !== true) return
    const target = first.text === '-v' ? second?.text : first.text.slice(2)
    if (target === undefined || (second?.from !== undefined && first.text === '-v') || !identifier.test(target))
      return this.#refuse('runs', this.#any, node)
    this.#assign(target, this.#anyIn(words.map(word => this.#calculated(word))), node)
  }

  /** Builtins whose words may be names of variables. */
  #names(name: string, words: readonly ReadWord[], node: Command): void {
    const isReading = name !== 'unset'
    const read = this.#isPiped || this.#isKept ? this.#any : nothing
    for (const [at, { text, from, splits }] of words.entries()) {
      const option = words[at - 1]?.text
      if (from !== undefined) {
        if (name === 'read' && !splits && option !== undefined && /^-[ers]*[pidt]$/.test(option)) continue
        return this.#refuse('runs', { from }, node)
      }
      // Each line goes to a command of its own.
      const isCalled = name !== 'read' && /^-\w*C/.test(text ?? '')
      if (text === undefined || splits || text.includes('[') || isCalled) return this.#refuse('runs', this.#any, node)
      if (!isReading || !identifier.test(text)) continue
      if (name !== 'read' || words.some(({ text: other }) => /^-\w*a/.test(other ?? ''))) this.#mark(this.#lists, text)
      this.#assign(text, read, node)
    }
  }

  #set(words: readonly ReadWord[], node: Command): void {
    if (words.length === 0) this.#meet(this.#any)
    let at = 0
    for (; at < words.length; at += 1) {
      const { text, from, splits } = words[at] ?? { splits: true }
      if (text === '--' && from === undefined) break
      if (text === undefined || splits || (from !== undefined && /^[-+]/.test(text)))
        return this.#refuse('runs', this.#any, node)
      if (!/^[-+]/.test(text) && words[at - 1]?.text?.endsWith('o') !== true) break
      if (!plainSetOptions.test(text)) return this.#refuse('runs', this.#any, node)
    }
    for (const word of words.slice(at)) this.#assign('@', onlyHeld(word), word.node)
  }

  #declare(name: string, args: readonly (ReadWord | Assignment)[], node: Command, isWrapped: boolean): void {
    const options = args
      .flatMap(one => ('type' in one || !/^[-+]/.test(one.text ?? '') ? [] : [one.text ?? '']))
      .join('')
    const isExported = name === 'export' || options.includes('x')
    // A reference to a variable takes its name from what is assigned to it later.
    if (options.includes('n') && name !== 'export') this.#refuse('runs', this.#any, node)
    if (options.includes('p') || args.length === 0) this.#meet(this.#any)
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
          // Its value is read as a list where it looks like one.
          this.#refuse('again', one, node)
        } else if (one.text === undefined || one.from !== undefined || one.splits)
          this.#refuse('runs', one.from === undefined ? this.#any : one, node)
        else if (identifier.test(one.text)) this.#declareOne(one.text, options, undefined, one.node, isExported)
        else this.#refuse('runs', this.#any, node)
        continue
      }
      if (isWrapped) {
        this.#refuse('runs', this.#assignmentWord(one), node)
        continue
      }
      const { index, value } = one
      if (index !== undefined) {
        this.#mark(this.#lists, one.name)
        this.#refuse('runs', this.#any, one)
      } else if (value.type === 'Word')
        this.#declareOne(one.name, options, onlyHeld(this.#word(value)), one, isExported)
      else {
        this.#declareOne(one.name, `${options}a`, undefined, one, isExported)
        this.#assignment(one, isExported)
        if (/[Ai]/.test(options)) this.#refuse('again', this.#lookUp(one.name), one)
      }
    }
  }

  #declareOne(name: string, options: string, held: Held | undefined, where: SyntaxNode, isExported: boolean): void {
    if (options.includes('i')) this.#mark(this.#integers, name)
    if (/a/i.test(options)) this.#mark(this.#lists, name)
    if (isExported && held === undefined) {
      const { from } = this.#lookUp(name)
      if (from !== undefined && decidesWhatRuns(name, true)) this.#refuse('runs', { from }, where)
    }
    if (held === undefined) return
    // The value of a list is read as one.
    if (this.#lists.has(name)) this.#refuse('again', held, where)
    this.#assign(name, held, where, isExported)
  }

  /** What is no part of bash. */
  #program(name: ReadWord, given: readonly ReadWord[], node: Command): void {
    const words = given.flatMap(word =>
      word.splits && word.from === undefined && word.text !== undefined && this.#splitsPlainly(word.text)
        ? word.text.split(/ +/).map(text => ({ ...word, text, splits: false }))
        : [word],
    )
    const tainted = this.#anyIn(words)
    if (/(?:^|\/)(?:env|printenv)$/.test(name.text ?? '')) this.#meet(this.#any)
    this.#keep(tainted)
    const script = shells.test(name.text ?? '') ? scriptAt(words) : undefined
    if (script !== undefined) {
      for (const word of words.slice(script + 1)) this.#assign('@', { from: word.from }, word.node)
      return this.#text(words[script] ?? nothing, node)
    }
    const isFed = tainted.from !== undefined || this.#isPiped
    if (isFed && this.#readsNoCode(name, words)) return
    const runs = new Set<ReadWord>(name.text?.includes('/') === true ? [name] : [])
    this.#effects(name, words, node, { isFed, isOpen: false }, runs)
    // A word that is known only in part may be an option; none is made of plain values.
    if (isFed) this.#effects(name, words, node, { isFed, isOpen: true }, runs)
    for (const word of runs) if (this.#isWritten(word)) this.#refuse('runs', this.#any, node)
    if (isFed) for (const word of words) if (!runs.has(word)) this.#write(word)
  }

  /** Refuses what a program runs for its words, and collects the words that name that. */
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
          // No text of a program, and no name of a subcommand.
          value: isKnown ? text : `${prefix}${from === undefined ? 'x' : 'system(|1e'}`,
          isOpen: isKnown || from === undefined || !isOpen ? undefined : opening(prefix, splits),
        }
      }),
    )
    for (const { effect, at } of found) {
      const word = at === 0 ? name : words[at - 1]
      if (effect === 'code' || effect === 'script' || at === Infinity) {
        // A value may come to it through a variable of the environment, too.
        if (isFed || this.#namesValue(words)) this.#refuse(place, this.#anyIn([...words, this.#any]), node)
        continue
      }
      if (word === undefined) continue
      runs.add(word)
      if (!isFed || word === name) continue
      if (word.from === undefined ? word.text === undefined : !this.#mayName(word, effect))
        this.#refuse('runs', word.from === undefined ? this.#any : word, node)
    }
  }

  /** Whether a value may name what a program runs: a folder of the engine's, or a target or script of the project. */
  #mayName(word: ReadWord, effect: string): boolean {
    if (word.text === undefined || word.splits) return false
    return this.#isOwn(word) || (effect === 'file' && /^\w[\w:.-]*$/.test(word.text))
  }

  /** Whether an interpreter gets its code from the script itself, so that what follows is data. */
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
    if (option.text === '-') return !this.#isPiped
    return (
      option.text === (isNode ? '-e' : '-c') && code !== undefined && code.from === undefined && code.text !== undefined
    )
  }

  #namesValue(words: readonly ReadWord[]): boolean {
    return words.some(({ text }) =>
      [...(text ?? '').matchAll(/[A-Za-z_]\w*/g)].some(([name]) => this.#lookUp(name).from !== undefined),
    )
  }

  /** A file that a value may have been written to. */
  #write({ text }: Held): void {
    this.#mark(this.#files, text === undefined ? '' : fileName(text))
  }

  #isWritten({ text }: Held): boolean {
    return this.#files.has(text === undefined ? '' : fileName(text))
  }

  // Words.

  #word(node: Word): ReadWord {
    const read =
      node.parts === undefined
        ? { text: node.value, named: this.#named(node.value), splits: false }
        : this.#parts(node.parts, false)
    return this.#meet({ prefix: prefixOf(node), node, ...read })
  }

  #parts(parts: readonly WordPart[], isQuoted: boolean): Held & { readonly splits: boolean } {
    let from: string | undefined
    let text: string | undefined = ''
    let named: string | undefined
    let splits = false
    for (const part of parts) {
      const one = this.#part(part, isQuoted)
      named ??= one.named
      from = this.#merge({ from }, one)
      text = text === undefined || one.text === undefined ? undefined : text + one.text
      splits ||= one.splits === true
    }
    this.#meet({ from })
    return { from, text, named, splits }
  }

  #part(part: WordPart, isQuoted: boolean): Held & { readonly splits?: boolean } {
    switch (part.type) {
      case 'Literal':
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        return { text: part.value, named: this.#named(part.value) }
      case 'DoubleQuoted':
      case 'LocaleString':
        return this.#parts(part.parts, true)
      case 'SimpleExpansion': {
        const name = part.text.slice(1)
        return {
          ...this.#lookUp(name),
          splits: isQuoted ? name === '@' : !/^[?#$!]$/.test(name),
          ...(/^[@*]$/.test(name) && { text: undefined }),
        }
      }
      case 'ParameterExpansion':
        return { splits: !isQuoted || part.parameter === '@' || part.index?.text === '@', ...this.#parameter(part) }
      case 'CommandExpansion':
        return { ...this.#output(part, part.script), splits: !isQuoted }
      case 'ArithmeticExpansion':
        if (part.expression === undefined) this.#refuse('runs', this.#any, part)
        else this.#calculate(part.expression)
        return { splits: false }
      case 'ProcessSubstitution': {
        if (part.operator === '>') this.#pipe(this.#any)
        return this.#output(part, part.script)
      }
      case 'Glob':
      case 'ExtendedGlob':
      case 'BraceExpansion': {
        if (part.type === 'ExtendedGlob' && part.parts === undefined && /[$`]/.test(part.text))
          this.#refuse('runs', this.#any, part)
        return { from: this.#parts(part.parts ?? [], isQuoted).from, splits: true }
      }
    }
  }

  /** What a substitution writes. */
  #output(node: SyntaxNode, script: ParsedScript | undefined): Held {
    if (script === undefined) this.#refuse('runs', this.#any, node)
    const met = this.#meeting(() => {
      if (script !== undefined) this.#script(script, this.#source)
    })
    return this.#isKept ? { from: this.#any.from } : met
  }

  #parameter(part: ParameterExpansionPart): Held {
    const { parameter, prefix, index, operation } = part
    const held = this.#lookUp(parameter)
    const isAll = index?.text === '@' || index?.text === '*'
    if (index !== undefined && !isAll) this.#calculateText(index)
    // What it is told to do is done.
    const result = this.#operated(part, held)
    // Names of variables, which a calculation goes on with.
    if (operation?.type === 'Names') return { from: this.#any.from }
    if (prefix === '!' && !(isAll && operation === undefined)) {
      this.#refuse(operation === undefined ? 'again' : 'runs', operation === undefined ? held : this.#any, part)
      return { from: this.#any.from }
    }
    return prefix === '#' ? {} : result
  }

  /** What an expansion gives, and what it assigns and calculates on the way. */
  #operated(part: ParameterExpansionPart, held: Held): Held {
    const { parameter, index, operation } = part
    switch (operation?.type) {
      case undefined:
        return index === undefined ? held : { from: held.from }
      case 'Default': {
        const operand = this.#word(operation.operand)
        if (operation.operator.endsWith('=')) this.#assign(parameter, { from: operand.from }, part)
        if (operation.operator.endsWith('-') && held.text !== undefined && held.text !== '') return held
        return this.#joinedTo(held, operand)
      }
      case 'Remove':
        this.#word(operation.operand)
        break
      case 'Replace':
        this.#word(operation.pattern)
        return this.#joinedTo(held, this.#word(operation.replacement))
      case 'CaseModification':
        if (operation.operand !== undefined) this.#word(operation.operand)
        break
      case 'Slice':
        for (const one of [operation.offset, operation.length]) if (one !== undefined) this.#calculateText(one)
        break
      case 'Transform':
        if (!/^[QUuLaKkAE]$/.test(operation.operand.text)) this.#refuse('runs', held, part)
        break
      case 'Names':
        return {}
      case 'Unknown':
        this.#refuse('runs', this.#any, part)
    }
    return { from: held.from }
  }

  #joinedTo(held: Held, { from, named }: Held): Held {
    return { from: this.#merge(held, { from }), named: held.named ?? named }
  }

  // Calculations and tests.

  #calculate(node: ArithmeticExpression): void {
    switch (node.type) {
      case 'ArithmeticBinary':
        this.#calculate(node.left)
        return this.#calculate(node.right)
      case 'ArithmeticUnary':
        return this.#calculate(node.operand)
      case 'ArithmeticTernary':
        for (const one of [node.test, node.consequent, node.alternate]) this.#calculate(one)
        return
      case 'ArithmeticGroup':
        return this.#calculate(node.expression)
      case 'ArithmeticCommandExpansion':
        return this.#calculateText(node)
      case 'ArithmeticWord':
        return this.#calculateText(node)
    }
  }

  /**
   * A text that bash calculates: what is put into it is a part of the expression, and a variable that it names is an
   * expression of its own.
   */
  #calculateText(node: SyntaxNode): void {
    let text = ''
    const look = (one: SyntaxNode): void => {
      switch (one.type) {
        case 'SimpleExpansion':
        case 'ParameterExpansion':
        case 'CommandExpansion':
        case 'ArithmeticExpansion':
          return this.#refuse('runs', this.#part(one, true), node)
        case 'ArithmeticCommandExpansion':
          return this.#refuse('runs', this.#output(one, one.script), node)
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
      this.#refuse('again', this.#lookUp(name), node)
    for (const [, name = ''] of text.matchAll(/\$\{?(\w+|[@*])/g)) this.#refuse('runs', this.#lookUp(name), node)
    if (text.includes('`') || text.includes('$(')) this.#refuse('runs', this.#any, node)
  }

  #test(node: TestExpression): void {
    switch (node.type) {
      case 'TestLogical':
        for (const one of node.operands) this.#test(one)
        return
      case 'TestNot':
        return this.#test(node.operand)
      case 'TestGroup':
        return this.#test(node.expression)
      case 'TestUnary': {
        const operand = this.#word(node.operand)
        if (node.operator === '-v' || node.operator === '-R') {
          this.#refuse('again', operand, node)
          if (operand.text?.includes('[') !== false) this.#refuse('again', this.#any, node)
        }
        return
      }
      case 'TestBinary': {
        const words = [this.#word(node.left), this.#word(node.right)]
        if (!numeric.has(node.operator)) return
        for (const word of words) {
          const parts = word.node.type === 'Word' ? word.node.parts : undefined
          const [only, ...more] =
            parts?.[0]?.type === 'DoubleQuoted' && parts.length === 1 ? parts[0].parts : (parts ?? [])
          // A whole word is a number or a name; what only is a part of one could be an operator's.
          if (only !== undefined && more.length === 0) this.#refuse('again', word, node)
          else this.#calculateText(word.node)
        }
      }
    }
  }
}

function onlyHeld({ from, text, named }: Held): Held {
  return { from, text, named }
}

/** Which word is the script that `sh -c` runs. */
function scriptAt(words: readonly ReadWord[]): number | undefined {
  const at = words.findIndex(({ text, from }) => from !== undefined || !/^-[euxf]+$/.test(text ?? ''))
  const word = words[at]
  return word !== undefined && word.from === undefined && /^-[euxf]*c$/.test(word.text ?? '') ? at + 1 : undefined
}

/** What a word may become of which only the beginning is known. */
function opening(prefix: string, splits: boolean): 'name' | 'word' | 'any' {
  if (splits) return 'any'
  return /^[\w./~]/.test(prefix) ? 'name' : 'word'
}

function fileName(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1)
}

/** What a word begins with as it is written. */
function prefixOf({ parts, value }: Word): string {
  if (parts === undefined) return value
  let prefix = ''
  for (const part of parts) {
    if (part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted') prefix += part.value
    else if (part.type === 'DoubleQuoted') {
      const inner = prefixOf({ parts: part.parts, value: '' } as unknown as Word)
      prefix += inner
      if (part.parts.some(({ type }) => type !== 'Literal')) return prefix
    } else return prefix
  }
  return prefix
}
