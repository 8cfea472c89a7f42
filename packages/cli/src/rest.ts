import { argumentProblems } from './arguments/argument-problems.js'
import { audit } from './commands/audit/run.js'
import { explain } from './commands/explain/run.js'
import { help } from './commands/help/run.js'
import { lint } from './commands/lint/run.js'
import { listing } from './commands/listing/run.js'
import { newSkill } from './commands/new/run.js'
import { overview } from './commands/overview/run.js'
import { pluginCheck } from './commands/plugin-check/run.js'
import { pluginInit } from './commands/plugin-init/run.js'
import { pluginPack } from './commands/plugin-pack/run.js'
import { render } from './commands/render/run.js'
import { runSkill } from './commands/run/run.js'
import { search } from './commands/search/run.js'
import { show } from './commands/show/run.js'
import { trust } from './commands/trust/run.js'
import { watch } from './commands/watch/run.js'
import { commandTable, type CommandName } from './arguments/command-table.js'
import { parseArguments, type Invocation } from './arguments/parse-arguments.js'
import type { InstallCommand } from './installing/installing.js'
import { exitCodes, type Io } from './io.js'

/** The arguments of any command. Throws a UsageError. */
export const parseAll = (argv: readonly string[]): Invocation => parseArguments(argv, commandTable, argumentProblems)

/** Says that a command stopped before it was done. */
export function unfinished(): void {
  process.stderr.write('skills: The command stopped before it was done. Please report this.\n')
  process.exitCode = exitCodes.failed
}

/** Runs a command. Gives the exit code. */
export type RunCommand = (invocation: Invocation, io: Io) => number | Promise<number>

/** Commands that install: a file of its own in what is published, with the libraries that only they need. */
function installing(name: InstallCommand): RunCommand {
  return async (invocation, io) => (await import('./installing/installing.js')).installCommands[name](invocation, io)
}

/** Commands about runs: the same. */
function ofRuns(name: keyof (typeof import('./commands/runs/run.js'))['runsCommands']): RunCommand {
  return async (invocation, io) => (await import('./commands/runs/run.js')).runsCommands[name](invocation, io)
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
  compat: async (invocation, io) => (await import('./commands/compat/run.js')).compat(invocation, io),
  eval: async (invocation, io) => (await import('./commands/eval/run.js')).evaluate(invocation, io),
  audit,
  watch,
  runs: ofRuns('runs'),
  'runs show': ofRuns('runs show'),
  'runs follow': ofRuns('runs follow'),
  'runs answer': ofRuns('runs answer'),
  'runs cancel': ofRuns('runs cancel'),
  'runs retry': ofRuns('runs retry'),
  'runs prune': ofRuns('runs prune'),
  // The server, and what its page asks for.
  ui: async (invocation, io) => (await import('./commands/ui/run.js')).ui(invocation, io),
  worker: async (invocation, io) => (await import('./commands/worker/run.js')).worker(invocation, io),
  // The protocol's library is as large as all else.
  mcp: async (invocation, io) => (await import('./commands/mcp/run.js')).mcp(invocation, io),
  'plugin init': pluginInit,
  'plugin check': pluginCheck,
  'plugin pack': pluginPack,
  help,
}
