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

/** Most words of a command that are compared. Rules are shorter; a longer one would have to be the whole script. */
const mostWords = 32

/** Most characters of a script, and of the values put into it, that are examined. The rest counts as unseen. */
const mostCharacters = 256 * 1024

export interface PossibleCommands {
  readonly commands: readonly string[]
  /** Part of the script that may run something which the text does not show; undefined if there is no such part. */
  readonly unseen: string | undefined
}

/**
 * Returns every command that a script may run, in lower case, as far as its text shows. Rules that forbid are compared
 * with these. It returns too many rather than too few: for Bash the commands that its grammar finds, and for every
 * shell each text in a place where a command might stand.
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
  // Loaded here, since most requests are not about scripts.
  const { commandsInScript } = await import('./shell-grammar.js')
  const { commands, unseen } = commandsInScript(script, values)
  for (const words of commands) addStarts(found, foldedLine(words.slice(0, mostWords).join(' ')).split(' '))
  return { commands: [...found], unseen: unseen ?? cut }
}

/**
 * Adds each text in a place where any shell might expect a command. Returns false if the values were too long to be put
 * in.
 */
function addShown(found: Set<string>, script: string, values: Readonly<Record<string, string>>): boolean {
  // Matches whole names, since one name may begin like another. A value is put in unchanged and not searched for
  // variables.
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
 * Adds the texts that begin at words where a command may begin.
 * @param mayStartAnywhere true if a command may follow any word, as after the file of a redirection
 */
function addStarts(found: Set<string>, words: readonly string[], mayStartAnywhere = false): void {
  let isOpen = mayStartAnywhere
  for (const [at, word] of words.entries()) {
    if (word === '') continue
    const rest = words.slice(at, at + mostWords).join(' ')
    found.add(rest)
    const base = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1)
    // A rule for a program also matches a path to it.
    for (const name of new Set([base, base.replace(/\.(?:exe|cmd|bat|ps1)$/, '')]))
      if (name !== word && name !== '') found.add(name + rest.slice(word.length))
    // The value of an assignment may contain spaces, and its quotes were removed.
    isOpen ||= startsOthers(base) || /^[a-z_][a-z0-9_]*\+?=/.test(word)
    if (!isOpen && !reserved.has(word)) return
  }
}

/** True if the arguments of a program may contain another command. */
function startsOthers(name: string): boolean {
  const { operand, options, always } = programOf(name) ?? {}
  return ['program', 'script', 'source'].includes(operand ?? '') || always === 'code' || options?.program !== undefined
}

function foldedLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase()
}
