import { cac } from 'cac'
import { commandTable, globalOptions, type CommandRow, type OptionRow } from './command-table.js'
import { proposal, UsageError } from './usage-error.js'

/** What was asked for; values as they were typed. */
export interface Invocation {
  /** Undefined for the overview. */
  readonly command: CommandRow['name'] | undefined
  readonly args: readonly string[]
  readonly isHelpWanted: boolean
  readonly isVersionWanted: boolean
  readonly cwd: string | undefined
  readonly home: string | undefined
  readonly addDirs: readonly string[]
  readonly pluginDirs: readonly string[]
  readonly isColorless: boolean
  readonly all: boolean
  readonly source: string | undefined
  readonly json: boolean
  readonly fix: boolean
  readonly standard: boolean
  readonly deps: boolean
  readonly plugin: boolean
  readonly user: boolean
  readonly dir: string | undefined
  readonly description: string | undefined
}

/**
 * Reads the arguments after the program's name.
 * @throws UsageError when they are not understood, with the closest command or option
 */
export function parseArguments(argv: readonly string[]): Invocation {
  const cli = cac('skills')
  // cac takes time for each command and option it knows; so it gets to know those that may be meant.
  const flags = new Set(argv.map(flagOf))
  const isGiven = (option: OptionRow): boolean => namesOf(option).some(name => flags.has(name))
  for (const option of globalOptions.filter(isGiven)) cli.option(option.flags, option.text)
  for (const { name, args, text, options } of commandTable.filter(row => argv.includes(row.name))) {
    const command = cli.command(`${name} ${args === '' ? '' : '[...args]'}`, text)
    for (const option of options.filter(isGiven)) command.option(option.flags, option.text)
  }
  const given = argv.map(guard)
  const { args, options } = cli.parse(['', 'skills', ...given], { run: false })
  const words = [...args, ...asWords(options['--'])].map(unguard)

  const row = commandTable.find(({ name }) => name === cli.matchedCommandName)
  const isHelpWanted = options['help'] === true
  if (row === undefined && words.length > 0) {
    const [word = ''] = words
    throw new UsageError(`There is no command "${word}".${proposal(word, commandTable.map(({ name }) => name)) || ' See skills --help.'}`)
  }
  checkFlags(argv, row)
  if (row !== undefined && !isHelpWanted) checkCount(words, row)

  const text = (name: string): string | undefined => texts(name, false)[0]
  const texts = (name: string, isRepeatable: boolean): readonly string[] => {
    const value: unknown = options[name]
    if (value === undefined) return []
    const flag = `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    if (values.length > 1 && !isRepeatable) throw new UsageError(`The option ${flag} is given twice.`)
    return values.map(one => {
      const word = typeof one === 'string' ? unguard(one) : ''
      if (word === '') throw new UsageError(`The option ${flag} needs a value after it.`)
      return word
    })
  }
  return {
    command: row?.name,
    args: words,
    isHelpWanted,
    isVersionWanted: options['version'] === true,
    cwd: text('cwd'),
    home: text('home'),
    addDirs: texts('addDir', true),
    pluginDirs: texts('pluginDir', true),
    isColorless: options['color'] === false,
    all: options['all'] === true,
    source: text('source'),
    json: options['json'] === true,
    fix: options['fix'] === true,
    standard: options['standard'] === true,
    deps: options['deps'] === true,
    plugin: options['plugin'] === true,
    user: options['user'] === true,
    dir: text('dir'),
    description: text('description'),
  }
}

/**
 * cac makes numbers of values that look like one, takes the word after an empty value for it, and a lone hyphen for an
 * option: a character that no argument can hold keeps it from all three. An option with a dot in its name would reach into
 * whatever object has the part before it.
 */
function guard(argument: string): string {
  if (argument === '-') return `\0${argument}`
  if (/^-[^=]*(?:\.|__proto__)/.test(argument)) return '--unknown'
  const value = argument.startsWith('-') ? argument.indexOf('=') + 1 : 0
  if (value === 0 && argument.startsWith('-')) return argument
  const text = argument.slice(value)
  return Number.isNaN(Number(text)) ? argument : `${argument.slice(0, value)}\0${text}`
}

function unguard(value: string): string {
  return value.startsWith('\0') ? value.slice(1) : value
}

function asWords(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(word => typeof word === 'string') : []
}

function checkFlags(argv: readonly string[], row: CommandRow | undefined): void {
  const end = argv.indexOf('--')
  const known = [...(row?.options ?? []), ...globalOptions].flatMap(namesOf)
  for (const argument of end === -1 ? argv : argv.slice(0, end)) {
    if (!argument.startsWith('-') || argument === '-') continue
    const flag = flagOf(argument)
    if (!known.includes(flag)) throw new UsageError(unknownFlag(flag, row, known))
    if (argument.includes('=') && !takesValue(flag, row)) throw new UsageError(`The option ${flag} takes no value.`)
  }
}

function unknownFlag(flag: string, row: CommandRow | undefined, known: readonly string[]): string {
  const owners = commandTable.filter(({ options }) => options.flatMap(namesOf).includes(flag)).map(({ name }) => `skills ${name}`)
  if (owners.length > 0) return `The option ${flag} belongs to ${owners.join(', ').replace(/, (?=[^,]*$)/, ' and ')}.`
  const what = row === undefined ? 'skills' : `skills ${row.name}`
  return `${what} has no option ${flag}.${(flag.length > 2 ? proposal(flag, known) : '') || ` See ${what} --help.`}`
}

function flagOf(argument: string): string {
  return argument.split('=', 1)[0] ?? argument
}

function namesOf({ flags }: OptionRow): readonly string[] {
  return flags.replace(/ <.*/, '').split(', ')
}

function takesValue(flag: string, row: CommandRow | undefined): boolean {
  return [...(row?.options ?? []), ...globalOptions].some(option => option.flags.includes('<') && namesOf(option).includes(flag))
}

function checkCount(words: readonly string[], { name, args, least, most }: CommandRow): void {
  // What a shell makes of a variable that is not set must not stand for everything.
  if (words.includes('')) throw new UsageError(`skills ${name} was given an empty argument.`)
  if (words.length < least) throw new UsageError(`skills ${name} needs ${args}. See skills ${name} --help.`)
  const extra = words[most]
  const taken = most === 0 ? 'no argument' : `${args} alone`
  if (extra !== undefined) throw new UsageError(`skills ${name} takes ${taken}, but was given "${extra}" too.`)
}
