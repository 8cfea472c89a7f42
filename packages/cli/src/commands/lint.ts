import { findSkillFiles, lintCatalog, lintFiles, pluginHooksOf } from '@skills/inspect'
import { exitCodes, type Io } from '../io.js'
import { lookingFlags } from '../command-table.js'
import { ProgressLine } from '../progress.js'
import { printLint, type Linted } from '../lint-text.js'
import { refuseOptions } from '../refuse-options.js'
import { withEngine } from '../engine.js'
import { writeJson } from '../write-json.js'
import type { Invocation } from '../parse-arguments.js'

/** `skills lint`. See docs/reference.md, "Lint". */
export async function lint(invocation: Invocation, io: Io): Promise<number> {
  if (invocation.args.length > 0) refuseOptions(invocation, lookingFlags, 'With a PATH skills lint checks the files there alone, looked for from where you are')
  const line = new ProgressLine(io.stderr)
  const options = {
    standard: invocation.has('--standard'), fix: invocation.has('--fix'), signal: io.signal,
    ...(io.stderr.isTerminal ? { onProgress: (done: number, total: number) => line.show(`Checking ${done} of ${total} files …`) } : {}),
  }
  const told = async (linting: Promise<Linted>): Promise<number> => {
    const result = await linting.finally(() => line.erase())
    if (invocation.json) writeJson(result, io.stdout)
    else printLint(result, invocation, io)
    return result.counts.errors > 0 ? exitCodes.failed : exitCodes.ok
  }
  if (invocation.args.length > 0) return told(lintPaths(invocation, io, options))
  return withEngine(invocation, io, async ({ skills, reported }) => {
    const catalog = await skills.catalog({ signal: io.signal })
    const hooks = await pluginHooksOf(skills, io.signal)
    return told(lintCatalog(catalog, { ...options, fields: { words: skills.words }, reported, hooks }))
  })
}

async function lintPaths(invocation: Invocation, io: Io, options: Parameters<typeof lintFiles>[1]): Promise<Linted> {
  // A path is what the shell completed or expanded, so it starts where the shell is.
  const { files, diagnostics, skipped } = await findSkillFiles(invocation.args, { cwd: io.cwd, signal: io.signal })
  const { files: linted, counts } = await lintFiles(files, options)
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  return { files: linted, others: diagnostics, counts: { ...counts, errors: counts.errors + errors }, skipped }
}
