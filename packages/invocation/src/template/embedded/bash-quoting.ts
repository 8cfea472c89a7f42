import { BashCommands } from './bash-commands.js'
import {
  caseWordAt,
  fixedSubscriptEnd,
  isOfRedirection,
  isSubscript,
  mayBePattern,
  parameterAt,
  partsOperator,
} from './bash-lookaround.js'
import { heredocAt, heredocEnd, lineEnd, type Heredoc } from './heredoc.js'
import { ReferenceCursor, type Quoting, type Quotings, type Reference } from './quoting.js'

/**
 * What the scanner is in. The end of a script within a script is a bracket or a backtick, of a whole one nothing; one
 * that is put into a word keeps how many here-documents were announced around what it stands in. Within a `case` a
 * bracket ends a pattern.
 */
type Frame =
  | { readonly kind: 'script'; readonly end: ')' | '`' | ''; readonly outerHeredocs?: number; cases?: number }
  | { readonly kind: 'double' | 'heredoc' }
  | { readonly kind: 'braces'; readonly isQuoted: boolean; readonly isNumber: boolean }
  | { readonly kind: 'calculation'; readonly close: ')' | ']'; depth: number }

/** Here-documents in substitutions of one another. */
const mostNested = 32
const specialParameter = /[\w@*#?!$-]/
// What a dollar sign stands before that is a number or no variable.
const fixed = /[#?$!'"]/
const wordBreak = /[\s;&|()<>]/
/** The value as a prompt, which is expanded once more, or with its escapes read. */
const expandsAgain = /^@[PE]\}/

/**
 * Finds out how bash reads the places of references. Linear, and on the safe side: a place that it may not understand
 * counts as one where the shell calculates. What stands in a reference is never looked at.
 * @param references in order, without overlap
 */
export function bashQuoting(script: string, references: readonly Reference[]): Quotings {
  const scanner = new BashScanner(script, references)
  scanner.scan(0, script.length, { kind: 'script', end: '' })
  return scanner.result(script.length)
}

class BashScanner {
  readonly #script: string
  readonly #cursor: ReferenceCursor
  #frames: Frame[] = []
  /** Where the part ends that is scanned, and how many parts it stands in. */
  #end = 0
  #nesting = 0
  /** How many of the frames calculate. */
  #calculations = 0
  /** A calculation whose end cannot be told goes on for good. */
  #isLost = false
  readonly #commands: BashCommands
  /** Those whose text begins behind the next newline. */
  readonly #heredocs: Heredoc[] = []
  /** How many of them were announced around the substitution that is scanned, and how many backticks it stands in. */
  #outerHeredocs = 0
  #backticks = 0
  #lastCommand = 0
  readonly #contentEnd: number

  constructor(script: string, references: readonly Reference[]) {
    this.#script = script
    this.#contentEnd = script.trimEnd().length
    this.#cursor = new ReferenceCursor(references)
    this.#commands = new BashCommands(script, this.#cursor)
  }

  result(end: number): Quotings {
    this.#cursor.takeUntil(end + 1, 'number')
    const numbers = this.#commands.numbers()
    const quotings = this.#cursor.quotings.map((quoting, index) =>
      numbers[index] === true && (quoting === 'bare' || quoting === 'quoted') ? 'number' : quoting,
    )
    return { quotings, lastCommand: this.#lastCommand, evaluated: this.#commands.evaluated }
  }

  /** Scans a part as if it stood alone in `frame`; what is not closed at its end is left. */
  scan(from: number, end: number, frame: Frame): void {
    const [outer, calculations, outerEnd, backticks] = [this.#frames, this.#calculations, this.#end, this.#backticks]
    const depth = this.#commands.depth
    this.#frames = [frame]
    this.#end = end
    this.#nesting += 1
    if (frame.kind === 'script') this.#commands.enter(false)
    for (let at = from; at < end;) at = this.#reference(at) ?? this.#step(at)
    this.#commands.leave(end, depth)
    this.#nesting -= 1
    if (this.#nesting > 0) this.#dropHeredocs(0)
    this.#outerHeredocs = 0
    this.#backticks = backticks
    this.#end = outerEnd
    this.#frames = outer
    this.#calculations = calculations
  }

  get #frame(): Frame {
    return this.#frames.at(-1) ?? { kind: 'script', end: '' }
  }

  /** Takes the reference at a position and gives its end. */
  #reference(at: number): number | undefined {
    const behind = this.#cursor.take(at, this.#quoting())
    // It is put between double quotes where it stands bare.
    if (behind !== undefined) this.#commands.dynamic(at, this.#frame.kind === 'script', false)
    return behind
  }

  #quoting(): Quoting {
    if (this.#isLost || this.#calculations > 0) return 'number'
    const frame = this.#frame
    if (frame.kind === 'script') return 'bare'
    return frame.kind === 'braces' && !frame.isQuoted ? 'bare' : 'quoted'
  }

  #push(frame: Frame): void {
    this.#frames.push(frame)
    if (!calculates(frame)) return
    this.#calculations += 1
    this.#commands.calculate()
  }

  #pop(at: number): void {
    const frame = this.#frames.length > 1 ? this.#frames.pop() : undefined
    if (frame === undefined) return
    if (calculates(frame)) this.#calculations -= 1
    if (frame.kind !== 'script') return
    this.#commands.leave(at, this.#commands.depth - 1)
    if (frame.end === '`') this.#backticks -= 1
    if (frame.outerHeredocs === undefined) return
    this.#dropHeredocs(this.#outerHeredocs)
    this.#outerHeredocs = frame.outerHeredocs
  }

  /** Forgets here-documents whose text cannot be told, as that of one whose substitution ends in its line. */
  #dropHeredocs(from: number): void {
    if (this.#heredocs.splice(from).length > 0) this.#lose()
  }

  /** Reads what stands at a position; gives where to go on. */
  #step(at: number): number {
    const frame = this.#frame
    const character = this.#script.charAt(at)
    // The backtick that ends a script is no part of it.
    if (frame.kind === 'script' && !(character === '`' && frame.end === '`')) this.#commands.read(at, character)
    if (character === '\\') return this.#escape(at, frame)
    if (character === '$') return this.#dollar(at, frame)
    if (frame.kind === 'script') return this.#inScript(at, character, frame)
    if (frame.kind === 'calculation') return this.#inCalculation(at, character, frame)
    if (character === '`') this.#loseBetweenBackticks(character)
    if (character === '`') this.#enter(at, '`')
    else if (frame.kind === 'braces') {
      if (character === '@' && expandsAgain.test(this.#script.slice(at, at + 3))) this.#commands.evaluateAll()
      if (character === '}') this.#pop(at)
      else if (character === '"') this.#push({ kind: 'double' })
      else if (character === "'" && !frame.isQuoted) return this.#literal(at + 1, false)
    } else if (character === '"' && frame.kind === 'double') this.#pop(at)
    return at + 1
  }

  #escape(at: number, frame: Frame): number {
    // What a backslash does in a calculation depends on what that is a part of.
    if (frame.kind === 'calculation') this.#lose()
    else if (partsOperator(this.#script, at, frame.kind, this.#commands.isInList)) this.#lose()
    else if (this.#backticks > 0 && /[$`]/.test(this.#script.charAt(at + 1))) {
      // Between backticks it is gone before the script in them is read.
      if (/[`([{]/.test(this.#script.slice(at + 1, at + 3))) this.#lose()
      this.#commands.dynamic(at, frame.kind === 'script', frame.kind === 'script')
    }
    return this.#cursor.take(at + 1, this.#isLost ? 'number' : 'unread') ?? at + 2
  }

  /** What follows is not surely understood. */
  #lose(): void {
    this.#isLost = true
    this.#commands.evaluateAll()
  }

  #dollar(at: number, frame: Frame): number {
    const script = this.#script
    const isScript = frame.kind === 'script'
    const next = script.charAt(at + 1)
    // The reference behind it is no part of it.
    if (this.#reference(at + 1) !== undefined) return this.#cursor.lastEnd
    if (!fixed.test(next) && this.#calculations === 0) this.#commands.dynamic(at, isScript, isScript)
    if (next === '(' && script.charAt(at + 2) === '(') return this.#calculate(at + 3, ')')
    if (next === '(') this.#enter(at, ')')
    else if (next === '[') return this.#calculate(at + 2, ']')
    else if (next === '{') {
      const { end, isIndirect, isNumber, isFixed } = parameterAt(script, at, this.#cursor.nextStart)
      // It takes a value for the name of a variable.
      if (isIndirect) this.#commands.calculate()
      this.#push({ kind: 'braces', isQuoted: this.#isQuoted(frame), isNumber })
      // The dollar sign that was read last may be a reference's.
      return isFixed ? end : (this.#reference(end - 1) ?? end)
    } else if (next === "'" && (isScript || (frame.kind === 'braces' && !frame.isQuoted)))
      return this.#literal(at + 2, true)
    // The `#` of `$#` begins no comment.
    else return specialParameter.test(next) ? at + 2 : at + 1
    return at + 2
  }

  #isQuoted(frame: Frame): boolean {
    return frame.kind === 'braces' ? frame.isQuoted : frame.kind !== 'script'
  }

  #inScript(at: number, character: string, frame: Frame & { kind: 'script' }): number {
    const script = this.#script
    switch (character) {
      case "'":
        return this.#literal(at + 1, false)
      case '"':
        this.#push({ kind: 'double' })
        return at + 1
      case '`':
        if (frame.end === '`') this.#pop(at)
        else {
          this.#loseBetweenBackticks(character)
          this.#commands.dynamic(at, true, true)
          this.#enter(at, '`')
        }
        return at + 1
      case ')':
        if (frame.end === ')' && (frame.cases ?? 0) === 0) this.#pop(at)
        // It ends a pattern of a `case`.
        else this.#commands.endCommand(at)
        return at + 1
      case '(':
        if (script.charAt(at + 1) === '(') return this.#calculate(at + 2, ')')
        return this.#parenthesis(at)
      case '[':
        if (!this.#commands.beginsElement(at) && !(isSubscript(script, at) && this.#commands.mayCalculate()))
          return at + 1
        if (fixedSubscriptEnd(script, at, this.#cursor.nextStart) !== undefined) return at + 1
        this.#commands.subscript(at)
        return this.#calculate(at + 1, ']')
      case '<':
        return this.#redirection(at)
      case '#':
        if (!this.#isWordStart(at)) return at + 1
        if (this.#calculations > 0) this.#lose()
        this.#loseBetweenBackticks(script.slice(at, lineEnd(script, at)))
        return this.#cursor.takeUntil(lineEnd(script, at), this.#isLost ? 'number' : 'unread')
      case '\n':
        this.#commands.endCommand(at)
        if (this.#heredocs.length > 0) return this.#readHeredocs(at + 1)
        this.#beginCommand(at + 1)
        return at + 1
      case ';':
      case '&':
      case '|':
        if (isOfRedirection(script, at)) return at + 1
        this.#commands.endCommand(at)
        this.#beginCommand(at + 1)
        return at + 1
      case 'c':
        // The brackets of its patterns have no counterpart, so that the end of what is around them is not where it
        // seems.
        if (this.#calculations > 0 && script.startsWith('case', at) && this.#isWordStart(at)) this.#lose()
        this.#caseWord(at, frame)
        return at + 1
      case 'e':
        this.#caseWord(at, frame)
        return at + 1
      default:
        return at + 1
    }
  }

  /** Counts the `case`s of a script that a bracket ends: those of their patterns do not. */
  #caseWord(at: number, frame: Frame & { kind: 'script' }): void {
    const word = frame.end === ')' && this.#isWordStart(at) ? caseWordAt(this.#script, at) : undefined
    if (word === undefined) return
    const isInPlaceOfPattern = mayBePattern(this.#script, at)
    const cases = frame.cases ?? 0
    if (word === 'esac')
      frame.cases = cases > 0 && (isInPlaceOfPattern || this.#commands.isFirst(at)) ? cases - 1 : cases
    else if (this.#commands.isFirst(at)) {
      if (cases > 0 && isInPlaceOfPattern) this.#lose()
      frame.cases = cases + 1
    }
  }

  #inCalculation(at: number, character: string, frame: Frame & { kind: 'calculation' }): number {
    const isSum = frame.close === ')'
    if (character === "'" && !isSum) return this.#literal(at + 1, false)
    if (character === "'" || character === '`') this.#lose()
    else if (character === '"') this.#push({ kind: 'double' })
    else if (character === (isSum ? '(' : '[')) frame.depth += 1
    else if (character === frame.close) {
      if (frame.depth > 0) frame.depth -= 1
      else if (!isSum) this.#pop(at)
      else if (this.#script.charAt(at + 1) === ')') {
        this.#pop(at)
        return at + 2
      } else this.#lose()
    }
    return at + 1
  }

  #calculate(from: number, close: ')' | ']'): number {
    this.#push({ kind: 'calculation', close, depth: 0 })
    return from
  }

  /** A script in a substitution or in parentheses, or a list. */
  #enter(at: number, end: ')' | '`', { isList = false, isGroup = false } = {}): void {
    this.#commands.dynamic(at, false, false)
    if (end === '`') this.#backticks += 1
    this.#push({ kind: 'script', end, ...(!isGroup && { outerHeredocs: this.#outerHeredocs }) })
    if (!isGroup) this.#outerHeredocs = this.#heredocs.length
    this.#commands.enter(isList)
  }

  #parenthesis(at: number): number {
    const before = this.#script.charAt(at - 1)
    if (before === '<' || before === '>') this.#commands.endTarget()
    else if (before !== '=') this.#commands.endCommand(at)
    this.#enter(at, ')', { isList: before === '=', isGroup: !/[<>=]/.test(before) })
    return at + 1
  }

  /** Text up to a single quote is the shell's own, and so are the references in it. */
  #literal(from: number, hasEscapes: boolean): number {
    const script = this.#script
    let end = script.indexOf("'", from)
    if (hasEscapes) {
      for (end = from; end < script.length && script.charAt(end) !== "'"; end += 1)
        if (script.charAt(end) === '\\') end += 1
    }
    const after = end < 0 ? script.length : end
    this.#loseBetweenBackticks(script.slice(from, after))
    return this.#cursor.takeUntil(after, this.#isLost || this.#calculations > 0 ? 'number' : 'literal') + 1
  }

  #redirection(at: number): number {
    if (this.#script.startsWith('<<<', at)) return at + 3
    if (!this.#script.startsWith('<<', at)) return at + 1
    if (this.#calculations > 0) this.#lose()
    const announced = heredocAt(this.#script, at)
    // The shell reads further for the delimiter.
    const isWhole = announced !== undefined && !/[\\(]/.test(this.#script.charAt(announced.end))
    if (!isWhole || (this.#backticks > 0 && announced.heredoc.delimiter.includes('`'))) this.#lose()
    if (announced === undefined) return at + 2
    this.#heredocs.push(announced.heredoc)
    this.#commands.endTarget()
    // The shell takes its word for the delimiter as it is.
    return this.#cursor.takeUntil(announced.end, 'literal')
  }

  #readHeredocs(from: number): number {
    let at = from
    if (this.#outerHeredocs > 0) this.#lose()
    this.#outerHeredocs = 0
    for (const heredoc of this.#heredocs.splice(0)) {
      const { end, next } = heredocEnd(this.#script, at, heredoc, this.#end)
      if (this.#mayEndBefore(heredoc, this.#script.slice(at, end))) this.#lose()
      if (heredoc.isLiteral) this.#cursor.takeUntil(end, this.#isLost ? 'number' : 'literal')
      else if (this.#nesting < mostNested) this.scan(at, end, { kind: 'heredoc' })
      else {
        this.#lose()
        this.#cursor.takeUntil(end, 'number')
      }
      at = next
    }
    this.#beginCommand(at)
    return at
  }

  /** Inside backticks any further backtick ends the script, even one in quotes or a comment. */
  #loseBetweenBackticks(text: string): void {
    if (this.#backticks > 0 && text.includes('`')) this.#lose()
  }

  /** In a substitution its end may end a here-document, too. */
  #mayEndBefore({ delimiter }: Heredoc, text: string): boolean {
    return (this.#backticks > 0 && text.includes('`')) || (this.#frames.length > 1 && text.includes(`${delimiter})`))
  }

  #beginCommand(at: number): void {
    if (this.#frames.length === 1 && at < this.#contentEnd) this.#lastCommand = at
  }

  #isWordStart(at: number): boolean {
    return at === 0 || (this.#cursor.lastEnd !== at && wordBreak.test(this.#script.charAt(at - 1)))
  }
}

function calculates(frame: Frame): boolean {
  return frame.kind === 'calculation' || (frame.kind === 'braces' && frame.isNumber)
}
