import { forEachChild, parse, type ParsedScript, type SyntaxNode } from 'unbash'
import type { Quoting, Quotings, Reference } from './quoting.js'

const mark = 'SKILL_REFERENCE_'
/** Longest script in characters and deepest nesting that are understood. Beyond them, values must be whole numbers. */
const mostCharacters = 65_536
const mostDeep = 500
const marks = /SKILL_REFERENCE_(\d+)_/g

/**
 * Finds out by bash's grammar how the places of references are quoted. Each reference is replaced by a variable first.
 * Nothing is run.
 * @param references in order, without overlap
 */
export function bashQuoting(script: string, references: readonly Reference[]): Quotings {
  const { text, sourceOf } = marked(script, references)
  const parsed = understood(text)
  // A script that is not understood takes whole numbers only, which need no quotes.
  if (parsed === undefined) return { quotings: references.map(() => 'quoted'), lastCommand: 0 }
  const quotings = new Map<number, Quoting>()
  const record = (written: string, quoting: Quoting): void => {
    for (const [, index] of written.matchAll(marks)) quotings.set(Number(index), quoting)
  }
  const visit = (node: SyntaxNode, isQuoted: boolean): void => {
    let isInQuotes = isQuoted
    switch (node.type) {
      case 'ParameterExpansion':
        record(node.parameter, isQuoted ? 'quoted' : 'bare')
        break
      case 'SingleQuoted':
        record(node.text, 'single')
        break
      case 'AnsiCQuoted':
      case 'HereDocDelimiter':
        record(node.text, 'literal')
        break
      case 'HereDoc':
        if (node.delimiter?.quoted === true) record(node.body.text, 'literal')
        isInQuotes = true
        break
      case 'ArithmeticWord':
        if (node.parts === undefined) record(node.value, 'quoted')
        isInQuotes = true
        break
      case 'DoubleQuoted':
      case 'LocaleString':
        isInQuotes = true
        break
      case 'Script':
        isInQuotes = false
        break
    }
    forEachChild(node, child => visit(child, isInQuotes))
  }
  visit(parsed, false)
  return {
    quotings: references.map((_, index) => quotings.get(index) ?? 'unread'),
    lastCommand: sourceOf(lastCommand(parsed)),
  }
}

/**
 * Parses a script by bash's grammar. Returns undefined if it has errors, is longer than {@link mostCharacters}, or
 * nests too deep.
 */
export function understood(script: string): ParsedScript | undefined {
  if (script.length > mostCharacters) return undefined
  try {
    const parsed = parse(script)
    if ((parsed.errors?.length ?? 0) > 0) return undefined
    let deepest = 0
    for (const nodes: [SyntaxNode, number][] = [[parsed, 0]]; nodes.length > 0 && deepest <= mostDeep;) {
      const [node, depth] = nodes.pop() ?? [parsed, 0]
      deepest = Math.max(deepest, depth)
      forEachChild(node, child => void nodes.push([child, depth + 1]))
    }
    return deepest > mostDeep ? undefined : parsed
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return undefined
  }
}

/** Replaces each reference by a variable, and returns a function from new positions to old ones. */
function marked(
  script: string,
  references: readonly Reference[],
): { readonly text: string; readonly sourceOf: (at: number) => number } {
  let text = ''
  let done = 0
  const shifts: { readonly at: number; readonly by: number }[] = []
  for (const [index, { start, end }] of references.entries()) {
    const written = script.slice(start, end)
    // A backslash keeps its effect.
    text += `${script.slice(done, start)}${written === '\\' ? `${mark}${index}_\\` : `\${${mark}${index}_}`}`
    done = end
    shifts.push({ at: text.length, by: end - text.length })
  }
  return { text: text + script.slice(done), sourceOf: at => at + (shifts.findLast(shift => shift.at <= at)?.by ?? 0) }
}

/** Returns where the last command begins that no other command contains. */
function lastCommand(script: ParsedScript): number {
  let node: SyntaxNode | undefined = script.commands.at(-1)
  for (let at = 0; ; at = node.pos) {
    if (node?.type === 'Statement') node = node.command
    else if (node?.type === 'AndOr' || node?.type === 'Pipeline') node = node.commands.at(-1)
    if (node === undefined) return at
    if (node.type !== 'AndOr' && node.type !== 'Pipeline') return node.pos
  }
}
