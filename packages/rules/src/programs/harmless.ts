import { effectsOf, others, type Word } from './effects.js'
import { baseName, mayStartOthers } from './table.js'
import { harmless } from './harmless-table.js'

/** The kinds of values and operands that rows of the table name. */
const kinds: Readonly<Record<string, RegExp>> = {
  any: /^/,
  // A path, a name or a number that a program cannot take for an address, an option or an assignment.
  plain: /^(?![A-Za-z][\w+.-]*::?\/)(?!.*::)[\w.~/][\w.~/:@+,%^#*?[\]{}-]*$/,
  // A path or a name in the current folder: a program may take its configuration from where its operands lie.
  within: /^(?!.*(?:^|\/)\.\.(?:\/|$))[\w.][\w./*+@[\]{},-]*$/,
  // A path without anything that a program could take for a protocol or another machine.
  local: /^[\w./~][\w./~ +-]*$/,
  testid: /^(?!.*(?:^|\/)\.\.(?:\/|$))\w[\w./:[\]-]*$/,
  num: /^[+-]?\d[\w.,:%/-]*$/,
  // What a registry has under a name and a version.
  package:
    /^(?!.*\.(?:tgz|tar|gz|whl|zip|git)$)(?:@[\w.-]+\/)?\w[\w.-]*(?:\[[\w,-]+\])?(?:(?:@|[=<>~!]=)[\w.^~<>=*+-]+)?$/,
  perlmodule: /^\w+(?:::\w+)*$/,
  url: /^https?:\/\/\S+$/,
  https: /^https:\/\/[\w./:@~-]+$/,
  web: /^(?:https?:\/\/)?[\w-][\w.-]*(?::\d+)?(?:[/?#]\S*)?$/,
  target: /^\w[\w./:+-]*$/,
  // A file of code is what stands there; what comes in by a device is not.
  script: /^(?![-@])(?!.*(?:^|\/)(?:dev|proc)\/)[^:]+$/,
  codefile: /^[\w./~][\w./~-]*\.[cm]?[jt]sx?$/,
  gopath: /^\.{1,2}(?:\/[\w./-]*)?$|^[\w/-]+\.go$/,
  refspec: /^\+?[\w./:^~@{}-]+$/,
  key: /^[\w-]+\../,
  format: /^\+/,
  // A signature is checked by a program that the configuration names.
  pretty: /^(?!.*%[+ -]?G)(?!.*%\(\*?signature)/s,
  // A file of formats may be one of code, and a document may be made by another program.
  pandocformat: /^(?!pdf$)[a-z][\w+-]*$/,
  // A value, and not what a file holds.
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
  /** Undefined: it takes no value. */
  readonly kind?: string | undefined
  /** Whether a value is only taken where it is attached. */
  readonly isAttached?: boolean
  /** Whether a rule has to write it itself. */
  readonly isNamed?: boolean
}

/** One row of the table, with the options of what stands before it. */
class Row {
  readonly #tokens: ReadonlySet<string>
  readonly #options = new Map<string, Option>()
  readonly isLong: boolean
  /** Of each operand the kinds that it may be of; the last is that of all further ones. */
  readonly kinds: readonly (readonly string[])[]
  readonly most: number

  /** @param texts the rows from that of the program to this one */
  constructor(texts: readonly string[], isGit: boolean) {
    const own = texts.at(-1)?.split(' ') ?? []
    this.#tokens = new Set(own)
    this.isLong = texts.some(text => text.split(' ').includes('long'))
    this.most = own.includes('1') ? 1 : own.includes('2') ? 2 : Infinity
    const operands = own.flatMap(token => (token.startsWith('<') ? [token.slice(1, -1).split(',')] : []))
    const places = Math.max(0, ...operands.map(({ length }) => length))
    this.kinds = Array.from({ length: places }, (_, at) => operands.flatMap(kind => kind[at] ?? kind.at(-1) ?? []))
    // git shows its help by another program.
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

/** The rows by the words that lead to them: `git log`. */
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

/** Whether a command has to be free of all harm, or only must start nothing. */
type Question = 'harm' | 'start'

/**
 * How many of a command's first words a rule has to write itself, so that all that follows is known to start and to
 * write nothing but what the program does by itself. Infinity where no rule that leaves something open is enough.
 */
export function wordsToName(words: readonly Word[], question: Question = 'harm'): number {
  const [name] = words
  if (name === undefined) return 0
  const key = keyOf(name.value)
  if (key !== undefined) return wordsOf(key, words, question)
  if (isOwnScript(name.value) && question === 'harm') return 1
  // What comes in, and text that is code, is written by no rule that leaves something open.
  return effectsOf(words).found.some(({ effect, at }) => effect === 'code' && at === Infinity) ? Infinity : allOf(words)
}

/** All words have to be named, which cannot be where some do not stand there. */
function allOf(words: readonly Word[]): number {
  return words.at(-1) === others ? Infinity : words.length
}

/** Whether a command is known to start no other program; what it writes does not count. */
export function startsNothing(words: readonly Word[]): boolean {
  return words.length <= 1 ? words[0] === undefined || isKnown(words[0].value) : wordsToName(words, 'start') <= 1
}

/** Whether a program is in the table, or a script that its user named by its path. */
export function isKnown(name: string): boolean {
  return keyOf(name) !== undefined || isOwnScript(name)
}

/** Whether a program puts what its operands name elsewhere, under another name. */
export function copies(name: string): boolean {
  const key = keyOf(name)
  return key !== undefined && rowOf(key).has('copies')
}

/**
 * The first words of a command by which a rule says something: a program of the table and its subcommand, where
 * nothing behind them has to be named. Undefined where a rule had better hold the whole command.
 * @param words as they are written
 */
export function openPrefix(words: readonly string[]): readonly [name: string, subcommand: string] | undefined {
  const [name, subcommand, ...rest] = words
  if (name === undefined || subcommand === undefined || rest.length === 0) return undefined
  const key = keyOf(name)
  const isOfTable = key !== undefined && table().has(`${key} ${subcommand}`)
  return isOfTable && !mayStartOthers(name, subcommand) && isHarmless(words, 2) ? [name, subcommand] : undefined
}

/**
 * Whether a rule that holds the first words of a command covers it.
 * @param words as they are written
 */
export function isHarmless(words: readonly string[], first = 1): boolean {
  return words[0] !== undefined && isKnown(words[0]) && wordsToName(words.map(text => ({ text, value: text }))) <= first
}

function keyOf(name: string): string | undefined {
  const isKey = (one: string): boolean => table().has(one) && !one.includes(' ')
  if (isKey(name)) return name
  const base = baseName(name)
  if (isKey(base)) return base
  // Of these each version has its own name; another name with a digit is another program.
  const [, versionless] = /^(python|pypy|pip|perl|ruby|php|lua|node)[-.\d]+$/.exec(base) ?? []
  return versionless !== undefined && isKey(versionless) ? versionless : undefined
}

/**
 * A script that is named by its path belongs to who names it, with all that it does with its words; what stands in a
 * folder of the system is a program like any other.
 */
function isOwnScript(name: string): boolean {
  return name.includes('/') && !/^\/(?:usr|bin|sbin|lib\w*|opt|nix|snap|dev|proc|sys)\//.test(name)
}

function wordsOf(key: string, words: readonly Word[], question: Question): number {
  let row = rowOf(key)
  let path = key
  /** As many words as have to be named so far, the program among them. */
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
        // What it adds stands behind the words that are here. It does what the other one does, so a rule has to name that.
        return at + Math.max(1, wordsToName(key === 'xargs' ? [...words.slice(at), others] : words.slice(at), question))
      }
      const isPlain =
        isOpen === undefined ||
        kind === 'any' ||
        (question === 'start' && isOpen === 'name') ||
        // What a pattern becomes begins as it does, and `.*` might be the folder above.
        (['plain', 'within', 'package'].includes(kind ?? '') && !/(?:^|\/)\.[^/]*[*?[]/.test(value))
      const fits = isPlain && ((question === 'start' && isOpen === 'name') || row.fits(operands - 1, value))
      if (fits && (kind === 'script' || kind === 'codefile'))
        return question === 'start' && at + 1 < words.length ? all : named
      if (allowed.length === 0 || kind === 'script' || kind === 'codefile') return all
      if (!fits || operands > row.most) named = at + 1
    }
  }
  const [first] = row.kinds[0] ?? []
  // Without a file an interpreter runs what comes in, unless it is only asked about itself.
  if (operands === 0 && (first === 'script' || first === 'codefile'))
    return words.length === 2 && /^-{1,2}(?:version|help|[Vvmi])$/.test(words[1]?.value ?? '') ? named : Infinity
  const { found } = row.has('checked') || words.length === 1 ? effectsOf(words) : { found: [] }
  if (row.has('checked') ? found.length > 0 : found.some(({ effect, at }) => effect === 'code' && at === Infinity))
    return Infinity
  return named
}

/** A module that an interpreter runs as a program is one of the table; another has to be named with all it gets. */
function moduleWords(words: readonly Word[], at: number, named: number, question: Question): number {
  const module = words.slice(at)
  const known = module[0] !== undefined && keyOf(module[0].value) === module[0].value
  const further = known ? wordsToName(module, question) : words.length
  return further <= 1 ? named : at + further
}

interface Taken {
  /** How many words an option and its value are; 0 for one that is not known. */
  readonly length: number
  readonly isNamed?: boolean | undefined
  /** Whether all that follows is a module. */
  readonly isModule?: boolean
}

const unknown: Taken = { length: 0 }

function optionAt(row: Row, words: readonly Word[], at: number): Taken {
  const { value: text = '', isOpen } = words[at] ?? {}
  if (isOpen !== undefined && !(isOpen === 'name' && text.includes('='))) return unknown
  /** The value in the next word. What begins with a dash may as well be an option. */
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
