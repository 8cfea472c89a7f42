import { effectsOf, others, type Word } from './effects.js'
import { baseName, mayStartOthers } from './table.js'
import { harmless } from './harmless-table.js'

/** Kinds of values and operands in rows of the table, as patterns. */
const kinds: Readonly<Record<string, RegExp>> = {
  any: /^/,
  // A path, name or number that a program cannot take for an address, an option or an assignment.
  plain: /^(?![A-Za-z][\w+.-]*::?\/)(?!.*::)[\w.~/][\w.~/:@+,%^#*?[\]{}-]*$/,
  // A path or name below the current folder: a program may take its configuration from the folder of its operands.
  within: /^(?!.*(?:^|\/)\.\.(?:\/|$))[\w.][\w./*+@[\]{},-]*$/,
  // A path that a program cannot take for a protocol or another machine.
  local: /^[\w./~][\w./~ +-]*$/,
  testid: /^(?!.*(?:^|\/)\.\.(?:\/|$))\w[\w./:[\]-]*$/,
  num: /^[+-]?\d[\w.,:%/-]*$/,
  // A package of a registry, by name and version.
  package:
    /^(?!.*\.(?:tgz|tar|gz|whl|zip|git)$)(?:@[\w.-]+\/)?\w[\w.-]*(?:\[[\w,-]+\])?(?:(?:@|[=<>~!]=)[\w.^~<>=*+-]+)?$/,
  perlmodule: /^\w+(?:::\w+)*$/,
  url: /^https?:\/\/\S+$/,
  https: /^https:\/\/[\w./:@~-]+$/,
  web: /^(?:https?:\/\/)?[\w-][\w.-]*(?::\d+)?(?:[/?#]\S*)?$/,
  target: /^\w[\w./:+-]*$/,
  // A file of code. Input from a device could be anything.
  script: /^(?![-@])(?!.*(?:^|\/)(?:dev|proc)\/)[^:]+$/,
  codefile: /^[\w./~][\w./~-]*\.[cm]?[jt]sx?$/,
  gopath: /^\.{1,2}(?:\/[\w./-]*)?$|^[\w/-]+\.go$/,
  refspec: /^\+?[\w./:^~@{}-]+$/,
  key: /^[\w-]+\../,
  format: /^\+/,
  // Without signatures: they are checked by a program that the configuration names.
  pretty: /^(?!.*%[+ -]?G)(?!.*%\(\*?signature)/s,
  // A name of a format. A file of formats may contain code, and `pdf` is made by another program.
  pandocformat: /^(?!pdf$)[a-z][\w+-]*$/,
  // A literal value, not the content of a file.
  nofile: /^(?!@)(?![\w.[\]-]*(?:@|=[@<]))/,
  header: /^(?!@)/,
  writeout: /^(?!@)(?!.*%output\{)/s,
  field: /^[\w.[\]-]+=(?!@)/,
  apipath: /^[\w/{][\w./{}?=&%,+~-]*$/,
  awsread: /^(?:describe|list|get|head|batch-get|lookup|filter)-[\w-]+$/,
  tarlist: /^[tvzjJaf]*t[tvzjJaf]*$/,
}

function isKind(kind: string, text: string): boolean {
  return kinds[kind]?.test(text) ?? kind.split('|').includes(text)
}

interface Option {
  /** Kind of the value; undefined if the option takes none. */
  readonly kind?: string | undefined
  /** True if a value counts only when it is attached. */
  readonly isAttached?: boolean
  /** True if a rule has to write the option itself. */
  readonly isNamed?: boolean
}

/** Row of the table, with the options of the rows before it: `git log` has those of `git`. */
class Row {
  readonly #tokens: ReadonlySet<string>
  readonly #options = new Map<string, Option>()
  readonly isLong: boolean
  /** Kinds that each operand may have. The last entry is for all further operands. */
  readonly kinds: readonly (readonly string[])[]
  readonly most: number

  /** @param texts rows from that of the program to this one */
  constructor(texts: readonly string[], isGit: boolean) {
    const own = texts.at(-1)?.split(' ') ?? []
    this.#tokens = new Set(own)
    this.isLong = texts.some(text => text.split(' ').includes('long'))
    this.most = own.includes('1') ? 1 : own.includes('2') ? 2 : Infinity
    const operands = own.flatMap(token => (token.startsWith('<') ? [token.slice(1, -1).split(',')] : []))
    const places = Math.max(0, ...operands.map(({ length }) => length))
    this.kinds = Array.from({ length: places }, (_, at) => operands.flatMap(kind => kind[at] ?? kind.at(-1) ?? []))
    // The help of git is shown by another program.
    if (!isGit) for (const name of ['--help', '--version']) this.#options.set(name, {})
    for (const token of texts.flatMap(text => text.split(' '))) {
      const [, mark, name = '', sign, kind] = /^(!?)(--?[^=?]+)([=?]?)(.*)$/.exec(token) ?? []
      const names = name.startsWith('--') || this.isLong ? [name] : Array.from(name.slice(1), letter => `-${letter}`)
      const value = sign === '' || sign === undefined ? undefined : kind === '' ? 'any' : kind
      for (const one of names) this.#options.set(one, { kind: value, isAttached: sign === '?', isNamed: mark === '!' })
    }
  }

  has(token: string): boolean {
    return this.#tokens.has(token)
  }

  option(name: string): Option | undefined {
    return this.#options.get(name)
  }

  fits(place: number, text: string): boolean {
    return this.kinds[Math.min(place, this.kinds.length - 1)]?.some(kind => isKind(kind, text)) === true
  }
}

let texts: ReadonlyMap<string, string> | undefined
const rows = new Map<string, Row>()

/** Returns the rows by the words of a command: `git log`. */
function table(): ReadonlyMap<string, string> {
  if (texts === undefined) {
    const all = new Map<string, string>()
    for (const [key, row] of Object.entries(harmless)) {
      let paths = ['']
      for (const names of key.split(' ')) {
        paths = paths.flatMap(path => names.split('|').map(name => `${path} ${name}`.trimStart()))
        for (const path of paths) if (!all.has(path)) all.set(path, '')
      }
      for (const path of paths) all.set(path, row)
    }
    texts = all
  }
  return texts
}

function rowOf(key: string): Row {
  let row = rows.get(key)
  if (row === undefined) {
    const path = key.split(' ')
    row = new Row(
      path.flatMap((_, at) => table().get(path.slice(0, at + 1).join(' ')) ?? []),
      path[0] === 'git',
    )
    rows.set(key, row)
  }
  return row
}

/** `harm`: the command must do no harm; `start`: it must only start no other program. */
type Question = 'harm' | 'start'

/**
 * Returns how many of a command's first words a rule has to contain. With these words fixed, the other words are known
 * to start no other program and to write no other file. Infinity if no open rule is enough.
 */
export function wordsToName(words: readonly Word[], question: Question = 'harm'): number {
  const [name] = words
  if (name === undefined) return 0
  const key = keyOf(name.value)
  if (key !== undefined) return wordsOf(key, words, question)
  if (isOwnScript(name.value) && question === 'harm') return 1
  // An open rule cannot write what comes as input, nor text that is code.
  return effectsOf(words).found.some(({ effect, at }) => effect === 'code' && at === Infinity) ? Infinity : allOf(words)
}

/** Returns the number of all words; Infinity if some of them are unknown. */
function allOf(words: readonly Word[]): number {
  return words.at(-1) === others ? Infinity : words.length
}

/** True if a command is known to start no other program. It may write files. */
export function startsNothing(words: readonly Word[]): boolean {
  return words.length <= 1 ? words[0] === undefined || isKnown(words[0].value) : wordsToName(words, 'start') <= 1
}

/** True if a program is in the table, or is a script that its user named by a path. */
export function isKnown(name: string): boolean {
  return keyOf(name) !== undefined || isOwnScript(name)
}

/** True if a program copies its operands to other names. */
export function copies(name: string): boolean {
  const key = keyOf(name)
  return key !== undefined && rowOf(key).has('copies')
}

/**
 * Returns the first words of a command for an open rule: a program of the table and its subcommand, if no further word
 * has to be written. Undefined if a rule should contain the whole command.
 * @param words words as they are written
 */
export function openPrefix(words: readonly string[]): readonly [name: string, subcommand: string] | undefined {
  const [name, subcommand, ...rest] = words
  if (name === undefined || subcommand === undefined || rest.length === 0) return undefined
  const key = keyOf(name)
  const isOfTable = key !== undefined && table().has(`${key} ${subcommand}`)
  return isOfTable && !mayStartOthers(name, subcommand) && isHarmless(words, 2) ? [name, subcommand] : undefined
}

/**
 * True if a rule with the first words of a command covers it.
 * @param words words as they are written
 */
export function isHarmless(words: readonly string[], first = 1): boolean {
  return words[0] !== undefined && isKnown(words[0]) && wordsToName(words.map(text => ({ text, value: text }))) <= first
}

function keyOf(name: string): string | undefined {
  const isKey = (one: string): boolean => table().has(one) && !one.includes(' ')
  if (isKey(name)) return name
  const base = baseName(name)
  if (isKey(base)) return base
  // Each version of these has its own name. Any other name with a digit is another program.
  const [, versionless] = /^(python|pypy|pip|perl|ruby|php|lua|node)[-.\d]+$/.exec(base) ?? []
  return versionless !== undefined && isKey(versionless) ? versionless : undefined
}

/**
 * True for a script that is named by its path: it belongs to the person who names it, with everything that it does. A
 * program in a folder of the system is one like any other.
 */
function isOwnScript(name: string): boolean {
  return name.includes('/') && !/^\/(?:usr|bin|sbin|lib\w*|opt|nix|snap|dev|proc|sys)\//.test(name)
}

function wordsOf(key: string, words: readonly Word[], question: Question): number {
  let row = rowOf(key)
  let path = key
  /** Number of words that have to be written so far, the program included. */
  let named = 1
  let operands = 0
  let onlyOperands = false
  const all = allOf(words)
  const isFree = (): boolean => row.has('%') || (question === 'start' && row.has('~'))
  for (let at = 1; at < words.length; at++) {
    const { value = '', isOpen } = words[at] ?? {}
    if ((isOpen === 'any' || isOpen === 'word') && !onlyOperands) {
      if (!isFree()) return all
    } else if (value === '--' && !onlyOperands) {
      if (!row.has('--') && !isFree()) return all
      onlyOperands = true
    } else if (!onlyOperands && value.startsWith('-') && value !== '-') {
      const { length, isNamed, isModule } = optionAt(row, words, at)
      if (isModule) return moduleWords(words, at + 1, named, question)
      if (length === 0 && !isFree()) return all
      at += Math.max(0, length - 1)
      if (isNamed) named = at + 1
    } else {
      const deeper = `${path} ${value}`
      if (operands === 0 && isOpen === undefined && table().has(deeper)) {
        path = deeper
        row = rowOf(path)
        if (row.has('named')) named = at + 1
        continue
      }
      const { kinds: allowed } = row
      const [kind] = allowed[Math.min(operands++, allowed.length - 1)] ?? []
      if (kind === 'program') {
        if (operands === 1 && row.has('skip')) {
          if (!isKind('num', value)) return all
          continue
        }
        // Added words come after those of the command. They act like the other program, so a rule has to write that
        // one.
        return at + Math.max(1, wordsToName(key === 'xargs' ? [...words.slice(at), others] : words.slice(at), question))
      }
      const isPlain =
        isOpen === undefined ||
        kind === 'any' ||
        (question === 'start' && isOpen === 'name') ||
        // The result of a pattern begins like the pattern, and `.*` might match the folder above.
        (['plain', 'within', 'package'].includes(kind ?? '') && !/(?:^|\/)\.[^/]*[*?[]/.test(value))
      const fits = isPlain && ((question === 'start' && isOpen === 'name') || row.fits(operands - 1, value))
      if (fits && (kind === 'script' || kind === 'codefile'))
        return question === 'start' && at + 1 < words.length ? all : named
      if (allowed.length === 0 || kind === 'script' || kind === 'codefile') return all
      if (!fits || operands > row.most) named = at + 1
    }
  }
  const [first] = row.kinds[0] ?? []
  // Without a file, an interpreter runs its input, unless it only prints its version or help.
  if (operands === 0 && (first === 'script' || first === 'codefile'))
    return words.length === 2 && /^-{1,2}(?:version|help|[Vvmi])$/.test(words[1]?.value ?? '') ? named : Infinity
  const { found } = row.has('checked') || words.length === 1 ? effectsOf(words) : { found: [] }
  if (row.has('checked') ? found.length > 0 : found.some(({ effect, at }) => effect === 'code' && at === Infinity))
    return Infinity
  return named
}

/**
 * Counts the words of a module that an interpreter runs. Unless it is in the table, all its words have to be written.
 */
function moduleWords(words: readonly Word[], at: number, named: number, question: Question): number {
  const module = words.slice(at)
  const known = module[0] !== undefined && keyOf(module[0].value) === module[0].value
  const further = known ? wordsToName(module, question) : words.length
  return further <= 1 ? named : at + further
}

interface Taken {
  /** Number of words of an option and its value; 0 if it is unknown. */
  readonly length: number
  readonly isNamed?: boolean | undefined
  /** True if everything after it is a module. */
  readonly isModule?: boolean
}

const unknown: Taken = { length: 0 }

function optionAt(row: Row, words: readonly Word[], at: number): Taken {
  const { value: text = '', isOpen } = words[at] ?? {}
  if (isOpen !== undefined && !(isOpen === 'name' && text.includes('='))) return unknown
  /** Takes the value from the next word. A word that begins with a dash may be an option instead. */
  const withNext = ({ kind = '', isNamed }: Option): Taken => {
    const { value, isOpen: isNextOpen } = words[at + 1] ?? {}
    const isPlain = isNextOpen === undefined || (isNextOpen !== 'any' && kind === 'any')
    const isValue = value !== undefined && isPlain && isKind(kind, value)
    return isValue && (kind === 'num' || !/^-./.test(value)) ? { length: 2, isNamed } : unknown
  }
  const exact = row.option(text)
  if (exact !== undefined && (exact.kind === undefined || exact.isAttached === true))
    return { length: 1, isNamed: exact.isNamed }
  if (/^-\d+$/.test(text) && row.has('-#')) return { length: 1 }
  if (text.startsWith('--') || row.isLong) {
    const equals = text.indexOf('=')
    if (equals < 0) return exact === undefined ? unknown : withNext(exact)
    const known = row.option(text.slice(0, equals))
    const isPlain = isOpen === undefined || known?.kind === 'any'
    return known?.kind !== undefined && isPlain && isKind(known.kind, text.slice(equals + 1))
      ? { length: 1, isNamed: known.isNamed }
      : unknown
  }
  let isNamed = false
  for (let letter = 1; letter < text.length; letter++) {
    const known = row.option(`-${text.charAt(letter)}`)
    if (known === undefined) return unknown
    isNamed ||= known.isNamed === true
    const behind = text.slice(letter + 1)
    if (known.kind === 'module') return { length: 0, isModule: behind === '' }
    if (known.kind === undefined) continue
    if (behind !== '') return isKind(known.kind, behind) ? { length: 1, isNamed } : unknown
    return known.isAttached === true ? { length: 1, isNamed } : withNext({ ...known, isNamed })
  }
  return { length: 1, isNamed }
}
