import { interpreters } from './interpreters.js'
import { packages } from './packages.js'
import { starters } from './starters.js'
import { tools } from './tools.js'
import type { Effect, Program, Programs } from './program.js'

/**
 * Every program that runs others for its arguments: what limits, forbids and audits goes by it. What a rule allows goes
 * by the table of what is harmless.
 */
const table = byName({ ...starters, ...interpreters, ...packages, ...tools })

function byName(programs: Programs): ReadonlyMap<string, Program> {
  return new Map(
    Object.entries(programs).flatMap(([names, program]) =>
      (names === '|' ? [names] : names.split('|')).map(name => [name, program] as const),
    ),
  )
}

/** A name or path without folder, case and ending: of `/usr/bin/Python3.12.exe` it is python3.12. */
export function baseName(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).toLowerCase()
  return base.includes('.') ? base.replace(/\.(?:exe|cmd|bat|ps1|com)$/, '') : base
}

/** Finds the program of a name or path, of any version. */
export function programOf(name: string): Program | undefined {
  const base = baseName(name)
  const program = table.get(base)
  if (program !== undefined) return program
  const versionless = base.replace(/[-.\d]+$/, '')
  // GNU's own are called so where others have the plain name.
  return table.get(versionless) ?? (/^g[a-z]/.test(versionless) ? table.get(versionless.slice(1)) : undefined)
}

const subcommandsOf = new WeakMap<Programs, ReadonlyMap<string, Program>>()

/** What a program does under one of its subcommands; undefined: nothing more. */
export function subcommand(subcommands: Programs, name: string): Program | undefined {
  let known = subcommandsOf.get(subcommands)
  if (known === undefined) {
    known = byName(subcommands)
    subcommandsOf.set(subcommands, known)
  }
  return known.get(name) ?? known.get('*')
}

const order: readonly Effect[] = ['code', 'script', 'program', 'source', 'file']

/** What an option makes a program do. */
export function optionEffect({ options }: Program, text: string): Effect | undefined {
  return options && order.find(effect => options[effect]?.split(' ').some(flag => isOption(text, flag)))
}

function isOption(text: string, flag: string): boolean {
  if (flag.endsWith('*')) return text.startsWith(flag.slice(0, -1))
  const name = text.split('=', 1)[0] ?? ''
  if (flag.startsWith('--')) return name.length > 2 && flag.startsWith(name)
  if (/^-.$/.test(flag)) return /^-[^-]/.test(name) && name.slice(1).includes(flag.slice(1))
  return name === flag
}

/** What stands in the same word behind an option of one letter that takes a program or a script, as in `-Igzip`. */
export function attachedPrograms({ options = {}, subcommands = {} }: Program, text: string): readonly string[] {
  if (!/^-[^-]/.test(text)) return []
  const flags = [options.program, options.script]
    .flatMap(all => all?.split(' ') ?? [])
    .filter(flag => /^-.$/.test(flag))
  const own = flags.flatMap(flag =>
    text.includes(flag.slice(1), 1) ? text.slice(text.indexOf(flag.slice(1), 1) + 1) : [],
  )
  return [...own, ...Object.values(subcommands).flatMap(one => attachedPrograms(one, text))]
}

/** How many words an option that changes nothing takes; undefined for one that is not known. */
export function plainOption({ plain = '' }: Program, text: string): 1 | 2 | undefined {
  const known = plain.split(' ')
  if (known.includes(text)) return 1
  if (known.includes(`${text}=`)) return 2
  const isAttached = (flag: string): boolean =>
    flag.endsWith('=') && (text.startsWith(flag) || (/^-.=$/.test(flag) && text.startsWith(flag.slice(0, 2))))
  return known.some(isAttached) ? 1 : undefined
}

/**
 * Whether a program runs any code or program that its arguments name, so that a pattern with open arguments allows
 * everything.
 */
export function runsAnything(name: string): boolean {
  const program = programOf(name)
  if (program === undefined) return false
  const starts = ({ operand, subcommands }: Program): boolean => operand !== undefined && subcommands === undefined
  return (
    starts(program) ||
    program.always === 'code' ||
    program.options?.program !== undefined ||
    Object.values(program.subcommands ?? {}).some(starts)
  )
}

/** Whether a subcommand of a program has operands or options that another program may be. */
export function mayStartOthers(name: string, subcommandName: string): boolean {
  const program = programOf(name)
  if (program === undefined) return false
  const under = program.subcommands && subcommand(program.subcommands, subcommandName)
  if (under === undefined) return program.subcommands === undefined
  const { options = {}, always, operand, all, subcommands } = under
  const effects = [always, operand, ...Object.keys(options)]
  return effects.some(effect => effect !== undefined) || all !== undefined || subcommands !== undefined
}
