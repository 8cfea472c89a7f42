import { effectsOf, type Word } from '@skills/rules/internal'
import { isWholeNumber, shownPart, type Refusal, type ShellValue } from './shell-value.js'

const name = /^[A-Za-z][\w./\\-]*$/
const separator = /[ \t]*(?:\r?\n|[;|])\s*/y
const blank = /[ \t]+/y
/** Plain characters, and quotes that contain only text and environment variables. */
const written =
  /(?:[\w./\\:=+,%-]+|'[^'\u2018-\u201F]*'|"(?:[^"`$\u2018-\u201F]|\$env:\w+|\$\{env:\w+\}|\$(?=["\s]))*")+(?=[\s;|]|$)/y
const quotes = /'([^']*)'|"([^"]*)"/g

/**
 * Finds a value that a PowerShell script must not be given, without reading PowerShell's grammar. A value is allowed in
 * double quotes, and only in a script of plain commands, one after another or in pipes, whose words start no other
 * program.
 * @returns the first value that the script must not be given
 */
export function refusedPowerShellValue(
  script: string,
  values: Readonly<Record<string, ShellValue>>,
): Refusal | undefined {
  const variable = Object.keys(values).find(one => !isWholeNumber(values[one]?.text ?? ''))
  if (variable === undefined) return undefined
  const words = commandsOf(script.trim(), values)
  return words?.every(runsNothing) === true ? undefined : { variable, place: 'runs', where: shownPart(script) }
}

function commandsOf(
  script: string,
  values: Readonly<Record<string, ShellValue>>,
): readonly (readonly Word[])[] | undefined {
  const commands: Word[][] = [[]]
  for (let at = 0; at < script.length;) {
    const take = (token: RegExp): string | undefined => {
      token.lastIndex = at
      const [found] = token.exec(script) ?? []
      at += found?.length ?? 0
      return found
    }
    if (take(separator) !== undefined) commands.push([])
    else if (take(blank) === undefined) {
      const text = take(written)
      if (text === undefined) return undefined
      commands.at(-1)?.push({ text, value: valueOf(text, values) })
    }
  }
  return commands.filter(words => words.length > 0)
}

function valueOf(text: string, values: Readonly<Record<string, ShellValue>>): string {
  return text.replace(
    quotes,
    (_, single?: string, double?: string) =>
      single ??
      (double ?? '').replace(
        /\$env:(\w+)|\$\{env:(\w+)\}/g,
        (all, plain?: string, braced?: string) => values[plain ?? braced ?? '']?.text ?? all,
      ),
  )
}

function runsNothing(words: readonly Word[]): boolean {
  return (
    name.test(words[0]?.text ?? '') &&
    effectsOf(words).found.every(({ at }) => at !== Infinity && words[at]?.text.includes('$') === false)
  )
}
