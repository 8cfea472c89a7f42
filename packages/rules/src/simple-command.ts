import { effectsOf, type Word } from './programs/effects.js'

/** Most characters of a script that may count as simple. No person would read a longer script. */
export const mostCharacters = 65_536

const blank = /[ \t]+/y
/** Separators of commands. A single `&` is not one: it would leave the first command running. */
const operator = /[ \t]*(?:&&|\|\|?|;|\n)[ \t]*/y
/** Redirections that neither write nor read a file. */
const harmless =
  /(?:[0-9]?>{1,2}[ \t]?\/dev\/null|&>{1,2}[ \t]?\/dev\/null|0?<[ \t]?\/dev\/null|[12]?>&[12])(?=[ \t\n;|&]|$)/y
/**
 * Plain characters, those that a shell expands to further words (`*?[]~`), and quotes in which it expands only
 * variables.
 */
const written =
  /(?:[A-Za-z0-9_./:=,+@%-]|[*?[\]~]|'[^'\p{Cc}]*'|"(?:[^"$`\\!\p{Cc}]|\$(?=")|\$\{[A-Za-z_][A-Za-z0-9_]*\})*")+(?=[ \t\n;|&]|$)/uy
const piece = /'([^']*)'|"([^"]*)"|([^'"]+)/g
const reserved = new Set([
  '[[',
  'if',
  'then',
  'else',
  'elif',
  'fi',
  'do',
  'done',
  'case',
  'esac',
  'while',
  'until',
  'for',
  'select',
  'in',
  'function',
  'coproc',
])

/**
 * Returns the commands of a Bash script that certainly consists only of simple commands, one after another or in pipes.
 * Returns undefined for every script that contains, or might contain, anything else: a substitution, a written file, a
 * background job, an assignment, a comment or an escape.
 *
 * A shell understands more ways to write a command. If the result is undefined, a person is asked about the script. The
 * returned commands must be exactly those that the shell runs.
 * @param variables names that the script may use inside double quotes, where their values can only be text
 */
export function simpleCommands(
  script: string,
  variables: Readonly<Record<string, string>> = {},
): readonly (readonly Word[])[] | undefined {
  if (script.length > mostCharacters) return undefined
  const commands: Word[][] = [[]]
  let at = 0
  let isFed = false
  const take = (token: RegExp): string | undefined => {
    token.lastIndex = at
    const found = token.exec(script)?.[0]
    at += found?.length ?? 0
    return found
  }
  take(blank)
  while (at < script.length) {
    if (take(harmless) === undefined) {
      const text = take(written)
      if (text === undefined) {
        const mark = commands.at(-1)?.length === 0 ? undefined : take(operator)
        if (mark === undefined) return undefined
        isFed = mark.trim() === '|'
        commands.push([])
        continue
      }
      const word = wordOf(text, variables)
      if (word === undefined) return undefined
      commands.at(-1)?.push(isFed && commands.at(-1)?.length === 0 ? { ...word, isFed } : word)
    }
    take(blank)
  }
  return commands.every(beginsSimply) ? commands : undefined
}

/** True if a command does not begin with a reserved word, not even after `time`. */
function beginsSimply([name, ...rest]: readonly Word[]): boolean {
  if (name === undefined || reserved.has(name.text)) return false
  const inner = name.text === 'time' ? rest.slice(rest[0]?.text === '-p' ? 1 : 0) : []
  return inner.length === 0 || beginsSimply(inner)
}

function wordOf(text: string, variables: Readonly<Record<string, string>>): Word | undefined {
  let [value, plain, isPattern, isKnown] = ['', '', false, true]
  for (const [, single, double, bare] of text.matchAll(piece)) {
    value +=
      single ??
      bare ??
      (double ?? '').replace(/\$\{([^}]*)\}/g, (_all, name: string) => {
        isKnown &&= Object.hasOwn(variables, name)
        return variables[name] ?? ''
      })
    if (!isPattern) plain += bare === undefined ? value.slice(plain.length) : (bare.split(/[*?[]/, 1)[0] ?? '')
    isPattern ||= bare !== undefined && /[*?[]/.test(bare)
  }
  // A file may have a name like an option.
  const isOpen = !isPattern ? undefined : /^[\w./~]/.test(plain) ? 'name' : 'any'
  return isKnown ? { text, value, isOpen } : undefined
}

/** Returns the words, as written, of a script that is surely one simple command with a plain name. */
export function simpleCommand(
  script: string,
  variables: Readonly<Record<string, string>> = {},
): readonly string[] | undefined {
  const [words, ...more] = simpleCommands(script, variables) ?? []
  return more.length === 0 && isName(words?.[0]?.text) ? words?.map(({ text }) => text) : undefined
}

/**
 * Replaces variables in a command by their values, as far as these are plain words. A variable may also be the
 * command's name or a part of it, if that makes an absolute path. Returns undefined if nothing is replaced.
 */
export function resolvedWords(words: readonly Word[]): readonly Word[] | undefined {
  const resolved = words.map(word => (isPlainValue(word) ? { ...word, text: word.value } : word))
  const [name] = resolved
  // A bare name might be that of a function or a builtin.
  const isKnown = isName(words[0]?.text) || (name?.text.startsWith('/') === true && plainValue.test(name.text))
  return isKnown && resolved.some((word, at) => word !== words[at]) ? resolved : undefined
}

/** Text that a shell takes for itself in any place of a command; letters of any script. */
const plainValue = /^[\p{L}\p{N}_./:=,+@%-]+$/u

/** Step of a path that leads up, or nowhere. */
const hasStep = /(?:^|[/:=,])\.{1,2}(?:\/|$)|\/\//

/**
 * True if a value may replace its variable. It must not lead out of the folder that a rule names. Rules are compared in
 * NFC, so another form might be another file.
 */
function isPlainValue({ text, value }: Word): boolean {
  return (
    text.includes('${') &&
    !text.includes("'") &&
    plainValue.test(value) &&
    !hasStep.test(value) &&
    value.normalize('NFC') === value
  )
}

/** True for a plain name. A name with quotes, an assignment or an expansion might mean another program. */
export function isName(word: string | undefined): boolean {
  return word !== undefined && /^[A-Za-z0-9_./+-]+$/.test(word) && !/^[.-]+$/.test(word)
}

/**
 * Returns the words of a simple PowerShell command. Since that grammar is much richer, only plain words are accepted,
 * and environment variables alone in double quotes.
 */
export function simplePowerShellCommand(
  script: string,
  variables: Readonly<Record<string, string>> = {},
): readonly string[] | undefined {
  if (script.length > mostCharacters) return undefined
  const words = script.split(' ').filter(word => word !== '')
  const isPlain = (word: string): boolean => /^[A-Za-z0-9_./\\:=+-]+$/.test(word)
  const isVariable = (word: string): boolean => {
    const name = /^"\$env:([A-Za-z_][A-Za-z0-9_]*)"$/.exec(word)?.[1]
    return name !== undefined && Object.hasOwn(variables, name)
  }
  const [name] = words
  if (name === undefined || !/^[A-Za-z][A-Za-z0-9_./\\-]*$/.test(name)) return undefined
  return words.every(word => isPlain(word) || isVariable(word)) ? words : undefined
}

/**
 * Returns a simple command, and each command that it only wraps: a rule that allows `npm test` also allows `timeout 30
 * npm test`.
 */
export function unwrapped(words: readonly Word[]): readonly (readonly Word[])[] {
  const { inner } = effectsOf(words)
  return inner === undefined || !isName(inner.words[0]?.text) ? [words] : [words, ...unwrapped(inner.words)]
}
