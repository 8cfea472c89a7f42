import { forEachChild, parse, type Command, type SyntaxNode, type Word as ShellWord, type WordPart } from 'unbash'
import { effectsOf, type Word } from './programs/effects.js'
import { copies, isKnown, startsNothing } from './programs/harmless.js'
import { attachedPrograms, baseName, programOf } from './programs/table.js'
import { mostCharacters } from './simple-command.js'

export interface CommandsInScript {
  /** Words of each command in the text, wherever it stands, as the program gets them. */
  readonly commands: readonly (readonly string[])[]
  /** Part that runs something which the text does not show; undefined if there is none. */
  readonly unseen: string | undefined
}

/** Deepest nesting of scripts, as in `sh -c 'sh -c …'`. */
const deepest = 8

/** Most commands and words of a script. The rest counts as unseen, since reading it would take too long. */
const mostFound = 20_000

/** Variables whose value decides what a shell or program runs, though it is not a script. */
const runningVariable =
  /^(?:PATH|BASH_ENV|ENV|LD_\w+|DYLD_\w+|BASH_FUNC\w*|NODE_OPTIONS|PERL5OPT|PERL5LIB|PYTHONSTARTUP|RUBYOPT|GIT_CONFIG\w*|GIT_EXEC_PATH)$/

/** Variables whose value is a program, or options of one. */
const namingVariable = /(?:PAGER|EDITOR|VISUAL|BROWSER|SHELL|COMMAND|ASKPASS|OPEN|SSH|PROGRAM|DIFF|OPTS|OPTIONS|FLAGS)$/

/**
 * Finds the commands of a Bash script by the grammar of Bash, including commands in substitutions, functions,
 * redirections and arguments of other commands.
 */
export function commandsInScript(script: string, values: Readonly<Record<string, string>>): CommandsInScript {
  const commands: string[][] = []
  /** Names of files that the script writes, and names that it starts by a path. */
  const [placed, started] = [new Set<string>(), new Map<string, string>()]
  let unseen: string | undefined

  function hide(text: string): void {
    unseen ??= text.slice(0, 1000).trim().replace(/\s+/g, ' ').slice(0, 80)
  }

  function read(text: string, depth: number): void {
    if (depth > deepest || commands.length > mostFound || text.length > mostCharacters) return hide(text)
    visit(parse(text), text, depth, false)
  }

  function visit(node: SyntaxNode, source: string, depth: number, isFed: boolean): void {
    const within = node.type === 'Script' ? (node.source ?? source) : source
    if (node.type === 'Script' && node.errors !== undefined && node.errors.length > 0) hide(within)
    if (node.type === 'Command') look(node, within, depth, isFed)
    if (node.type === 'Redirect' && node.target !== undefined) placed.add(baseName(node.target.value))
    if (node.type === 'Assignment') {
      if (runningVariable.test(node.name)) hide(node.text)
      if (node.value.type === 'Word') {
        const value = valueOf(node.value, values)
        if (value === undefined && namingVariable.test(node.name)) hide(node.text)
        read(value ?? node.value.value, depth + 1)
      }
    }
    // Input of a program that may run it counts like its arguments.
    const feeds =
      isFed || (node.type === 'Pipeline' && node.commands.some(one => one.type === 'Command' && mayRunInput(one)))
    forEachChild(node, child => visit(child, within, depth, feeds))
  }

  function look(command: Command, source: string, depth: number, isFed: boolean): void {
    if (command.name === undefined) return
    const words = wordsOf(command)
    const text = source.slice(command.pos, command.end)
    const all = words.map(({ value }) => value)
    const [name = '', first = ''] = all
    if (words[0]?.isOpen !== undefined) hide(text)
    commands.push(all)
    if (name.includes('/')) started.set(baseName(name), text)
    for (const value of copies(name) ? all.slice(1) : []) {
      placed.add(baseName(value))
      commands.push([value])
    }
    // A subcommand may follow options, so each word after them is tried.
    for (let at = 2; first.startsWith('-') && at < all.length && at < longestRule; at++) {
      commands.push([name, ...all.slice(at)])
      if (![all[at - 1], all[at]].some(word => word?.startsWith('-'))) break
    }
    const { found } = effectsOf(words)
    const isCode = found.some(({ effect }) => effect === 'code' || effect === 'source')
    if (isCode) hide(text)
    if (
      !isCode &&
      !isFed &&
      startsNothing(words) &&
      !found.some(({ effect }) => effect === 'program' || effect === 'script')
    )
      return
    search(words, text, depth)
    for (const one of command.redirects) if (one.type !== 'Redirect' && mayRunInput(command)) fed(one, depth)
  }

  /** Reads a here-document or here-string that may be run. */
  function fed(redirection: Exclude<Command['redirects'][number], { type: 'Redirect' }>, depth: number): void {
    const text = 'target' in redirection ? redirection.target?.value : redirection.body.text
    if (text !== undefined) read(text, depth + 1)
  }

  function wordsOf({ name, args }: Command): readonly Word[] {
    return [...(name === undefined ? [] : [name]), ...args].map(wordFrom)
  }

  function wordFrom(one: NonNullable<Command['name']> | Command['args'][number]): Word {
    const text = 'text' in one ? one.text : ''
    const value = one.type === 'Word' ? valueOf(one, values) : text
    return { text, value: value ?? text, isOpen: value === undefined ? opennessOf(one) : undefined }
  }

  /** True if a program is unknown, so that it may run its input. */
  function mayRunInput(command: Command): boolean {
    const [first] = [...(command.name === undefined ? [] : [command.name]), ...command.args]
    const name = first && wordFrom(first)
    return name !== undefined && (name.isOpen !== undefined || !isKnown(name.value))
  }

  /** Searches the arguments, since a program that is started is named in one or more of them. */
  function search(words: readonly Word[], text: string, depth: number): void {
    const args = words.slice(1)
    const programs = args.some(({ value }) => value.startsWith('-'))
      ? new Set(words.flatMap(({ value }) => programOf(value) ?? []))
      : []
    if (args.some(({ isOpen, value }) => isOpen !== undefined || isEncoded(value))) hide(text)
    const all = args.map(({ value }) => value)
    for (const [at, value] of all.entries()) {
      if (commands.length > mostFound) return hide(text)
      const rest = all.slice(at + 1, at + longestRule)
      for (const piece of piecesOf(value)) commands.push([piece, ...rest])
      for (const one of value.startsWith('-') ? [...programs].flatMap(program => attachedPrograms(program, value)) : [])
        if (one !== '') read(one, depth + 1)
      if (/[^\w./:,+@%-]/.test(value))
        for (const one of new Set([value, value.replace(/^[^=]*=/, ''), value.replace(/^(?:[^=!|]*=)?\s*[!|]/, '')]))
          read(one, depth + 1)
    }
    if (all.length > 1 && all.length <= longestRule) read(all.join(' '), depth + 1)
  }

  read(script, 0)
  for (const [name, text] of started) if (placed.has(name)) hide(text)
  return { commands, unseen }
}

/** Returns a word, and its parts after an option, an assignment or a separator. */
function piecesOf(word: string): readonly string[] {
  if (word.startsWith('--')) return word.includes('=') ? piecesOf(word.slice(word.indexOf('=') + 1)) : []
  if (/^-./.test(word)) return word.length > 2 ? piecesOf(word.slice(2).replace(/^=/, '')) : []
  return [...new Set([word, ...word.split(/[=,:;|!\s]+/)])].filter(one => one !== '')
}

/** True if a word contains text in an encoding that some program decodes. */
function isEncoded(word: string): boolean {
  if (/%[0-9a-f]{2}|\\(?:x[0-9a-f]|[0-7]{2}|u[0-9a-f])/i.test(word)) return true
  const isText = (text: string): boolean => /^[\t\n -~]{4,}$/.test(text)
  if (/^(?:[0-9a-f]{2}){4,}$/i.test(word) && isText(Buffer.from(word, 'hex').toString('latin1'))) return true
  return (
    word.length <= 65_536 &&
    /^[\w+/-]{8,}={0,2}$/.test(word) &&
    /[A-Z]/.test(word) &&
    /[a-z]/.test(word) &&
    isText(Buffer.from(word, 'base64').toString('latin1'))
  )
}

/** Most words of a command that are compared. Rules are shorter; a longer one would have to be the whole script. */
const longestRule = 32

/** Returns a word as the program gets it; undefined if that is known only when the script runs. */
function valueOf(
  { parts, value = '' }: { readonly parts?: ShellWord['parts']; readonly value?: string },
  values: Readonly<Record<string, string>>,
): string | undefined {
  if (parts === undefined) return value
  let all = ''
  for (const part of parts) {
    const one = valueOfPart(part, values)
    if (one === undefined) return undefined
    all += one
  }
  return all
}

/** Returns what a word may become whose value is known only when the script runs. */
function opennessOf(word: Command['args'][number]): 'name' | 'word' | 'any' {
  const parts = word.type === 'Word' ? (word.parts ?? []) : []
  const [first] = parts
  const isOne = parts.every(({ type }) => type === 'Literal' || type === 'SingleQuoted' || type === 'DoubleQuoted')
  if (!isOne || first === undefined) return 'any'
  const [start] = first.type === 'DoubleQuoted' ? first.parts : [first]
  const text = start?.type === 'Literal' || start?.type === 'SingleQuoted' ? start.value : ''
  return text !== '' && (!text.startsWith('-') || /^--[\w-]+=/.test(text)) ? 'name' : 'word'
}

function valueOfPart(part: WordPart, values: Readonly<Record<string, string>>): string | undefined {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value
    case 'DoubleQuoted':
    case 'LocaleString':
      return valueOf({ parts: part.parts }, values)
    case 'ParameterExpansion':
      return part.operation === undefined && part.index === undefined && part.prefix === undefined
        ? values[part.parameter]
        : undefined
    case 'SimpleExpansion':
      return values[part.text.slice(1)]
    default:
      return undefined
  }
}
