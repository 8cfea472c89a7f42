import type { Rendered, Segment } from '@skills/inspect/internal'
import { printableLine } from '../../output/printable.js'
import { printExact } from '../../output/exact-text.js'
import { styleOf } from '../../output/style.js'
import type { CatalogEntry } from '@skills/core'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'

/** Prints the text to standard output. Prints to standard error which embedded commands did not run, and why. */
export function printRendered({ text, blocks, segments }: Rendered, { isColorless }: Invocation, io: Io): void {
  printExact(
    blocks === undefined
      ? text
      : blocks.map(block => (block.type === 'text' ? block.text : `[image: ${block.mimeType}]`)).join('\n'),
    io,
  )
  const style = styleOf(io.stderr, io.env, isColorless)
  const stray = strayArguments(segments)
  for (const segment of segments) {
    if (segment === stray.at(0)) {
      const written = [...new Set(stray.map(one => printableLine(one.written ?? '')))].join(', ')
      io.stderr.write(
        style.yellow(
          `skills: No argument was given for ${written} (line ${segment.at?.line ?? 1}), so it is left as written, and the arguments are added below the text.\n`,
        ),
      )
    }
    if (segment.origin === 'command' && !hasRun(segment))
      io.stderr.write(
        style.yellow(
          `skills: Not run, line ${segment.at?.line ?? 1}: ${printableLine(segment.written ?? '')}  ${whyNot(segment)}\n`,
        ),
      )
  }
}

/** Returns references to arguments that were not replaced, if the arguments were appended below the text instead. */
function strayArguments(segments: readonly Segment[]): readonly Segment[] {
  const isBelow = segments.some(
    ({ origin, value }) => origin === 'frame' && value.trimStart().startsWith('ARGUMENTS: '),
  )
  return isBelow ? segments.filter(({ origin, isReplaced }) => origin === 'argument' && !isReplaced) : []
}

/** Returns the rendered skill as JSON. See docs/reference/cli.md, "Rendering a skill". */
export function renderedJson(
  { name, command }: CatalogEntry,
  { text, blocks, segments }: Rendered,
): Record<string, unknown> {
  return {
    name,
    source: command.source,
    text: blocks === undefined ? text : null,
    blocks: blocks ?? null,
    tokens: segments.map(segmentJson),
  }
}

function segmentJson(segment: Segment): Record<string, unknown> {
  const { origin, expander, written, at, value, isReplaced, parts, wish } = segment
  return {
    origin,
    expander: expander ?? null,
    written: written ?? null,
    offset: at?.offset ?? null,
    line: at?.line ?? null,
    column: at?.column ?? null,
    value,
    isReplaced,
    parts: parts.map(segmentJson),
    command:
      origin === 'command'
        ? {
            hasRun: hasRun(segment),
            tool: wish?.request?.tool ?? null,
            script: wish?.request?.content ?? null,
            values: wish?.request?.values ?? {},
            behavior: wish?.decision?.behavior ?? null,
            decidedBy: wish?.decision?.decisionReason.type ?? null,
            rule: wish?.decision?.decisionReason.rule ?? null,
            ruleSource: wish?.decision?.decisionReason.source ?? null,
            message: wish?.decision?.message ?? null,
          }
        : null,
  }
}

/** Returns true if a command was allowed. An empty command needs no permission and runs nothing. */
function hasRun({ wish }: Segment): boolean {
  return wish?.decision?.behavior === 'allow'
}

function whyNot({ wish, isReplaced, value, written = '' }: Segment): string {
  if (wish?.isOpen === true) return 'No rule decides about this command, and no one was asked.'
  if (wish?.decision !== undefined) return printableLine(wish.decision.message)
  if (!isReplaced) return 'The command is left as it is written.'
  if (value !== '') return printableLine(value)
  return /^(?:!`\s*`|(?:`{3,})!\s*`{3,})$/.test(written.trim())
    ? 'The command is empty.'
    : 'The command is replaced by nothing, as on-shell-error says.'
}
