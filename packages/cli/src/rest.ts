import { argumentProblems } from './argument-problems.js'
import { audit } from './commands/audit.js'
import { explain } from './commands/explain.js'
import { help } from './commands/help.js'
import { lint } from './commands/lint.js'
import { listing } from './commands/listing.js'
import { newSkill } from './commands/new.js'
import { overview } from './commands/overview.js'
import { pluginCheck } from './commands/plugin-check.js'
import { pluginInit } from './commands/plugin-init.js'
import { pluginPack } from './commands/plugin-pack.js'
import { render } from './commands/render.js'
import { runSkill } from './commands/run.js'
import { search } from './commands/search.js'
import { show } from './commands/show.js'
import { trust } from './commands/trust.js'
import { watch } from './commands/watch.js'
import { commandTable, type CommandName } from './command-table.js'
import { parseArguments, type Invocation } from './parse-arguments.js'
import type { InstallCommand } from './installing.js'
import type { Io } from './io.js'

/** The arguments of any command. Throws a UsageError. */
export const parseAll = (argv: readonly string[]): Invocation => parseArguments(argv, commandTable, argumentProblems)

/** Runs a command. Gives the exit code. */
export type RunCommand = (invocation: Invocation, io: Io) => number | Promise<number>

/** Commands that install: a file of its own in what is published, with the libraries that only they need. */
function installing(name: InstallCommand): RunCommand {
  return async (invocation, io) => (await import('./installing.js')).installCommands[name](invocation, io)
}

// Every command but the list: a file of its own in what is published, read when one of them is asked for.
export const restCommands: Readonly<Record<Exclude<CommandName, 'list'> | 'overview', RunCommand>> = {
  overview,
  show,
  explain,
  search,
  listing,
  render,
  run: runSkill,
  trust,
  new: newSkill,
  add: installing('add'),
  remove: installing('remove'),
  update: installing('update'),
  outdated: installing('outdated'),
  ci: installing('ci'),
  verify: installing('verify'),
  why: installing('why'),
  sync: installing('sync'),
  lint,
  // What runs other distributions is a file of its own.
  compat: async (invocation, io) => (await import('./commands/compat.js')).compat(invocation, io),
  audit,
  watch,
  'plugin init': pluginInit,
  'plugin check': pluginCheck,
  'plugin pack': pluginPack,
  help,
}
