import { resolve } from 'node:path'
import { slashes } from '@skills/files/internal'
import { findConfiguration } from '@skills/distributions/find-configuration'
import { checkEvalCases } from '@skills/evals/cases'
import { findSkillFiles, lintCatalog, lintFiles } from '@skills/inspect'
import { type LintedFile, pluginHooksOf, problemsOf, publishedFolders } from '@skills/inspect/internal'
import { checkPluginFolder } from '@skills/authoring'
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
      'With a PATH skills lint checks the files there alone, looked for from where you are',
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
    const linted = await linting.finally(() => line.erase())
    const result = engine === undefined || !hasAgents ? linted : await withAgents(linted, engine, invocation, io)
    const { files, others } = result
    if (invocation.json) writeJson(result, io.stdout)
    else if (format !== undefined)
      writeFindings(format, [...others, ...files.flatMap(one => one.diagnostics)], hostOf(invocation, io), io.stdout)
    else printLint(result, loaded, invocation, io, options.fix)
    return result.counts.errors > 0 ? exitCodes.failed : exitCodes.ok
  }
  if (invocation.args.length > 0) {
    // A distribution's own fields count wherever the file is, so the engine is needed to know them.
    if (!hasAgents && !invocation.has('--distribution') && findConfiguration(hostOf(invocation, io)).length === 0)
      return told(lintPaths(invocation, io, options))
    return withEngine(invocation, io, engine =>
      told(lintPaths(invocation, io, { ...options, fields: { words: engine.skills.words } }), engine),
    )
  }
  return withEngine(invocation, io, async engine => {
    const { skills, reported } = engine
    const catalog = await skills.catalog({ signal: io.signal })
    const hooks = await pluginHooksOf(skills, io.signal)
    const linting = lintCatalog(catalog, { ...options, fields: { words: skills.words }, reported, hooks })
    return told(linting, engine, problemsOf(catalog, reported).length)
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

/**
 * Lints the files under the paths. For each plugin and marketplace among them, also checks its manifest, hooks, servers
 * and commands as `plugin check` does; these are never repaired.
 */
async function lintPaths(
  invocation: InvocationOf<typeof command>,
  io: Io,
  options: Parameters<typeof lintFiles>[1],
): Promise<Linted> {
  // Paths are relative to the shell's folder, not to `--cwd`, because the shell completed or expanded them.
  const { files, diagnostics, skipped } = await findSkillFiles(invocation.args, { cwd: io.cwd, signal: io.signal })
  const linted = await lintFiles(files, options)
  const byPath = new Map(linted.files.map(file => [file.path, file]))
  const others: Diagnostic[] = []
  const besides: LintedFile[] = []
  const added: Diagnostic[] = []
  const published = publishedFolders(invocation.args.map(given => slashes(resolve(io.cwd, given))))
  for (const folder of published) {
    const check = await checkPluginFolder(folder, false, io)
    for (const file of check.files) {
      const known = byPath.get(file.path)
      if (known === undefined) {
        besides.push(file)
        continue
      }
      // Some findings exist only for a loaded plugin, such as two skills with one name.
      const more = file.diagnostics.filter(one => !known.diagnostics.some(other => isSame(one, other)))
      byPath.set(file.path, { ...known, diagnostics: [...known.diagnostics, ...more] })
      added.push(...more)
    }
    for (const one of check.others) others.push(one)
  }
  // A plugin may have only commands, so a missing SKILL.md in it is not reported.
  const found = diagnostics.filter(({ code, path = '' }) => code !== 'no-skill-files' || !published.includes(path))
  const all = [...byPath.values(), ...besides]
  const more = [...added, ...besides.flatMap(one => one.diagnostics), ...found, ...others]
  const count = (wanted: Diagnostic['severity']): number => more.filter(({ severity }) => severity === wanted).length
  const { counts } = linted
  return {
    files: all,
    others: [...found, ...others],
    skipped,
    counts: {
      ...counts,
      files: all.length,
      errors: counts.errors + count('error'),
      warnings: counts.warnings + count('warning'),
      infos: counts.infos + count('info'),
    },
  }
}

function isSame(one: Diagnostic, other: Diagnostic): boolean {
  return one.code === other.code && one.line === other.line && (one.field ?? '') === (other.field ?? '')
}
