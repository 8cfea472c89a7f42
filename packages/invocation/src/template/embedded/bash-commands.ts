import type { Evaluated, ReferenceCursor } from './quoting.js'

/** A word of a command, as it is written. */
interface Word {
  readonly start: number
  end: number
  /** Where the first thing in it stands whose text only the run gives. */
  dynamicAt: number
  /** Whether what is put into it may become several words. */
  isSplit: boolean
}

/** A script, or a script within a script, at its present command. */
interface Level {
  /** Whether it is a list, as behind `names=`, and no command at all. */
  readonly isList: boolean
  words: Word[]
  /** The first of them that is neither an assignment nor stands before a command. */
  command: Word | undefined
  open: Word | undefined
  /** Whether the next word is a file to read or to write; one that is expanded once more, as behind `>&`. */
  target: 'once' | 'twice' | undefined
  firstReference: number
}

/** A `[[` that is not closed yet. */
interface Test {
  readonly level: number
  readonly firstReference: number
  isNumeric: boolean
}

// Longer ones are no names, options or operators.
const shown = 256
const wordBreak = /[\s;&|()<>]/
const numericOperator = /^-(?:eq|ne|lt|le|gt|ge|v|R)$/
const beforeCommand = new Set([
  'if',
  'then',
  'else',
  'elif',
  'while',
  'until',
  'do',
  '!',
  '{',
  '}',
  'time',
  'coproc',
  'builtin',
  'command',
  '-p',
  '--',
])
const assignment = /^[A-Za-z_]\w*(?:\[.*\])?\+?=/s
/** A member of a list for a name. */
const element = /^[A-Za-z_]\w*\[/
/** Variables that the shell always reads as numbers, and the values they take without a calculation. */
const integer = /^(?:S?RANDOM|SECONDS|LINENO|OPTIND|HISTCMD)(?=$|\+?=)/
const number = /=[\d$?#!]*$/
/** What bash expands whenever it would show it. */
const prompt = /^PS[0-4](?=$|\+?=)/
/** They take text for a script, which is not looked into here. */
const running = new Set(['eval', 'trap', 'source', '.', 'alias', 'complete', 'compgen'])
const shellProgram = /(?:^|\/)(?:ba|da|k|z)?sh$/
const declaring = new Set(['declare', 'typeset', 'local', 'readonly', 'export'])
const naming = new Set(['read', 'mapfile', 'readarray', 'unset', 'getopts', 'wait'])
const looping = new Set(['for', 'select'])
/**
 * Other words behind which a subscript may be one; to all other commands brackets are text, or a pattern of file names.
 */
const subscripting = new Set([
  'let',
  'printf',
  '[',
  'test',
  '[[',
  'case',
  'function',
  'eval',
  'exec',
  'source',
  'trap',
  'alias',
])
const plainName = /^[A-Za-z_./~][\w./~+-]*$/
/** Numbers of files, and variables for them, but not that of standard output. */
const otherOutput = /^(?:0*[02-9]|0*[1-9]\d+|\{[A-Za-z_]\w*\})$/
const partedRedirection = /^>\\\r?\n/
/** A variable that a redirection sets, and that is one of a list. */
const redirectedElement = /^\{\w+\[/

/**
 * The commands of a bash script, told apart while a scanner moves over it: which of them calculate with what stands in
 * their words, or take words for names of variables, whose subscripts are calculated too.
 */
export class BashCommands {
  #calculates = false
  /**
   * Whether there are lists, and declarations that give a variable a value: of one that is a list, the value is read as
   * a list.
   */
  #hasLists = false
  #declaresLists = false
  #declaresValues = false
  /**
   * Whether the script itself puts what a variable holds between the brackets of a text that is read as a subscript
   * later.
   */
  #fillsSubscripts = false
  /** Whether what a variable holds is expanded once more, or something is not looked into. */
  #evaluatesAll = false
  readonly #script: string
  readonly #cursor: ReferenceCursor
  readonly #levels: Level[] = []
  readonly #tests: Test[] = []
  /** References that are calculated with: indexes, the end exclusive. */
  readonly #numbers: (readonly [from: number, to: number])[] = []

  constructor(script: string, cursor: ReferenceCursor) {
    this.#script = script
    this.#cursor = cursor
  }

  get evaluated(): Evaluated {
    if (this.#evaluatesAll || (this.#calculates && this.#fillsSubscripts)) return 'everything'
    if (this.#declaresLists || (this.#hasLists && this.#declaresValues)) return 'lists'
    return this.#calculates ? 'subscripts' : 'nothing'
  }

  get depth(): number {
    return this.#levels.length
  }

  get isInList(): boolean {
    return this.#levels.at(-1)?.isList === true
  }

  /** Something stands here that calculates. */
  calculate(): void {
    this.#calculates = true
  }

  /** Something stands here that is not looked into. */
  evaluateAll(): void {
    this.#evaluatesAll = true
  }

  enter(isList: boolean): void {
    this.#hasLists ||= isList
    this.#levels.push({
      isList,
      words: [],
      command: undefined,
      open: undefined,
      target: undefined,
      firstReference: this.#references,
    })
  }

  /** Ends scripts within scripts until so many are left. */
  leave(at: number, depth: number): void {
    while (this.#levels.length > depth) {
      this.endCommand(at)
      while ((this.#tests.at(-1)?.level ?? 0) >= this.#levels.length) this.#endTest()
      this.#levels.pop()
    }
  }

  /** Takes a character that stands outside quotes. */
  read(at: number, character: string): void {
    if (wordBreak.test(character)) {
      const isRedirection = character === '<' || character === '>'
      const level = this.#levels.at(-1)
      if (isRedirection && partedRedirection.test(this.#script.slice(at, at + 4))) this.#evaluatesAll = true
      const before =
        isRedirection && level?.open !== undefined ? this.#script.slice(level.open.start, at).slice(0, shown) : ''
      this.#calculates ||= redirectedElement.test(before)
      // The number of what is redirected is no word.
      if (level !== undefined && /^(?:\d+|\{\w+\})$/.test(before)) level.open = undefined
      this.#endWord(at)
      // What `>&` sends standard output to may be a file, and then the shell expands its name again.
      if (level !== undefined && isRedirection)
        level.target = this.#script.startsWith('>&', at) && !otherOutput.test(before) ? 'twice' : 'once'
    } else if (character !== '#') this.#openWord(at)
  }

  /** Something stands here whose text only the run gives. */
  dynamic(at: number, isInScript: boolean, isSplit: boolean): void {
    if (isInScript) this.#openWord(at)
    const word = this.#levels.at(-1)?.open
    if (word === undefined) return
    const before = this.#script.slice(Math.max(word.start, at - shown), at)
    this.#fillsSubscripts ||= /\w\[/.test(before.slice(before.lastIndexOf(']') + 1))
    if (word.dynamicAt < 0) word.dynamicAt = at
    word.isSplit ||= isSplit
  }

  /** What followed a redirection was taken already, or was none of its words. */
  endTarget(): void {
    const level = this.#levels.at(-1)
    if (level !== undefined) level.target = undefined
  }

  /** Whether a subscript that begins here may be calculated, and not just text that is handed on. */
  mayCalculate(): boolean {
    const command = this.#levels.at(-1)?.command
    if (command === undefined) return true
    const name = this.#script.slice(command.start, Math.min(command.end, command.start + shown))
    return (
      isDynamic(command) ||
      !plainName.test(name) ||
      declaring.has(name) ||
      naming.has(name) ||
      looping.has(name) ||
      subscripting.has(name)
    )
  }

  /** Whether the word that begins here may be the first of a command, so that it counts as a keyword. */
  isFirst(at: number): boolean {
    const level = this.#levels.at(-1)
    return (
      level !== undefined &&
      !level.isList &&
      level.command === undefined &&
      level.target === undefined &&
      level.open?.start === at
    )
  }

  /** Whether a word of a list begins here, which may be a subscript. */
  beginsElement(at: number): boolean {
    return this.isInList && this.#levels.at(-1)?.open?.start === at
  }

  /**
   * A subscript begins behind a bracket; what is in that of a list or an argument is expanded once more when it is
   * calculated.
   */
  subscript(at: number): void {
    const level = this.#levels.at(-1)
    if (level === undefined) return
    // Behind assignments alone it is one of them.
    const isArgument = [level.words[0], level.words.at(-1)].some(
      word => word !== undefined && !this.#isBeforeCommand(word),
    )
    if (level.isList || isArgument)
      this.#fillsSubscripts ||= /^[^\]]{0,255}[$`]/.test(this.#script.slice(at + 1, at + shown))
  }

  endCommand(at: number): void {
    this.#endWord(at)
    const level = this.#levels.at(-1)
    if (level === undefined) return
    if (!level.isList) this.#judge(level)
    level.words = []
    level.command = undefined
    level.target = undefined
    level.firstReference = this.#references
  }

  /** For each reference whether it is calculated with. */
  numbers(): readonly boolean[] {
    // Ranges may lie in each other, and each is gone through once.
    const changes = Array.from({ length: this.#references + 1 }, () => 0)
    for (const [from, to] of this.#numbers) {
      changes[from] = (changes[from] ?? 0) + 1
      changes[to] = (changes[to] ?? 0) - 1
    }
    let depth = 0
    return changes.map(change => (depth += change) > 0)
  }

  get #references(): number {
    return this.#cursor.quotings.length
  }

  #openWord(at: number): void {
    const level = this.#levels.at(-1)
    if (level !== undefined) level.open ??= { start: at, end: at, dynamicAt: -1, isSplit: false }
  }

  #endWord(at: number): void {
    const level = this.#levels.at(-1)
    const word = level?.open
    if (level === undefined || word === undefined) return
    level.open = undefined
    word.end = at
    // A line that goes on is no word.
    if (
      this.#script.charAt(word.start) === '\\' &&
      at - word.start < shown &&
      /^(?:\\\r?\n)+$/.test(this.#script.slice(word.start, at))
    )
      return
    if (level.target !== undefined) {
      this.#evaluatesAll ||= level.target === 'twice' && isDynamic(word)
      level.target = undefined
      return
    }
    const text = at - word.start < shown ? this.#script.slice(word.start, at).replaceAll(/\\\r?\n/g, '') : ''
    this.#readTest(text)
    // A function's name, or what a loop goes through, stands before another command.
    const isOther = text === '{' || (text === 'do' && /^(?:for|select)$/.test(this.#textOf(level.words[0])))
    if (isOther) {
      this.#judge(level)
      level.words = []
      level.command = undefined
      return
    }
    level.words.push(word)
    if (level.command === undefined && !this.#isBeforeCommand(word)) level.command = word
  }

  /** Operators of a test that stand in parentheses are on a level of their own. */
  #readTest(text: string): void {
    const test = this.#tests.at(-1)
    if (text === '[[' && test?.level !== this.#levels.length) {
      this.#tests.push({ level: this.#levels.length, firstReference: this.#references, isNumeric: false })
    } else if (test !== undefined && numericOperator.test(text)) test.isNumeric = true
    else if (test !== undefined && text === ']]') this.#endTest()
  }

  #endTest(): void {
    const test = this.#tests.pop()
    if (test?.isNumeric === true) this.#calculateFrom(test.firstReference)
  }

  #calculateFrom(firstReference: number): void {
    this.#calculates = true
    this.#numbers.push([firstReference, this.#references])
  }

  #judge({ words, command, firstReference }: Level): void {
    const first = command === undefined ? -1 : words.indexOf(command)
    const before = words.slice(0, first < 0 ? words.length : first)
    this.#calculates ||= before.some(word => this.#setsInteger(word))
    this.#evaluatesAll ||= words.some(word => prompt.test(this.#textOf(word)))
    this.#hasLists ||= before.map(word => this.#textOf(word)).some(text => element.test(text) || text === 'coproc')
    if (first < 0) return
    const args = words.slice(first + 1)
    const name = this.#textOf(command)
    if (name === 'let') this.#calculateFrom(firstReference)
    else if (declaring.has(name)) this.#judgeDeclaration(args, firstReference)
    else if (naming.has(name)) {
      this.#hasLists = true
      this.#calculates ||= args.some(
        word => isDynamic(word) || this.#textOf(word).includes('[') || this.#setsInteger(word),
      )
    } else if (looping.has(name)) this.#calculates ||= args.slice(0, 1).some(word => this.#setsInteger(word))
    else if (name === 'printf') this.#calculates ||= this.#mayNameVariable(args[0])
    else if (running.has(name) || (shellProgram.test(name) && args.some(word => /^-\w*c/.test(this.#textOf(word)))))
      this.#calculates = true
    else if (name === '[' || name === 'test') this.#calculates ||= this.#mayTestVariable(args)
  }

  #setsInteger(word: Word): boolean {
    const text = this.#textOf(word)
    return integer.test(text) && (isDynamic(word) || !number.test(text))
  }

  #isBeforeCommand(word: Word): boolean {
    const text = this.#textOf(word)
    return beforeCommand.has(text) || assignment.test(text)
  }

  #judgeDeclaration(args: readonly Word[], firstReference: number): void {
    const texts = args.map(word => this.#textOf(word))
    const options = texts.filter(text => /^[-+]/.test(text)).join('')
    if (options.includes('i')) this.#calculateFrom(firstReference)
    // A reference to a variable takes its name from what is assigned to it later.
    this.#calculates ||=
      options.includes('n') ||
      args.some(
        (word, index) =>
          element.test(texts[index] ?? '') || (texts[index]?.includes('=') === true && this.#setsInteger(word)),
      )
    this.#hasLists ||= /a/i.test(options)
    const dynamic = args.filter(isDynamic)
    if (dynamic.length === 0) return
    const hasName = dynamic.every(word => assignment.test(this.#textBefore(word)))
    this.#calculates ||= !hasName
    this.#declaresLists ||= !hasName || /a/i.test(options)
    this.#declaresValues = true
  }

  /** `printf -v`, or a first word that may become it. */
  #mayNameVariable(word: Word | undefined): boolean {
    if (word === undefined) return false
    const text = isDynamic(word) ? this.#textBefore(word) : this.#textOf(word)
    return isDynamic(word) ? text === '' || text.startsWith('-') : text.startsWith('-v')
  }

  /** Two words behind each other may become `-v` and a name. */
  #mayTestVariable(words: readonly Word[]): boolean {
    return words.some((word, index) => {
      const next = words[index + 1]
      return (
        word.isSplit || (isDynamic(word) ? next !== undefined && isDynamic(next) : /^-[vR]$/.test(this.#textOf(word)))
      )
    })
  }

  /** Without quotes and escapes. */
  #textOf(word: Word | undefined): string {
    return word === undefined ? '' : unquoted(this.#script.slice(word.start, Math.min(word.end, word.start + shown)))
  }

  #textBefore({ start, dynamicAt }: Word): string {
    return unquoted(this.#script.slice(start, Math.min(dynamicAt, start + shown)))
  }
}

function isDynamic({ dynamicAt }: Word): boolean {
  return dynamicAt >= 0
}

function unquoted(text: string): string {
  return text.replaceAll(/\\\r?\n|\$?["']|\\/g, '')
}
