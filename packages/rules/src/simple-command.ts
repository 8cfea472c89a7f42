import { effectsOf, type Word } from './programs/effects.js'

/** A longer script is no command that a person has read. */
export const mostCharacters = 65_536

const blank = /[ \t]+/y
/** Between two commands. A single `&` would leave the first one running. */
const operator = /[ \t]*(?:&&|\|\|?|;|\n)[ \t]*/y
/** Redirections that neither write nor read a file. */
const harmless =
  /(?:[0-9]?>{1,2}[ \t]?\/dev\/null|&>{1,2}[ \t]?\/dev\/null|0?<[ \t]?\/dev\/null|[12]?>&[12])(?=[ \t\n;|&]|$)/y
/**
 * Plain characters, what a shell expands to further words (`*?[]~`), and quotes in which it expands nothing that is not
 * asked about.
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
 * The simple commands of a Bash script that is surely nothing else than these, one after another or in pipes; undefined
 * for what is, or might be, more: a substitution, a file that is written, a background job, an assignment, a comment,
 * an escape.
 *
 * A shell understands more ways of writing a command than this does. What is refused is asked about; what is taken must
 * be commands whose names stand there as they are.
 * @param variables names that the script may refer to inside double quotes, where their values cannot become anything
 *   else than text
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

/** Behind `time`, too, a word of the shell is one. */
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
  // A file may be called like an option.
  const isOpen = !isPattern ? undefined : /^[\w./~]/.test(plain) ? 'name' : 'any'
  return isKnown ? { text, value, isOpen } : undefined
}

/** The words of a script that is surely one simple command with a plain name, each as it is written. */
export function simpleCommand(
  script: string,
  variables: Readonly<Record<string, string>> = {},
): readonly string[] | undefined {
  const [words, ...more] = simpleCommands(script, variables) ?? []
  return more.length === 0 && isName(words?.[0]?.text) ? words?.map(({ text }) => text) : undefined
}

/**
 * A command with the values of variables in their places, as far as they are plain words: what runs when all is done.
 * Here a variable may also give the command's name, or a part of it, where that makes an absolute path. Undefined where
 * no variable is replaced.
 */
export function resolvedWords(words: readonly Word[]): readonly Word[] | undefined {
  const resolved = words.map(word => (isPlainValue(word) ? { ...word, text: word.value } : word))
  const [name] = resolved
  // A name alone might be that of a function or of something that the shell does itself.
  const isKnown = isName(words[0]?.text) || (name?.text.startsWith('/') === true && plainValue.test(name.text))
  return isKnown && resolved.some((word, at) => word !== words[at]) ? resolved : undefined
}

/** What a shell takes for nothing but itself, in any place of a command, in letters of any script. */
const plainValue = /^[\p{L}\p{N}_./:=,+@%-]+$/u

/** A step of a path that leads up, or nowhere. */
const hasStep = /(?:^|[/:=,])\.{1,2}(?:\/|$)|\/\//

/**
 * A value must not lead out of the folder that a rule names; and rules are compared in one form, so that another may be
 * of something else.
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

/** The name must be plain: what is quoted, assigned or expanded there might be another one. */
export function isName(word: string | undefined): boolean {
  return word !== undefined && /^[A-Za-z0-9_./+-]+$/.test(word) && !/^[.-]+$/.test(word)
}

/**
 * The same for PowerShell, whose grammar has far more in store: only plain words, and variables of the environment that
 * stand alone in double quotes.
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
 * A simple command, and the one that it only starts in another way: a rule that allows `npm test` allows `timeout 30
 * npm test`.
 */
export function unwrapped(words: readonly Word[]): readonly (readonly Word[])[] {
  const { inner } = effectsOf(words)
  return inner === undefined || !isName(inner.words[0]?.text) ? [words] : [words, ...unwrapped(inner.words)]
}
