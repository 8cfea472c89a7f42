import type { Diagnostic } from '@skills/core'
import type { LintedPaths } from '@skills/authoring'
import type { CatalogLint, LintCounts, SkippedFolders } from '@skills/inspect/internal'
import { counted } from '../../output/problems.js'
import { findingLine } from '../../output/findings.js'
import { folded } from '../../output/folded.js'
import { shownPath } from '../../output/shown-path.js'
import { styleOf } from '../../output/style.js'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'

/** Result of a lint; for given paths also the folders below them that were skipped. */
export type Linted = CatalogLint & Partial<LintedPaths>

/**
 * Prints findings by file, what was repaired, and a summary.
 * @param loaded number of errors and warnings that `skills list` counts; undefined if paths are given, because the list
 *   does not count their files
 */
export function printLint(
  { files, others, counts, skipped }: Linted,
  loaded: number | undefined,
  { isColorless }: Invocation,
  io: Io,
  isFixing = false,
): void {
  const { stdout, env, cwd } = io
  const style = styleOf(stdout, env, isColorless)
  const groups: string[][] = []
  if (others.length > 0) groups.push(others.map(one => findingLine(one, cwd, style)))
  for (const { path, diagnostics, fixed } of files) {
    const lines = diagnostics.map(one => findingLine(one, cwd, style))
    if (fixed.length > 0)
      lines.unshift(
        [style.cyan(shownPath(path, cwd)), style.green('repaired'), fixed.map(repairText).join(', ')].join('  '),
      )
    if (lines.length > 0) groups.push(lines)
  }
  const repairable = isFixing ? 0 : files.filter(({ isRepairable }) => isRepairable).length
  const own = loaded === undefined ? 0 : counts.errors + counts.warnings - loaded
  const summary = `${sentence(counts, own)}${repairable > 0 ? ` ${counted(repairable, 'file')} can be repaired: add --fix.` : ''}`
  const paint = counts.errors > 0 ? style.red : counts.warnings > 0 ? style.yellow : style.green
  const besides = skipped === undefined ? '' : skippedText(skipped)
  stdout.write(
    `${[...groups.map(lines => folded(lines.join('\n'), stdout, io)), folded(paint(summary), stdout, io)].join('\n\n')}\n${besides === '' ? '' : `${style.dim(besides)}\n`}`,
  )
}

function skippedText({ ignored, nodeModules, git }: SkippedFolders): string {
  const parts = [
    [ignored, 'that git ignores'],
    [nodeModules, 'called node_modules'],
    [git, 'called .git'],
  ] as const
  const said = parts.filter(([count]) => count > 0).map(([count, what]) => `${counted(count, 'folder')} ${what}`)
  return said.length === 0 ? '' : `Not checked: ${said.join(', ')}. To check such a folder, name it.`
}

function repairText({ code, line }: Diagnostic): string {
  return line === undefined ? code : `${code} on line ${line}`
}

/**
 * Returns the summary.
 * @param own number of errors and warnings that loading does not find
 */
function sentence({ files, errors, warnings, infos, fixedFiles }: LintCounts, own: number): string {
  const found = [
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
    ...(infos > 0 ? [counted(infos, 'piece') + ' of advice'] : []),
  ]
  const checked = `${counted(files, 'file')} checked`
  return `${checked}${fixedFiles > 0 ? `, ${fixedFiles} repaired` : ''}: ${found.length === 0 ? 'no problems' : found.join(', ')}${own > 0 ? `, ${own} of which only lint finds` : ''}.`
}
