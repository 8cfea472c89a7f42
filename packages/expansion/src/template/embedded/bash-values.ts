import {
  forEachChild,
  type Assignment,
  type Command,
  type ParsedScript,
  type Redirection,
  type SyntaxNode,
} from 'unbash'
import { BashBuiltins, identifier, type Runs } from './bash-builtins.js'
import { builtins } from './bash-names.js'
import { BashPrograms } from './bash-programs.js'
import { understood } from './bash-quoting.js'
import { BashWords, type ReadWord } from './bash-words.js'
import { HeldValues, onlyHeld, type Held } from './held-values.js'
import { isWholeNumber, type Refusal, type ShellValue } from './shell-value.js'

/** Deepest nesting of scripts, as by `sh -c`. */
const deepest = 8
/** Most passes over a script. After them, every variable counts as holding any value. */
const mostPasses = 8

const joined = /(?<!\\)(?:\\\\)*(?<![\s])\\\n(?![ \t])/

/**
 * Follows values through a bash script: into variables, functions, loops, lists, substitutions, pipes and programs. A
 * value is allowed in every place where bash and the program certainly take it as text. In another place the value must
 * be a whole number or, if bash only calculates with it, text without operators.
 * @returns the first value that the script must not be given, with the reason
 */
export function refusedBashValue(script: string, values: Readonly<Record<string, ShellValue>>): Refusal | undefined {
  const hostile = Object.keys(values).filter(name => !isWholeNumber(values[name]?.text ?? ''))
  const worst = hostile.find(name => values[name]?.isOwn !== true) ?? hostile[0]
  if (worst === undefined) return undefined
  return new ValueFlow(new HeldValues(values, worst, hostile)).follow(script)
}

class ValueFlow implements Runs {
  readonly #words: BashWords
  readonly #builtins: BashBuiltins
  readonly #programs: BashPrograms

  constructor(private readonly held: HeldValues) {
    this.#words = new BashWords(held, (script, source) => this.#script(script, source))
    this.#builtins = new BashBuiltins(held, this.#words, this)
    this.#programs = new BashPrograms(held, this)
  }

  follow(script: string): Refusal | undefined {
    // Bash joins the two lines, even within an operator.
    const parsed = joined.test(script) ? undefined : understood(script)
    if (parsed === undefined) this.held.refuse('runs', this.held.any, script)
    if (parsed === undefined || this.held.found !== undefined) return this.held.found
    // The parser must see each value where it was put.
    let seen = 0
    const count = (node: SyntaxNode): void => {
      if (node.type === 'ParameterExpansion' && Object.hasOwn(this.held.values, node.parameter)) seen += 1
      if (node.type === 'ArithmeticWord' && node.parts === undefined) seen += this.#namesIn(node.value)
      if (node.type === 'Function') this.held.functions.add(node.name.value)
      forEachChild(node, count)
    }
    count(parsed)
    if (seen !== this.#namesIn(script)) this.held.refuse('runs', this.held.any, script)
    for (const name of this.held.functions)
      if (builtins.has(name) || name === 'command_not_found_handle')
        this.held.refuse('runs', this.held.any, `${name}()`)
    for (let pass = 0; pass < mostPasses; pass += 1) {
      this.held.hasChanged = false
      this.#script(parsed, script)
      if (this.held.found !== undefined || !this.held.hasChanged) return this.held.found
    }
    this.held.isFlooded = true
    this.#script(parsed, script)
    return this.held.found
  }

  #namesIn(text: string): number {
    return [...text.matchAll(/\$\{(\w+)/g)].filter(([, name = '']) => Object.hasOwn(this.held.values, name)).length
  }

  #script(script: ParsedScript, source: string): void {
    const outer = this.held.source
    this.held.source = script.source ?? source
    if ((script.errors?.length ?? 0) > 0) return this.held.refuse('runs', this.held.any, this.held.source)
    for (const statement of script.commands) this.#visit(statement)
    this.held.source = outer
  }

  /** Follows a text that bash reads as a script. */
  text({ from, text }: Held, where: SyntaxNode): void {
    if (from !== undefined || text === undefined || this.held.depth >= deepest)
      return this.held.refuse('runs', from === undefined ? this.held.any : { from }, where)
    this.held.depth += 1
    const parsed = joined.test(text) ? undefined : understood(text)
    if (parsed === undefined) return this.held.refuse('runs', this.held.any, where)
    const count = (node: SyntaxNode): void => {
      // The functions that it defines were unknown when the rest was read.
      if (node.type === 'Function') this.held.refuse('runs', this.held.any, node)
      forEachChild(node, count)
    }
    count(parsed)
    this.#script(parsed, text)
    this.held.depth -= 1
  }

  #visit(node: SyntaxNode): void {
    if (this.held.found !== undefined) return
    switch (node.type) {
      case 'Command':
        return this.#command(node)
      case 'Pipeline': {
        for (const [at, command] of node.commands.entries()) {
          const met = this.held.meeting(() => this.#visit(command))
          if (at < node.commands.length - 1) this.held.pipe(this.held.isKept ? this.held.any : met)
        }
        return
      }
      case 'Redirected':
        for (const one of node.redirects) this.#redirection(one)
        return this.#writing(node.redirects, () => this.#visit(node.command))
      case 'For':
      case 'Select': {
        const words = node.wordlist?.map(word => this.#words.word(word)) ?? [{ ...this.held.lookUp('@'), splits: true }]
        for (const word of words)
          this.held.assign(node.name.value, { ...onlyHeld(word), ...(word.splits && { text: undefined }) }, node.name)
        return this.#visit(node.body)
      }
      case 'ArithmeticFor':
        for (const one of [node.initialize, node.test, node.update]) if (one !== undefined) this.#words.calculate(one)
        return this.#visit(node.body)
      case 'ArithmeticCommand':
        if (node.expression === undefined) this.held.refuse('runs', this.held.any, node)
        else this.#words.calculate(node.expression)
        return
      case 'TestCommand':
        return this.#words.test(node.expression)
      case 'Case':
        this.#words.word(node.word)
        for (const { pattern, body } of node.items) {
          for (const word of pattern) this.#words.word(word)
          this.#visit(body)
        }
        return
      case 'Coproc':
        this.held.pipe(this.held.any)
        this.held.mark(this.held.lists, node.name?.value ?? 'COPROC')
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
        return this.held.refuse('runs', this.held.any, node)
    }
  }

  #writing(redirects: readonly Redirection[], visit: () => void): void {
    const met = this.held.meeting(visit)
    for (const one of redirects) {
      if (!one.operator.includes('>') || one.type !== 'Redirect' || one.target === undefined) continue
      const target = this.#words.word(one.target)
      if (target.text === '/dev/null' || /^[\d-]+$/.test(target.text ?? '')) continue
      const written = this.held.isPiped ? this.held.any : met
      this.held.keep(written)
      if (written.from !== undefined) this.held.write(target)
    }
  }

  #redirection(node: Redirection): void {
    const { descriptor } = node
    if (descriptor?.type === 'FileDescriptorVariable' && !identifier.test(descriptor.name))
      this.held.refuse('runs', this.held.any, descriptor)
    if (node.type === 'HereDoc') {
      const body = this.#words.parts(node.body.parts ?? [], true)
      return this.held.pipe(this.held.calculated({ ...body, text: node.body.text }))
    }
    const target = node.target && this.#words.word(node.target)
    if (target === undefined) return this.held.refuse('runs', this.held.any, node)
    if (node.type === 'HereString') return this.held.pipe(this.held.calculated(target))
    // The name of the file is expanded once more.
    if (node.operator === '>&' || node.operator === '<&') this.held.refuse('again', target, node)
    if (node.operator.startsWith('<')) this.held.pipe(target)
  }

  #command(node: Command): void {
    const { name, prefix, redirects } = node
    for (const one of redirects) this.#redirection(one)
    this.#writing(redirects, () => {
      for (const one of prefix) if (one.type === 'Assignment') this.#builtins.assignment(one, name !== undefined)
      if (name === undefined) return
      const args = node.args.map(one => (one.type === 'Word' ? this.#words.word(one) : one))
      this.call(this.#words.word(name), args, node)
    })
    if (name === undefined && redirects.length > 0 && this.held.isKept) this.held.meet(this.held.any)
  }

  call(name: ReadWord, args: readonly (ReadWord | Assignment)[], node: Command, isWrapped = false): void {
    if (name.from !== undefined && !(this.held.isOwn(name) && name.text !== undefined && !name.splits))
      return this.held.refuse('runs', name, name.node)
    // The command comes from another variable, so what it runs is unknown.
    if (name.text === undefined || (name.splits && !this.held.splitsPlainly(name.text)))
      return this.held.refuse('runs', this.held.any, name.node)
    if (name.splits && name.text.includes(' ')) {
      const [first, ...more] = name.text.split(/ +/).map(text => ({ ...name, text, splits: false }))
      return first === undefined ? undefined : this.call(first, [...more, ...args], node, true)
    }
    const use = builtins.get(name.text)
    if (use === 'declaration') return this.#builtins.declare(name.text, args, node, isWrapped)
    const words = args.map(one => ('type' in one ? this.#builtins.assignmentWord(one) : one))
    for (const word of words) this.held.meet(this.held.calculated(word))
    if (this.held.functions.has(name.text)) {
      this.held.meet(this.held.any)
      for (const word of words) this.held.assign('@', onlyHeld(word), word.node)
    }
    // A program of that name runs if the function is not defined yet or no longer.
    if (use === undefined) return this.#programs.program(name, words, node)
    this.#builtins.builtin(name.text, words, node)
  }
}
