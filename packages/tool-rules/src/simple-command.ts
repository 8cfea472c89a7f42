/** Plain characters of a word. Those that a shell expands to further words of the same command are in {@link expanded}. */
const bare = /[A-Za-z0-9_./:=,+@%-]/
const expanded = /[*?[\]~]/
const space = /[ \t]/

/** A longer script is no command that anybody has read. */
const mostCharacters = 65_536

/**
 * The words of a Bash script that is surely one simple command, each as it is written; undefined for whatever else it is, or
 * might be: an operator, a substitution, a redirection, a second line, a background job, an assignment, a comment, an escape.
 *
 * A shell understands more ways of writing a simple command than this does. What is refused is asked about; what is taken
 * must be one command whose name stands there as it is.
 * @param variables names that the script may refer to inside double quotes, where their values cannot become anything else than text
 */
export function simpleCommand(script: string, variables: Readonly<Record<string, string>> = {}): readonly string[] | undefined {
  const words = plainWords(script, variables)
  return words !== undefined && isName(words[0]) ? words : undefined
}

/**
 * The same with the values of variables in their places, as far as they are plain words: what runs when all is done. Here a variable
 * may also give the command's name, or a part of it, where that makes an absolute path. Undefined where no variable is replaced.
 * @param variables by name, the values that the script will find
 */
export function resolvedCommand(script: string, variables: Readonly<Record<string, string>>): readonly string[] | undefined {
  const words = plainWords(script, variables)
  const resolved = words?.map(word => resolvedWord(word, variables))
  const [name] = resolved ?? []
  // A name alone might be that of a function or of something that the shell does itself.
  const isKnown = isName(words?.[0]) || (name?.startsWith('/') === true && plainValue.test(name))
  return isKnown && resolved?.some((word, at) => word !== words?.[at]) === true ? resolved : undefined
}

/** What a shell takes for nothing but itself, in any place of a command, in letters of any script. */
const plainValue = /^[\p{L}\p{N}_./:=,+@%-]+$/u

/** A step of a path that leads up, or nowhere. */
const hasStep = /(?:^|[/:=,])\.{1,2}(?:\/|$)|\/\//

function resolvedWord(word: string, variables: Readonly<Record<string, string>>): string {
  if (!word.includes('${')) return word
  const filled = word.replace(/"([^"]*)"/g, (_, inner: string) => inner.replace(/\$\{([^}]*)\}/g, (_all, name: string) => variables[name] ?? ' '))
  // A value must not lead out of the folder that a rule names; and rules are compared in one form, so that another may be of something else.
  return plainValue.test(filled) && !hasStep.test(filled) && filled.normalize('NFC') === filled ? filled : word
}

/** The name must be plain: what is quoted, assigned or expanded there might be another one. */
function isName(word: string | undefined): boolean {
  return word !== undefined && /^[A-Za-z0-9_./+-]+$/.test(word) && !/^[.-]+$/.test(word)
}

function plainWords(script: string, variables: Readonly<Record<string, string>>): readonly string[] | undefined {
  if (script.length > mostCharacters) return undefined
  const words: string[] = []
  let at = 0
  while (at < script.length) {
    if (space.test(script.charAt(at))) {
      at++
      continue
    }
    const end = endOfWord(script, at, variables)
    if (end === undefined) return undefined
    words.push(script.slice(at, end))
    at = end
  }
  return words
}

function endOfWord(script: string, from: number, variables: Readonly<Record<string, string>>): number | undefined {
  let at = from
  while (at < script.length) {
    const char = script.charAt(at)
    if (space.test(char)) return at
    if (bare.test(char) || expanded.test(char)) at++
    else if (char === "'") {
      const end = /^'[^'\p{Cc}]*'/u.exec(script.slice(at))?.[0].length
      if (end === undefined) return undefined
      at += end
    } else if (char === '"') {
      const end = endOfQuotes(script, at, variables)
      if (end === undefined) return undefined
      at = end
    } else return undefined
  }
  return at
}

/** Inside double quotes a shell looks at `$`, backquotes and backslashes, and a terminal at `!`. */
function endOfQuotes(script: string, from: number, variables: Readonly<Record<string, string>>): number | undefined {
  const quoted = /^"(?:[^"$`\\!\p{Cc}]|\$\{[A-Za-z_][A-Za-z0-9_]*\})*"/u.exec(script.slice(from))?.[0]
  if (quoted === undefined) return undefined
  const names = [...quoted.matchAll(/\$\{([^}]*)\}/g)].map(([, name = '']) => name)
  return names.every(name => Object.hasOwn(variables, name)) ? from + quoted.length : undefined
}

/**
 * The same for PowerShell, whose grammar has far more in store: only plain words, and variables of the environment that stand
 * alone in double quotes.
 */
export function simplePowerShellCommand(script: string, variables: Readonly<Record<string, string>> = {}): readonly string[] | undefined {
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

/** Commands that run the one after them as it stands, each with the options that it may have before it. */
const wrappers: readonly RegExp[] = [/^timeout \d+(?:\.\d+)?[smhd]? /, /^(?:time|nice|nohup|command|builtin|noglob|xargs) /, /^stdbuf (?:-[ioe][0-9LKM]+ )+/]

/** A simple command, and the one that it wraps: whoever allows `npm test` allows `timeout 30 npm test`. */
export function unwrapped(words: readonly string[]): readonly string[] {
  const forms = [words.join(' ')]
  for (;;) {
    const command = forms.at(-1) ?? ''
    const wrapper = wrappers.map(one => one.exec(command)?.[0]).find(found => found !== undefined)
    const inner = command.slice(wrapper?.length)
    // An option that is not known here might mean anything.
    if (wrapper === undefined || !/^[A-Za-z0-9_./+-]+(?: |$)/.test(inner) || inner.startsWith('-')) return forms
    forms.push(inner)
  }
}
