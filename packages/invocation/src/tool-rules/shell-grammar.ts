import { forEachChild, parse, type Command, type SyntaxNode, type Word as ShellWord, type WordPart } from 'unbash'
import { effectsOf, type Word } from './programs/effects.js'
import { attachedPrograms, programOf } from './programs/table.js'
import { mostCharacters } from './simple-command.js'

export interface CommandsInScript {
  /** The words of each command that the text shows, wherever it stands in it, as the program gets them. */
  readonly commands: readonly (readonly string[])[]
  /** What runs something that the text does not show. */
  readonly unseen: string | undefined
}

/** How many scripts may hold each other, as in `sh -c 'sh -c …'`. */
const deepest = 8

/**
 * Commands and words after which the rest of a script counts as unseen: what follows takes longer than anyone has to
 * wait.
 */
const mostFound = 20_000

/** Variables whose value a shell or a program runs as something else than a script. */
const runningVariable =
  /^(?:BASH_ENV|ENV|LD_\w+|DYLD_\w+|BASH_FUNC\w*|NODE_OPTIONS|PERL5OPT|PERL5LIB|PYTHONSTARTUP|RUBYOPT|GIT_CONFIG\w*|GIT_EXEC_PATH)$/

/**
 * The commands of a Bash script by a real grammar: also those in substitutions, functions, redirections and in the
 * arguments of others.
 */
export function commandsInScript(script: string, values: Readonly<Record<string, string>>): CommandsInScript {
  const commands: string[][] = []
  let unseen: string | undefined

  function hide(text: string): void {
    unseen ??= text.slice(0, 1000).trim().replace(/\s+/g, ' ').slice(0, 80)
  }

  function read(text: string, depth: number): void {
    if (depth > deepest || commands.length > mostFound || text.length > mostCharacters) return hide(text)
    visit(parse(text), text, depth)
  }

  function visit(node: SyntaxNode, source: string, depth: number): void {
    const within = node.type === 'Script' ? (node.source ?? source) : source
    if (node.type === 'Script' && node.errors !== undefined && node.errors.length > 0) hide(within)
    if (node.type === 'Command') look(node, within, depth)
    if (node.type === 'Assignment') {
      if (runningVariable.test(node.name)) hide(node.text)
      if (node.value.type === 'Word') read(valueOf(node.value, values) ?? node.value.value, depth + 1)
    }
    forEachChild(node, child => visit(child, within, depth))
  }

  function look(command: Command, source: string, depth: number): void {
    if (command.name === undefined) return
    const words = [command.name, ...command.args].map((one): Word => {
      const text = 'text' in one ? one.text : ''
      const value = one.type === 'Word' ? valueOf(one, values) : text
      return { text, value: value ?? text, isOpen: value === undefined ? 'any' : undefined }
    })
    if (words[0]?.isOpen !== undefined) hide(source.slice(command.pos, command.end))
    commands.push(words.map(({ value }) => value))
    const { found } = effectsOf(words)
    const isUnseen = found.some(({ effect }) => effect === 'code' || effect === 'source')
    if (isUnseen) hide(source.slice(command.pos, command.end))
    if (isUnseen || found.some(({ effect }) => effect === 'program' || effect === 'script'))
      started(words, source.slice(command.pos, command.end), depth)
  }

  /** What a program starts stands somewhere among its arguments, or in one of them. */
  function started(words: readonly Word[], text: string, depth: number): void {
    const args = words.slice(1)
    const programs = new Set(words.flatMap(({ value }) => programOf(value) ?? []))
    if (args.some(({ isOpen }) => isOpen !== undefined)) hide(text)
    const all = args.map(({ value }) => value)
    for (const [at, value] of all.entries()) {
      if (commands.length > mostFound) return hide(text)
      const rest = all.slice(at, at + longestRule)
      commands.push(rest)
      for (const one of value.startsWith('-') ? [...programs].flatMap(program => attachedPrograms(program, value)) : [])
        if (one !== '') read(one, depth + 1)
      if (/[^\w./:,+@%-]/.test(value))
        for (const one of new Set([value, value.replace(/^[^=]*=/, ''), value.replace(/^(?:[^=!|]*=)?\s*[!|]/, '')]))
          read(one, depth + 1)
    }
    if (all.length > 1 && all.length <= longestRule) read(all.join(' '), depth + 1)
  }

  read(script, 0)
  return { commands, unseen }
}

/** No rule has that many words; a longer one would have to be the whole script. */
const longestRule = 32

/** What a word is once the shell has read it; undefined where that shows only then. */
function valueOf({ parts, value }: ShellWord, values: Readonly<Record<string, string>>): string | undefined {
  if (parts === undefined) return value
  let all = ''
  for (const part of parts) {
    const one = valueOfPart(part, values)
    if (one === undefined) return undefined
    all += one
  }
  return all
}

function valueOfPart(part: WordPart, values: Readonly<Record<string, string>>): string | undefined {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value
    case 'DoubleQuoted':
    case 'LocaleString':
      return valueOf({ parts: part.parts, value: '' } as unknown as ShellWord, values)
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
