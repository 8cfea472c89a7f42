/**
 * Returns the words of the first command of a text, as a parser of shell scripts finds them that recovers from errors.
 * Nothing is expanded. Without a command, the words between white space are returned. The rules are in
 * docs/reference/expansion.md, "Words of a command". Takes linear time but for nested brackets.
 */
export function commandWords(text: string): readonly string[] {
  const words = new CommandReader(text).words()
  return words.length > 0 ? words : text.split(/\s+/).filter(word => word !== '')
}

const blank = /[ \t\r]/
const operator = /[|&;<>()\n]/
const redirection = /\d*(?:&>>|&>|<<<|<<-?|<>|<&|>>|>\||>&|>|<)(?!\()/y
const assignment = /[A-Za-z_]\w*(?:\[[^\]\s]*\])?\+?=/y
const variable = /\$(?:[A-Za-z_]\w*|[\d@*#?!$-])/y
const plain = /[^\s|&;<>()'"`\\$]+/y

/** Words of a script that stand before a command. */
const leading = new Set(['!', '{', 'if', 'while', 'until', 'do', 'then', 'else', 'elif', 'fi', 'done', 'esac'])
/** Words that take a name. */
const naming = new Set(['for', 'function', 'select', 'case'])
const declaring = new Set(['export', 'declare', 'local', 'readonly', 'typeset'])

/** Word of a command. A word that is nothing but a variable, or what is left of an error, is not an argument. */
interface Word {
  readonly text: string
  readonly isArgument: boolean
  /** True if it has no part, not even quotes. */
  readonly isEmpty: boolean
  /** True if nothing after it is read. */
  readonly isLast: boolean
}

class CommandReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  words(): readonly string[] {
    while (this.#skipToCommand()) {
      const words = this.#command()
      if (words.length > 0) return words
    }
    return []
  }

  get #next(): string {
    return this.#text.charAt(this.#at)
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    return pattern.exec(this.#text)?.[0]
  }

  #skipBlanks(): void {
    while (blank.test(this.#next) || this.#text.startsWith('\\\n', this.#at)) this.#at += this.#next === '\\' ? 2 : 1
  }

  #skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end < 0 ? this.#text.length : end
  }

  /** Skips all that may stand before the name of a command. Returns false if there is no command. */
  #skipToCommand(): boolean {
    for (;;) {
      this.#skipBlanks()
      const next = this.#next
      if (next === '') return false
      if (next === '#') this.#skipLine()
      else if (this.#text.startsWith('((', this.#at)) {
        const end = this.#text.indexOf('))', this.#at)
        if (end < 0) return false
        this.#at = end + 2
      } else if (this.#match(redirection) !== undefined) this.#skipRedirection()
      else if (/[|&;()\n`}]/.test(next)) this.#at += 1
      else if (next === '[') {
        if (!this.#skipTest()) return false
      } else if (this.#match(assignment) !== undefined) this.#skipAssignment()
      else if (!this.#skipReserved()) return true
    }
  }

  #skipRedirection(): void {
    this.#at += this.#match(redirection)?.length ?? 0
    this.#skipBlanks()
    if (!operator.test(this.#next)) this.#word(false)
  }

  /** Skips a test in brackets, or a word that begins like one. Returns false if the test is never closed. */
  #skipTest(): boolean {
    const open = /^\[\[?(?=\s|$)/.exec(this.#text.slice(this.#at, this.#at + 3))?.[0]
    if (open === undefined) {
      this.#word(false)
      return true
    }
    const close = open === '[' ? /\s\](?=\s|$)/g : /\s\]\](?=\s|$)/g
    close.lastIndex = this.#at + open.length
    const found = close.exec(this.#text)
    if (found === null) return false
    this.#at = found.index + found[0].length
    return true
  }

  #skipAssignment(): void {
    this.#at += this.#match(assignment)?.length ?? 0
    if (this.#next === '(') this.#at = this.#closing('(', ')') ?? this.#text.length
    else this.#word(false)
  }

  /** Skips a word of the language. Returns false if the next word is none. */
  #skipReserved(): boolean {
    const word = this.#match(plain) ?? ''
    const end = this.#text.charAt(this.#at + word.length)
    if (end !== '' && !blank.test(end) && !operator.test(end)) return false
    if (leading.has(word)) {
      this.#at += word.length
      return true
    }
    if (!naming.has(word)) return false
    this.#at += word.length
    this.#skipBlanks()
    this.#word(false)
    this.#skipBlanks()
    // The values of a loop and the cases are no command either.
    if (word !== 'function' && this.#match(/in(?=\s|$)/y) !== undefined)
      while (this.#next !== '' && !/[;\n]/.test(this.#next)) this.#at += 1
    return true
  }

  #command(): readonly string[] {
    const declaration = this.#match(plain) ?? ''
    const name = this.#word(true)
    if (declaring.has(declaration) && name.text === declaration) return [declaration]
    if (name.isEmpty) return []
    const words = [name.text]
    let isOnlyName = true
    for (let isLast = name.isLast; !isLast;) {
      this.#skipBlanks()
      const next = this.#next
      if (next === '' || next === '#' || next === '`') break
      if (next === '(') {
        // The parentheses of a function: what stands before them is its name.
        if (isOnlyName && this.#text.charAt(this.#at + 1) === ')') return []
        const end = this.#closing('(', ')')
        if (end === undefined) break
        this.#at = end
        continue
      }
      if (this.#match(redirection)?.endsWith('<<<') === true) {
        this.#skipRedirection()
        continue
      }
      if (operator.test(next) || this.#match(redirection) !== undefined) break
      const word = this.#word(false)
      isLast = word.isLast
      isOnlyName = false
      if (word.isArgument && this.#next !== '(') words.push(word.text)
    }
    return words
  }

  /** Returns where a bracket that opens here is closed, after the closing one; undefined if it is not. */
  #closing(open: string, close: string): number | undefined {
    let depth = 0
    for (let at = this.#at; at < this.#text.length; at += 1) {
      const character = this.#text.charAt(at)
      if (character === '\\') at += 1
      else if (character === '#' && open === '(' && /[\s(]/.test(this.#text.charAt(at - 1))) return undefined
      else if (character === open) depth += 1
      else if (character === close && (depth -= 1) === 0) return at + 1
    }
    return undefined
  }

  /** Reads a word. @param isName it is the name of the command, in which substitutions count */
  #word(isName: boolean): Word {
    const word = new WordParts()
    let isInBraces = false
    for (;;) {
      const next = this.#next
      const isSubstitution = /[<>]/.test(next) && this.#text.charAt(this.#at + 1) === '('
      const isBacktick = next === '`' && !isInBraces
      const isCommand = next === '$' && /^\$\((?!\()/.test(this.#text.slice(this.#at, this.#at + 3))
      if (isSubstitution || isBacktick || isCommand) {
        if (!isName) return { text: '', isArgument: false, isEmpty: true, isLast: true }
        word.add(this.#take(isBacktick ? this.#afterBacktick() : this.#afterParenthesis()), 'value')
      } else if (next === '' || blank.test(next) || operator.test(next)) break
      else if (next === '\\') {
        const escaped = this.#text.charAt(this.#at + 1)
        if (escaped === '\n') break
        this.#at += 2
        word.add(escaped, escaped === '' ? 'nothing' : 'text')
      } else if ((next === "'" || next === '"') && !isInBraces) {
        const end = endOfQuoted(this.#text, this.#at)
        if (end === undefined) word.add(this.#take(this.#text.length), 'quoted')
        else word.add(this.#take(end).slice(1, -1), 'quoted')
      } else if (next === '$') this.#dollar(word)
      else {
        if (next === '{') isInBraces = true
        if (next === '}') isInBraces = false
        this.#at += 1
        word.add(next, 'text')
      }
    }
    return { text: word.text, isArgument: word.isArgument, isEmpty: word.isEmpty, isLast: false }
  }

  #dollar(word: WordParts): void {
    const rest = this.#text.slice(this.#at, this.#at + 3)
    const variableHere = this.#match(variable)
    if (rest.startsWith("$'")) {
      const end = endOfQuoted(this.#text, this.#at + 1, true)
      word.add(this.#take(end ?? this.#text.length), 'value')
    } else if (rest.startsWith('$((')) word.add(this.#take(this.#afterParenthesis()), 'value')
    else if (rest.startsWith('${') || rest.startsWith('$[')) {
      this.#at += 1
      const end = rest.startsWith('${') ? this.#closing('{', '}') : this.#closing('[', ']')
      word.add(`$${this.#take(end ?? this.#text.length)}`, 'value')
    } else if (variableHere !== undefined) word.add(this.#take(this.#at + variableHere.length), 'value')
    else {
      this.#at += 1
      word.add('$', 'dollar')
    }
  }

  #take(end: number): string {
    const taken = this.#text.slice(this.#at, end)
    this.#at = end
    return taken
  }

  #afterBacktick(): number {
    const end = this.#text.indexOf('`', this.#at + 1)
    return end < 0 ? this.#text.length : end + 1
  }

  #afterParenthesis(): number {
    const start = this.#at
    this.#at += 1
    const end = this.#closing('(', ')') ?? this.#text.length
    this.#at = start
    return end
  }
}

type Part = 'text' | 'quoted' | 'value' | 'dollar' | 'nothing'

/** Parts of a word, of which one that is a mere value is no argument. */
class WordParts {
  text = ''
  #parts: Part[] = []

  add(text: string, part: Part): void {
    this.text += text
    if (part === 'nothing' || (part === 'text' && this.#parts.at(-1) === 'text')) return
    this.#parts.push(part)
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0
  }

  get isArgument(): boolean {
    const [only, ...others] = this.#parts
    if (only === undefined) return false
    return others.length > 0 || (only !== 'value' && only !== 'dollar' && this.text !== '=') || only === 'quoted'
  }
}

/** Returns where quoted text ends, after its quote; undefined if it is not closed. Double quotes may hold others. */
function endOfQuoted(text: string, start: number, hasEscapes = false): number | undefined {
  const quote = text.charAt(start)
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === quote) return at + 1
    if (character === '\\' && (quote === '"' || hasEscapes)) at += 1
    else if (quote === '"' && character === '`') {
      const end = text.indexOf('`', at + 1)
      if (end >= 0) at = end
    } else if (quote === '"' && /^\$[({]/.test(text.slice(at, at + 2))) {
      const end = endOfNested(text, at + 1)
      if (end !== undefined) at = end - 1
    }
  }
  return undefined
}

/** Returns where the bracket at a position is closed, after the closing one. */
function endOfNested(text: string, start: number): number | undefined {
  const open = text.charAt(start)
  const close = open === '(' ? ')' : '}'
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === '\\') at += 1
    else if (character === open) depth += 1
    else if (character === close && (depth -= 1) === 0) return at + 1
  }
  return undefined
}
