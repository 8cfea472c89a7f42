import { flagsOf } from './command-row.js'
import { proposal } from './usage-error.js'
import type { CommandRow } from './command-row.js'

/** Words of similar programs that mean several commands here, with what each of these commands checks. */
const severalCommands: Readonly<Record<string, string>> = {
  check: '"lint" checks skill files, "outdated" checks sources for changes, "verify" checks installed files.',
  status: '"skills" alone shows what is here, "verify" checks installed files.',
}

/**
 * Messages for invalid arguments. They are in a separate file, because a valid command line does not need to load them.
 */
export const argumentProblems = {
  needlessValue: (flag: string): string => `The option ${flag} takes no value.`,
  missingValue: (flag: string): string => `The option ${flag} needs a value after it.`,
  meaninglessFlag: (flag: string, { name }: CommandRow): string =>
    `The option ${flag} has no effect on skills ${name}: leave it out.`,
  repeatedFlag: (flag: string): string => `The option ${flag} is given twice.`,

  unknownFlag(
    flag: string,
    row: CommandRow | undefined,
    known: readonly string[],
    rows: readonly CommandRow[],
  ): string {
    const owners = rows
      .filter(({ options }) => options.flatMap(flagsOf).includes(flag))
      .map(({ name }) => `skills ${name}`)
    // A list of more than five commands would not help.
    if (owners.length > 5) return `The option ${flag} belongs to a command, such as ${owners[0] ?? ''}.`
    if (owners.length > 0) return `The option ${flag} belongs to ${owners.join(', ').replace(/, (?=[^,]*$)/, ' and ')}.`
    const what = row === undefined ? 'skills' : `skills ${row.name}`
    return `${what} has no option ${flag}.${(flag.length > 2 ? proposal(flag, known.flatMap(flagsOf)) : '') || ` See ${what} --help.`}`
  },

  wrongCount(words: readonly string[], { name, args, least, most, handsOn }: CommandRow): string {
    // A shell turns an unset variable into an empty argument, which must not select everything.
    if (words.includes('')) return `skills ${name} was given an empty argument.`
    if (words.length < least) return `skills ${name} needs ${args}. See skills ${name} --help.`
    const taken = most === 0 ? 'no argument' : `${args} alone`
    return `skills ${name} takes ${taken}, but was given "${words[most] ?? ''}" too.${handsOn === true ? ' Put arguments for the skill after --.' : ''}`
  },

  unknownCommand(rows: readonly CommandRow[], words: readonly string[], rest: readonly string[]): string {
    const names = rows.map(({ name }) => name)
    const [first, second] = words
    const group = first === undefined ? [] : names.filter(name => name.startsWith(`${first} `))
    if (first !== undefined && group.length > 0) {
      if (second === undefined)
        return `skills ${first} needs a command after it: ${group.map(name => name.slice(first.length + 1)).join(', ')}.`
      return `There is no command "${first} ${second}".${proposal(`${first} ${second}`, group) || ` See skills ${first} --help.`}`
    }
    const word = first ?? rest[0] ?? ''
    const several = Object.hasOwn(severalCommands, word) ? severalCommands[word] : undefined
    if (several !== undefined) return `There is no command "${word}": ${several}`
    return `There is no command "${word}".${proposal(word, names) || ' See skills --help.'}`
  },
}

export type ArgumentProblems = typeof argumentProblems
