import { annotations, sarif } from '@skills/inspect/report'
import { findProjectFolders } from '@skills/files'
import { safeText } from './printable.js'
import { proposal, UsageError } from '../arguments/usage-error.js'
import { version } from '../version.js'
import { writeJson } from './write-json.js'
import type { Diagnostic, Host } from '@skills/core'
import type { Invocation } from '../arguments/invocation.js'
import type { Output } from '../io.js'

/** Formats of findings for other programs. */
export const findingFormats = ['sarif', 'github'] as const
export type FindingFormat = (typeof findingFormats)[number]

/**
 * Returns the format that `--format` names.
 * @param known formats of this command
 */
export function formatOf<Format extends string>(
  { text, json }: Pick<Invocation<'--format <name>'>, 'text' | 'json'>,
  known: readonly Format[],
): Format | undefined {
  const given = text('--format')
  if (given === undefined) return undefined
  if (json)
    throw new UsageError('The options --format and --json both choose the output format: give only one of them.')
  const format = known.find(one => one === given)
  if (format !== undefined) return format
  throw new UsageError(`There is no format "${given}".${proposal(given, known) || ` There are ${known.join(', ')}.`}`)
}

/** Writes findings. Paths are relative to the top of the project, as in a checkout. */
export function writeFindings(
  format: FindingFormat,
  diagnostics: readonly Diagnostic[],
  host: Pick<Host, 'cwd' | 'home'>,
  output: Output,
): void {
  const { top: root } = findProjectFolders(host)
  if (format === 'sarif') writeJson(sarif(diagnostics, { root, version }), output)
  else output.write(safeText(annotations(diagnostics, root)))
}
