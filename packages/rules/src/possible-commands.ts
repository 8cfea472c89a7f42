import { programOf } from './programs/table.js'

const reserved = new Set([
  'if',
  'then',
  'else',
  'elif',
  'do',
  'while',
  'until',
  'for',
  'case',
  'in',
  '!',
  '[[',
  '[',
  'select',
  'function',
  '{',
])

/** No rule has that many words; a longer one would have to be the whole script. */
const mostWords = 32

/**
 * Characters of a script, and of the values that are put into it, that are looked at; what stands behind them is
 * unseen.
 */
const mostCharacters = 256 * 1024

export interface PossibleCommands {
  readonly commands: readonly string[]
  /** What runs something that the text does not show. */
  readonly unseen: string | undefined
}

/**
 * Every command that a script may run, in small letters, as far as its text shows: what rules that forbid are held
 * against. It finds too many rather than too few: of Bash what its grammar shows, and of any shell what stands where a
 * command might.
 */
export async function possibleCommands(
  tool: string,
  script: string,
  values: Readonly<Record<string, string>> = {},
): Promise<PossibleCommands> {
  const text = script.slice(0, mostCharacters)
  const found = new Set<string>([foldedLine(text)])
  const isWhole = addShown(found, text, values) && text === script
  const cut = isWhole ? undefined : foldedLine(script.slice(0, 80))
  if (tool.toLowerCase() !== 'bash') return { commands: [...found], unseen: cut }
  // Loaded only here: most of what is asked about is no script.
  const { commandsInScript } = await import('./shell-grammar.js')
  const { commands, unseen } = commandsInScript(script, values)
  for (const words of commands) addStarts(found, foldedLine(words.slice(0, mostWords).join(' ')).split(' '))
  return { commands: [...found], unseen: unseen ?? cut }
}

/** Adds each text that stands where any shell might expect a command. False if the values had no room. */
function addShown(found: Set<string>, script: string, values: Readonly<Record<string, string>>): boolean {
  // A whole name at a time: one may begin as another does. A value is put in as it is and not looked into.
  const valueOf = new Map(Object.entries(values))
  let room = mostCharacters
  const filled = script.replace(/\$\{(?:env:)?(\w+)\}|\$env:(\w+)/gi, (all, braced?: string, plain?: string) => {
    const value = valueOf.get(braced ?? plain ?? '') ?? all
    room -= value.length
    return room < 0 ? all : value
  })
  const pieces = new Set<string>()
  for (const text of new Set([script, filled])) {
    const joined = text.replace(/[\\`^]\r?\n/g, '')
    for (const version of new Set([
      joined,
      joined.replace(/\$?["']|[\\^]/g, ''),
      joined.replace(/\$?["']|[\\^`]/g, ''),
    ])) {
      for (const piece of version.match(/[^;&|()`{}\r\n]+/g) ?? []) pieces.add(piece)
    }
  }
  for (const piece of pieces) addStarts(found, foldedLine(piece.replace(/[<>]/g, ' ')).split(' '), /[<>]/.test(piece))
  return room >= 0
}

/**
 * @param mayStartAnywhere whether something stands there that a command may follow in any place, as the file of a
 * redirection
 */
function addStarts(found: Set<string>, words: readonly string[], mayStartAnywhere = false): void {
  let isOpen = mayStartAnywhere
  for (const [at, word] of words.entries()) {
    if (word === '') continue
    const rest = words.slice(at, at + mostWords).join(' ')
    found.add(rest)
    const base = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1)
    // A rule for a program also matches where a path leads to it.
    for (const name of new Set([base, base.replace(/\.(?:exe|cmd|bat|ps1)$/, '')]))
      if (name !== word && name !== '') found.add(name + rest.slice(word.length))
    // The value of an assignment may hold spaces, and its quotes are gone.
    isOpen ||= startsOthers(base) || /^[a-z_][a-z0-9_]*\+?=/.test(word)
    if (!isOpen && !reserved.has(word)) return
  }
}

/** Whether another command may stand among the arguments of a program. */
function startsOthers(name: string): boolean {
  const { operand, options, always } = programOf(name) ?? {}
  return ['program', 'script', 'source'].includes(operand ?? '') || always === 'code' || options?.program !== undefined
}

function foldedLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase()
}
