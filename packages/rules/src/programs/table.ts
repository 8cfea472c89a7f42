import { interpreters } from './interpreters.js'
import { packages } from './packages.js'
import { starters } from './starters.js'
import { tools } from './tools.js'
import type { Effect, Program, Programs } from './program.js'

/**
 * Every program that runs others because of its arguments. Limits, rules that forbid, and audits use it. Rules that
 * allow use the table of harmless words.
 */
const table = byName({ ...starters, ...interpreters, ...packages, ...tools })

function byName(programs: Programs): ReadonlyMap<string, Program> {
  return new Map(
    Object.entries(programs).flatMap(([names, program]) =>
      (names === '|' ? [names] : names.split('|')).map(name => [name, program] as const),
    ),
  )
}

/** Returns a name or path without folder, case and ending: `python3.12` for `/usr/bin/Python3.12.exe`. */
export function baseName(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).toLowerCase()
  return base.includes('.') ? base.replace(/\.(?:exe|cmd|bat|ps1|com)$/, '') : base
}

/** Finds the program of a name or path, in any version. */
export function programOf(name: string): Program | undefined {
  const base = baseName(name)
  const program = table.get(base)
  if (program !== undefined) return program
  const versionless = base.replace(/[-.\d]+$/, '')
  // GNU versions have a `g` before the plain name on other systems.
  return table.get(versionless) ?? (/^g[a-z]/.test(versionless) ? table.get(versionless.slice(1)) : undefined)
}

const subcommandsOf = new WeakMap<Programs, ReadonlyMap<string, Program>>()

/** Returns the program of a subcommand; undefined if it has no effect of its own. */
export function subcommand(subcommands: Programs, name: string): Program | undefined {
  let known = subcommandsOf.get(subcommands)
  if (known === undefined) {
    known = byName(subcommands)
    subcommandsOf.set(subcommands, known)
  }
  return known.get(name) ?? known.get('*')
}

const order: readonly Effect[] = ['code', 'script', 'program', 'source', 'file']

/** Returns the effect of an option; undefined if it has none. */
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

/** Returns programs and scripts that are attached to an option of one letter, as in `-Igzip`. */
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

/** Returns how many words an option without effect takes; undefined if it is unknown. */
export function plainOption({ plain = '' }: Program, text: string): 1 | 2 | undefined {
  const known = plain.split(' ')
  if (known.includes(text)) return 1
  if (known.includes(`${text}=`)) return 2
  const isAttached = (flag: string): boolean =>
    flag.endsWith('=') && (text.startsWith(flag) || (/^-.=$/.test(flag) && text.startsWith(flag.slice(0, 2))))
  return known.some(isAttached) ? 1 : undefined
}

/**
 * True if a program runs any code or program that its arguments name. A pattern with open arguments then allows
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

/** True if operands or options of a subcommand may name another program. */
export function mayStartOthers(name: string, subcommandName: string): boolean {
  const program = programOf(name)
  if (program === undefined) return false
  const under = program.subcommands && subcommand(program.subcommands, subcommandName)
  if (under === undefined) return program.subcommands === undefined
  const { options = {}, always, operand, all, subcommands } = under
  const effects = [always, operand, ...Object.keys(options)]
  return effects.some(effect => effect !== undefined) || all !== undefined || subcommands !== undefined
}
