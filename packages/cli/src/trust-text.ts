import { shownName } from '@skills/core'
import { again, quoted } from './again.js'
import { counted } from './problems.js'
import { firstNames } from './first-names.js'
import { printableLine } from './printable.js'
import { styleOf } from './style.js'
import type { Invocation } from './parse-arguments.js'
import type { Io } from './io.js'
import type { WouldRun } from './what-would-run.js'

const mostNames = 20

/** A folder as it was named, and without links on the way to it, both absolute; and by whose rules was looked. */
interface TrustedPlace {
  readonly folder: string
  readonly real: string
  readonly distribution: string
}

/** What trusting a folder means: beside the output, before the question. */
export function trustText({ folder, real, distribution }: TrustedPlace, would: WouldRun, invocation: Invocation, io: Io): string {
  const style = styleOf(io.stderr, io.env, invocation.isColorless)
  const { skills, withCommands, commands, withHooks, withAllowedTools, allowedTools, unread } = would
  const rows: readonly (readonly [string, readonly string[]])[] = [
    [`${counted(commands, 'embedded command')} in ${counted(withCommands.length, 'skill')}`, withCommands],
    [`hooks of ${counted(withHooks.length, 'skill')}`, withHooks],
    [`tools that ${counted(withAllowedTools.length, 'skill')} may allow ${withAllowedTools.length === 1 ? 'itself' : 'themselves'}`, allowedTools],
  ]
  return [
    style.bold(printableLine(folder === real ? folder : `${folder} → ${real}`)),
    `There ${skills === 1 ? 'is' : 'are'} ${counted(skills, 'skill')} in it. Once it is trusted, this may run when a rule allows it or you say yes:`,
    ...rows.map(([what, all]) => `  ${what}${all.length === 0 ? '' : `: ${firstNames(all, mostNames)}`}`),
    ...unread.map(({ name, reason }) => style.yellow(`  not looked at: ${shownName(name)}: ${printableLine(reason)}`)),
    'What is changed or added there later counts as well, and what lies in folders below it that were not looked into.',
    ...distribution === 'standard' ? [] : [`This is what ${distribution} would run, and trust is for all: see what "${printableLine(underStandard(invocation, io))}" says.`],
    '',
  ].join('\n')
}

/** Others read more fields and find more folders and commands, and what is remembered of a folder holds for each of them. */
function underStandard(invocation: Invocation, io: Io): string {
  return again(['trust', ...invocation.args.map(quoted)].join(' '), { ...invocation, distribution: 'standard' }, io)
}
