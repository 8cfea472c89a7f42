import { isRecord } from '../fields/field-values.js'
import type { FrontmatterData, Parsed } from '../types.js'
import { clean } from '../yaml/clean.js'
import type { YamlEngine, YamlSuccess } from '../yaml/engine.js'
import { splitLines, type Line } from '../yaml/lines.js'
import { explainFailure, refuseBlock } from './block-failure.js'
import type { LocatedBlock } from './block.js'
import { describeDropped, describeDuplicates, findCutComments } from './findings.js'
import { parseWarning } from './problems.js'
import { repairBlock } from './repair.js'

/**
 * Reads a block whose place is known and whose bytes are UTF-8: strictly, and with line-by-line repair if that fails.
 */
export function readBlock(engine: YamlEngine, bytes: Uint8Array, located: LocatedBlock, aliasNodes: number): Parsed {
  const source = splitLines(
    Buffer.from(bytes.buffer, bytes.byteOffset + located.start, located.end - located.start).toString('utf8'),
  )
  const lines = source.map(line => line.text)
  const fileLine = (line: number) => located.fenceLine + 1 + line
  const outcome = engine.load(joinLines(lines), aliasNodes)
  if (!outcome.ok && outcome.code === 'alias-bomb')
    return { ok: false, diagnostics: [explainFailure(outcome, fileLine)] }

  const isRead = outcome.ok && (isRecord(outcome.value) || outcome.value === null || outcome.value === undefined)
  const repair = isRead && outcome.deficientLines.length === 0 ? undefined : repairBlock(lines, engine, aliasNodes)
  const second =
    repair === undefined || repair.repairs.length === 0 ? undefined : engine.load(joinLines(repair.lines), aliasNodes)
  // The library lets a quoted text swallow keys up to the next quote, but repair does not, so the repaired block has
  // precedence.
  const repaired = second?.ok === true && isRecord(second.value) ? repair : undefined
  if (repaired === undefined && !isRead) return refuseBlock(lines, located.fenceLine, outcome, repair, second)

  const success = (repaired === undefined ? outcome : second) as YamlSuccess
  const read = repaired ?? { lines, origins: undefined }
  const place = (line: number) => fileLine(read.origins === undefined ? line : (read.origins[line] ?? line))
  const dropped: (string | number)[][] = []
  const data = clean(success.value ?? {}, dropped) as FrontmatterData
  const offersRepair = success.deficientLines.length === 0 && (repaired !== undefined || located.warnings.length > 0)
  return {
    ok: true,
    data,
    bodyStart: located.bodyStart,
    bodyLine: located.bodyLine,
    hasFrontmatter: true,
    diagnostics: [
      ...located.warnings,
      ...(repaired?.repairs ?? []).map(({ line, column, ...findings }) =>
        parseWarning({ line: fileLine(line), column: column + 1 }, findings),
      ),
      ...(repaired === undefined ? success.deficientLines : []).map(line =>
        parseWarning(
          { line: fileLine(line) },
          {
            code: 'continuation-at-margin',
            message: 'The line continues a value without indentation, where YAML expects the next key.',
            hint: 'Indent it by two spaces.',
          },
        ),
      ),
      ...describeDuplicates(success, read.lines, place),
      ...describeDropped(dropped, read.lines, place),
      ...findCutComments(read.lines, place),
    ],
    ...(offersRepair ? { repaired: joinWith(read.lines, source) } : {}),
  }
}

function joinLines(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

/** Joins the lines with the line end that the source uses first. */
function joinWith(lines: readonly string[], source: readonly Line[]): string {
  const end = source[0]?.end || '\n'
  return lines.map(line => line + end).join('')
}
