import { findConfiguration } from '@skills/distributions/find-configuration'
import { checkEvalCases } from '@skills/evals/cases'
import { lintCatalog } from '@skills/inspect'
import { pathsHere, pluginHooksOf, problemsOf, skillsHere } from '@skills/inspect/internal'
import { joinLints, lintPaths, withoutEmpty } from '@skills/authoring'
import { exitCodes, type Io } from '../../io.js'
import { ProgressLine } from '../../output/progress.js'
import { printLint, type Linted } from './text.js'
import { findingFormats, formatOf, writeFindings } from '../../output/report-format.js'
import { lookingFlags, refuseOptions } from '../../arguments/refuse-options.js'
import { hostOf, withEngine } from '../../engine/engine.js'
import { writeJson } from '../../output/write-json.js'
import type { Diagnostic } from '@skills/core'
import type { Engine } from '../../engine/engine-parts.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills lint`. See docs/reference/lint.md, "Lint". */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  if (invocation.args.length > 0)
    refuseOptions(
      invocation,
      lookingFlags.filter(flag => flag !== '--distribution'),
      'With a PATH skills lint checks only the files at that path, relative to where you are',
    )
  const line = new ProgressLine(io.stderr)
  const options = {
    standard: invocation.has('--standard'),
    fix: invocation.has('--fix'),
    beside: checkEvalCases,
    signal: io.signal,
    ...(io.stderr.isTerminal
      ? { onProgress: (done: number, total: number) => line.show(`Checking ${done} of ${total} files …`) }
      : {}),
  }
  const format = formatOf(invocation, findingFormats)
  const hasAgents = invocation.text('--for') !== undefined
  const told = async (linting: Promise<Linted>, engine?: Engine, loaded?: number): Promise<number> => {
    const found = await linting.finally(() => line.erase())
    const linted = invocation.has('--allow-empty') ? withoutEmpty(found) : found
    const result = engine === undefined || !hasAgents ? linted : await withAgents(linted, engine, invocation, io)
    const { files, others } = result
    if (invocation.json) writeJson(result, io.stdout)
    else if (format !== undefined)
      writeFindings(format, [...others, ...files.flatMap(one => one.diagnostics)], hostOf(invocation, io), io.stdout)
    else printLint(result, loaded, invocation, io, options.fix)
    if (result.counts.errors > 0) return exitCodes.failed
    if (result.counts.files > 0 || invocation.has('--allow-empty')) return exitCodes.ok
    io.stderr.write('skills: Nothing was checked: there is no skill here. Name a PATH, or give --allow-empty.\n')
    return exitCodes.failed
  }
  if (invocation.args.length > 0) {
    // A distribution's own fields count wherever the file is, so the engine is needed to know them.
    if (!hasAgents && !invocation.has('--distribution') && findConfiguration(hostOf(invocation, io)).length === 0)
      return told(lintPaths(invocation.args, io, options))
    return withEngine(invocation, io, engine =>
      told(lintPaths(invocation.args, io, { ...options, fields: { words: engine.skills.words } }), engine),
    )
  }
  return withEngine(invocation, io, async engine => {
    const { skills } = engine
    const { elsewhere } = await import('../../engine/elsewhere.js')
    const reported = [...engine.reported, ...(await elsewhere(engine, invocation, io))]
    const catalog = await skills.catalog({ signal: io.signal })
    const hooks = await pluginHooksOf(skills, io.signal)
    const all = { ...options, fields: { words: skills.words } }
    const linting = lintCatalog(catalog, { ...all, reported, hooks })
    const { pathsElsewhere } = await import('../../engine/elsewhere.js')
    const here = [...pathsHere(skillsHere(skills.host, catalog)), ...(await pathsElsewhere(engine, io))]
    if (here.length === 0) return told(linting, engine, problemsOf(catalog, reported).length)
    return told(
      linting.then(async linted => joinLints(linted, await lintPaths(here, io, all))),
      engine,
    )
  })
}

/** Adds to the findings what the agents of `--for` report for the same files. */
async function withAgents(
  linted: Linted,
  engine: Engine,
  invocation: InvocationOf<typeof command>,
  io: Io,
): Promise<Linted> {
  const { compatFindings } = await import('../compat/agents.js')
  const paths = linted.files.map(({ path }) => path)
  const found = await compatFindings(engine, invocation.args.length === 0 ? undefined : paths, invocation, io)
  const files = linted.files.map(file => {
    const own = found.get(file.path) ?? []
    found.delete(file.path)
    return own.length === 0 ? file : { ...file, diagnostics: [...file.diagnostics, ...own] }
  })
  const others = [...linted.others, ...[...found.values()].flat()]
  const all = [...files.flatMap(({ diagnostics }) => diagnostics), ...others]
  const count = (wanted: Diagnostic['severity']): number => all.filter(({ severity }) => severity === wanted).length
  const counts = { ...linted.counts, errors: count('error'), warnings: count('warning'), infos: count('info') }
  return { ...linted, files, others, counts }
}
