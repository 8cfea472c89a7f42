import { defineProvider, type PromptCommand, type Provider } from '@skills/core'
import { isEscaped } from '../template/code.js'
import { ArgumentNames } from './argument-names.js'
import { mayBeVariable, variableValue } from './variables.js'
import { Reference } from './reference.js'
import { splitArguments } from '../template/split-arguments.js'
import { commandWords } from './command-words.js'
import { textExpanderOptions, type TextExpanderOptions, type TextRules } from './options.js'
import type { LexContext, Lexed, EvaluateContext, Token } from '../template/expander.js'

const all = /\$ARGUMENTS(?:\[(\d+)\])?/y
// Not positions: prices and names of other languages, such as $1.50, $10,000, $5k, $1_x.
const anyPosition = /\$(\d+)(?![\p{L}\p{N}_]|[.,]\d)/uy
const digitPosition = /\$(\d)(?![\p{L}\p{N}_]|[.,]\d)/uy
const anyDigits = /\$(\d+)(?![\p{L}\p{N}_])/uy
const oneDigit = /\$(\d)(?![\p{L}\p{N}_])/uy
const englishDigits = /\$(\d+)(?!\w)/y
const braced = /\$\{([^\s{}$`]+)\}/y
const wordName = /^ARG(\d+)$/
const folder = '{baseDir}'

type Found = Lexed & { readonly data: Reference }

/** Recognises the references that the text expander replaces, under the rules of its options. */
class TextLexer {
  readonly claims: string
  readonly #rules: TextRules
  readonly #names = new WeakMap<readonly string[], ArgumentNames>()

  constructor(rules: TextRules) {
    this.#rules = rules
    this.claims = `$${rules.escapes === 'none' ? '' : '\\'}${rules.baseDirBraces ? '{' : ''}`
  }

  lex(text: string, at: number, { command, isNested = false }: LexContext): Lexed | undefined {
    switch (text.charAt(at)) {
      case '\\':
        return this.#escape(text, at, command, isNested)
      case '{':
        return this.#folder(text, at, command)
      default:
        // Reached only if the backslash was left for others to see.
        return this.#isKept(text, at, isNested) ? undefined : this.#dollar(text, at, command)
    }
  }

  #escape(text: string, at: number, command: PromptCommand, isNested: boolean): Lexed | undefined {
    if (text.charAt(at + 1) !== '$') return undefined
    const { escapes } = this.#rules
    const isOne = escapes === 'arguments' && !isNested
    if (isOne ? text.charAt(at - 1) === '\\' : isEscaped(text, at)) return undefined
    // In a script a backslash belongs to the shell, unless it escapes a reference.
    if (isNested) return this.#dollar(text, at + 1, command) && { end: at + 2, data: new Reference('dollar') }
    if (escapes === 'arguments')
      return this.#dollar(text, at + 1, command)?.data.isArgument === true
        ? { end: at + 2, data: new Reference('dollar') }
        : undefined
    if (
      escapes === 'references' &&
      !/^\d/.test(text.charAt(at + 2)) &&
      this.#dollar(text, at + 1, command) === undefined
    )
      return undefined
    return { end: at + 2, data: new Reference('dollar') }
  }

  /** True if a backslash that is not part of a token escapes the `$` after it. */
  #isKept(text: string, at: number, isNested: boolean): boolean {
    const { escapes } = this.#rules
    return escapes !== 'none' && (escapes !== 'arguments' || isNested) && isEscaped(text, at)
  }

  #folder(text: string, at: number, { baseDir }: PromptCommand): Lexed | undefined {
    // `${baseDir}` and `{{baseDir}}` belong to other languages.
    const isOwn = baseDir !== undefined && text.startsWith(folder, at) && !/[${]/.test(text.charAt(at - 1))
    return isOwn ? { end: at + folder.length, data: new Reference('folder') } : undefined
  }

  #dollar(text: string, at: number, command: PromptCommand): Found | undefined {
    const { digits, prices, names, letters, arguments: hasArguments } = this.#rules
    const named = hasArguments && names !== false ? this.#namesOf(command).at(text, at + 1) : undefined
    if (named !== undefined && !(names === 'no-bracket' && text.charAt(named.end) === '['))
      return { end: named.end, data: new Reference('name', { index: named.index }) }
    const whole = hasArguments ? matchAt(all, text, at) : undefined
    if (whole !== undefined) {
      const [{ length }, number] = whole
      if (number === undefined) return { end: at + length, data: new Reference('all') }
      return digits === 'none'
        ? { end: at + '$ARGUMENTS'.length, data: new Reference('all') }
        : { end: at + length, data: this.#position(number) }
    }
    const isEnglish = letters === 'ascii'
    const [one, any] = prices ? [digitPosition, anyPosition] : [oneDigit, isEnglish ? englishDigits : anyDigits]
    const position = !hasArguments || digits === 'none' ? undefined : matchAt(digits === 'one' ? one : any, text, at)
    if (position?.[1] !== undefined) return { end: at + position[0].length, data: this.#position(position[1]) }
    const [written = '', name] = matchAt(braced, text, at) ?? []
    const data = name === undefined ? undefined : this.#braced(name, command)
    return data && { end: at + written.length, data }
  }

  #position(number: string): Reference {
    return new Reference('position', { index: Number(number) - (this.#rules.numbering === 'one' ? 1 : 0) })
  }

  #braced(name: string, command: PromptCommand): Reference | undefined {
    const { argN, braces, variables, arguments: hasArguments } = this.#rules
    if (hasArguments && braces && name === 'ARGUMENTS') return new Reference('all')
    const number = hasArguments && argN ? wordName.exec(name)?.[1] : undefined
    if (number !== undefined) return new Reference('word', { index: Number(number) - 1 })
    const isWanted = variables === 'all' || (variables !== 'none' && variables.includes(name))
    return isWanted && mayBeVariable(name, command) ? new Reference('variable', { name }) : undefined
  }

  #namesOf({ argumentNames }: PromptCommand): ArgumentNames {
    const known = this.#names.get(argumentNames) ?? new ArgumentNames(argumentNames, this.#rules.letters)
    this.#names.set(argumentNames, known)
    return known
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

/** Arguments of one invocation, as the references of its body use them. */
class ArgumentValues {
  /** True if there are any. */
  readonly areGiven: boolean
  /** All arguments as one text. */
  readonly text: string
  readonly #rules: TextRules
  readonly #tokens: readonly Token[]
  #words: readonly string[] | undefined
  #highest: number | undefined

  constructor({ args, tokens = [] }: Pick<EvaluateContext, 'args' | 'tokens'>, rules: TextRules) {
    const trimmed = args.trim()
    this.areGiven = trimmed !== ''
    this.text = rules.trim ? trimmed : args
    this.#rules = rules
    this.#tokens = tokens
  }

  /** Returns the value of a reference; undefined leaves it as it is written. */
  valueOf(reference: Reference): string | undefined {
    const value = this.#plainValueOf(reference)
    return value === undefined ? undefined : this.asInserted(value)
  }

  /** Returns an argument as it is written into a text. */
  asInserted(value: string): string {
    if (!this.#rules.marksCommands) return value
    return value
      .replaceAll('!`', '! `')
      .replaceAll('```!', '``` !')
      .replace(/(^|\s)!/g, '$1\\!')
  }

  #plainValueOf({ kind, index }: Reference): string | undefined {
    if (kind === 'all') return this.areGiven || this.#rules.emptyArguments === 'remove' ? this.text : undefined
    this.#words ??= this.#rules.words === 'command' ? commandWords(this.text) : splitArguments(this.text)
    const word = this.#words[index]
    if (kind === 'name') return word ?? ''
    if (
      kind === 'position' &&
      word !== undefined &&
      this.#rules.numbering === 'one' &&
      index === (this.#highest ??= highestPosition(this.#tokens))
    ) {
      return this.#words.slice(index).join(' ')
    }
    return word
  }
}

function highestPosition(tokens: readonly Token[]): number {
  let highest = -1
  for (const { data, children } of tokens) {
    if (data instanceof Reference && data.kind === 'position') highest = Math.max(highest, data.index)
    if (children.length > 0) highest = Math.max(highest, highestPosition(children))
  }
  return highest
}

/**
 * Replaces references to arguments, variables and the skill's folder in the text of a skill. See
 * docs/reference/expansion.md, "Arguments and variables".
 * @throws SkillsError `E_INVALID_OPTION` for a value that an option does not accept
 */
export function textExpander(given?: TextExpanderOptions): Provider<'expander'> {
  const rules = textExpanderOptions.read(given)
  return defineProvider({
    kind: 'expander',
    id: 'text',
    setup() {
      const lexer = new TextLexer(rules)
      // One context object is one expansion, so its arguments are split once.
      const known = new WeakMap<EvaluateContext, ArgumentValues>()
      const valuesOf = (context: EvaluateContext): ArgumentValues => {
        const values = known.get(context) ?? new ArgumentValues(context, rules)
        known.set(context, values)
        return values
      }
      return {
        claims: lexer.claims,
        lex: (text, at, context) => lexer.lex(text, at, context),
        evaluate({ data }, context) {
          if (!(data instanceof Reference)) return undefined
          switch (data.kind) {
            case 'dollar':
              return '$'
            case 'folder':
              return context.command.baseDir
            case 'variable':
              return variableValue(data.name, context)
            default:
              return valuesOf(context).valueOf(data)
          }
        },
        frame(tokens, { args, command }) {
          const values = new ArgumentValues({ args }, rules)
          // Text that got no argument, such as the price in "Costs $5", was not a reference.
          const isReferredTo = tokens.some(
            ({ data }) => data instanceof Reference && data.isArgument && values.valueOf(data) !== undefined,
          )
          return {
            before: headerOf(command, rules.header),
            after:
              rules.arguments && rules.appended !== false && values.areGiven && !isReferredTo
                ? `ARGUMENTS: ${values.asInserted(values.text)}`
                : undefined,
            isAsIs: rules.appended === 'as-is',
          }
        },
      }
    },
  })
}

function headerOf(command: PromptCommand, header: TextRules['header']): string | undefined {
  if (typeof header === 'function') return header(command)
  return header && command.baseDir !== undefined ? `Base directory for this skill: ${command.baseDir}` : undefined
}
