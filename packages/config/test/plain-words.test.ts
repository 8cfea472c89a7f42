import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../workspace.mjs'

/** Words that read as a riddle, and the plain one for each. */
const words: readonly (readonly [pattern: RegExp, plain: string])[] = [
  [/\bwhoever\b/gi, 'the caller, the user, who'], [/\bwhatever\b/gi, 'what, any, regardless of'], [/\bnobody\b/gi, 'no one, none, not'], [/\banybody\b/gi, 'anyone, a caller'],
  [/\bcarr(?:y|ies|ied|ying)(?: \S+){0,3} out\b/gi, 'run'], [/\bcircles?\b/gi, 'cycle'], [/\b(?:ask(?:s|ed)?|needs?|no|for|without|gives?|gets?) leave\b|\bleave (?:for|is|was)\b/gi, 'permission'],
]

/** The prose of a page: blocks and spans of code, and what is printed in a session, have their own words. */
function proseOf(text: string): string {
  return text.replace(/^([ \t]*)(```|~~~)[^]*?^\1\2/gm, block => block.replace(/[^\n]/g, '')).replace(/`[^`\n]*`/g, '').replace(/<!--[^]*?-->/g, '')
}

const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).split('\n')
  .filter(file => file !== '' && !/(?:^|\/)CHANGELOG\.md$|^docs\/conformance\.md$|^examples\/skills\//.test(file))

test.each(pages)('%s says it in plain words', file => {
  const prose = proseOf(readFileSync(path.join(root, file), 'utf8')).split('\n')
  const found = prose.flatMap((line, at) => words.flatMap(([pattern, plain]) => Array.from(line.matchAll(pattern), ([word]) => `${file}:${at + 1}: ${word} (${plain})`)))
  expect(found).toEqual([])
})
