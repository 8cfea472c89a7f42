import { asciiOf, isBlankByteLine, lineAt, type ByteLine } from './byte-lines.js'
import { isKnownKey } from '../yaml/line-shape.js'
import type { Findings } from './problems.js'

/** Most lines that are examined to tell what a file with an odd beginning was meant to be. */
const maxLines = 100

/** Languages whose frontmatter other tools run as a program. */
const executable = new Set([
  'js',
  'javascript',
  'mjs',
  'cjs',
  'ts',
  'typescript',
  'coffee',
  'coffeescript',
  'cson',
  'lua',
  'python',
  'ruby',
])

/** Returns the problem of a fence that names a language other than YAML. */
export function engineProblem(language: string): Findings {
  const message = `The frontmatter is marked as ${language}; only YAML is read.`
  const hint = 'Write the fence as `---` alone, and YAML below it.'
  return executable.has(language)
    ? { code: 'executable-frontmatter', message: `${message} It was not run.`, hint }
    : { code: 'unsupported-engine', message, hint }
}

/**
 * Returns the problem of a file that does not begin with a fence. The problem depends on what the author probably
 * meant. Returns undefined for a plain prompt without frontmatter.
 */
export function noBlockProblem(bytes: Uint8Array, first: ByteLine): Findings | undefined {
  const opening = asciiOf(bytes, first)
  const following = contentLines(bytes, first.next)
  if (/^[ \t]*(?:`{3,}|~{3,})/.test(opening)) {
    const second = following[0]
    if (second === undefined || !(/^---[ \t]*$/.test(second) || isKnownKey(second, 0))) return undefined
    return {
      code: 'fenced-in-code',
      message: 'The whole file is inside a Markdown code fence.',
      hint: 'Remove the code fence, so that the first line is `---`.',
    }
  }
  if (/^-{4,}[ \t]*$/.test(opening) && following[0] !== undefined && isKnownKey(following[0], 0)) {
    return {
      code: 'missing-opening-fence',
      message: 'The opening fence has more than three hyphens.',
      hint: 'Write it as `---`.',
    }
  }
  if (opening.startsWith('---') && following[0] !== undefined && isKnownKey(following[0], 0)) {
    return {
      code: 'missing-opening-fence',
      message: 'The opening fence has text after its hyphens.',
      hint: 'Write it as `---` alone.',
    }
  }
  if (!isKnownKey(opening, 0)) return undefined
  const fence = following.findIndex(line => /^---[ \t]*$/.test(line))
  const looksLikeKeys =
    fence !== -1 && following.slice(0, fence).every(line => /^(?:[ \t]|-[ \t]|#|[\w./-]+:(?:[ \t]|$))/.test(line))
  if (!looksLikeKeys && !following.slice(0, 3).some(line => isKnownKey(line, 0))) return undefined
  return {
    code: 'missing-opening-fence',
    message: 'The file begins with keys and has no opening fence.',
    hint: 'Write `---` on the line above them.',
  }
}

/** Returns the problem of a fence that is never closed, if no keys follow it. */
export function openRuleProblem(bytes: Uint8Array, fence: ByteLine): Findings | undefined {
  const first = contentLines(bytes, fence.next).find(line => !line.startsWith('# ') || /^# ?\w+:/.test(line))
  return first !== undefined && /^(?:[^\s:#]+|["'][^"']*["']):(?:[ \t]|$)/.test(first) ? undefined : leadingRule
}

export const leadingRule: Findings = {
  code: 'leading-rule',
  message: 'The first `---` looks like a horizontal rule: no keys follow it.',
  hint: 'Write frontmatter between two `---` lines above it, or put text before the rule.',
}

/** Returns the repair for an unclosed block, with the line that was probably meant to close it. */
export function closingHint(bytes: Uint8Array, fence: ByteLine, fenceLine: number): string {
  let line = lineAt(bytes, fence.next)
  for (
    let number = fenceLine + 1;
    line.start < bytes.length && number < fenceLine + 1_000;
    number++, line = lineAt(bytes, line.next)
  ) {
    const text = asciiOf(bytes, line)
    if (/^[ \t]*(?:-{2,}|\.\.\.|—+)[ \t]*$/.test(text)) return `Write line ${number} as exactly \`---\`.`
    if (!line.ended) break
  }
  return 'Write a line `---` below its last key.'
}

/** Returns the lines that are not blank, cut to a length that shows what they are. */
function contentLines(bytes: Uint8Array, start: number): string[] {
  const lines: string[] = []
  for (
    let line = lineAt(bytes, start);
    line.start < bytes.length && lines.length < maxLines;
    line = lineAt(bytes, line.next)
  ) {
    if (!isBlankByteLine(bytes, line)) lines.push(asciiOf(bytes, line))
    if (!line.ended) break
  }
  return lines
}
