import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { root } from '../workspace.mjs'

/** Words that make a text hard to read, and a plain replacement for each. */
const words: readonly (readonly [pattern: RegExp, plain: string])[] = [
  [/\bwhoever\b/gi, 'the caller, the user, who'],
  [/\bwhatever\b/gi, 'what, any, regardless of'],
  [/\bnobody\b/gi, 'no one, none, not'],
  [/\banybody\b/gi, 'anyone, a caller'],
  [/\bcarr(?:y|ies|ied|ying)(?: \S+){0,3} out\b/gi, 'run'],
  [/\bcircles?\b/gi, 'cycle'],
  [/\b(?:ask(?:s|ed)?|needs?|no|for|without|gives?|gets?) leave\b|\bleave (?:for|is|was)\b/gi, 'permission'],
]

/** Returns the prose of a page, without code and printed sessions, which have their own words. */
function proseOf(text: string): string {
  return text
    .replace(/^([ \t]*)(```|~~~)[^]*?^\1\2/gm, block => block.replace(/[^\n]/g, ''))
    .replace(/`[^`\n]*`/g, '')
    .replace(/<!--[^]*?-->/g, '')
}

const tracked = (...patterns: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(file => file !== '')

const pages = tracked('*.md').filter(
  file => !/(?:^|\/)CHANGELOG\.md$|^docs\/conformance\.md$|^examples\/skills\//.test(file),
)

test.each(pages)('%s says it in plain words', file => {
  const prose = proseOf(readFileSync(path.join(root, file), 'utf8')).split('\n')
  expect(prose.flatMap((line, at) => foundIn(line, `${file}:${at + 1}`))).toEqual([])
})

function foundIn(text: string, place: string): readonly string[] {
  return words.flatMap(([pattern, plain]) =>
    Array.from(text.matchAll(pattern), ([word]) => `${place}: ${word} (${plain})`),
  )
}

test('messages of the packages are in plain words', () => {
  const found: string[] = []
  for (const file of tracked(
    'packages/*/src/*.ts',
    'packages/*/src/**/*.ts',
    'plugins/*/src/*.ts',
    'plugins/*/src/**/*.ts',
  )) {
    const text = readFileSync(path.join(root, file), 'utf8')
    // Most files have none of the words, not even in comments.
    if (/\.test(-d)?\.ts$/.test(file) || foundIn(text, file).length === 0) continue
    const visit = (node: ts.Node): void => {
      // A single word is a key or an identifier.
      if (
        (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) &&
        node.text.includes(' ')
      )
        found.push(...foundIn(node.text, file))
      ts.forEachChild(node, visit)
    }
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest))
  }
  expect(found).toEqual([])
})

/** Folders whose comments, names and test titles are checked too. A folder is added when it is rewritten. */
const rewritten = [
  'packages/{authoring,cli,config,distributions,expansion,files,inspect,invocation,process-group,rules,state,store,testing}',
  'plugins/{activation,executor-*,hooks-command,permission-rules,runner-*,trust,source-*,store-*}',
  'scripts',
  'bench',
  'examples',
  'packages/{core,skill-md}',
  'plugins/formatter-budget',
]

test('code of the rewritten folders is in plain words, comments included', () => {
  const files = tracked('*.ts', '*.mjs').filter(
    file => rewritten.some(folder => path.matchesGlob(file, `${folder}/**`)) && !file.endsWith('/plain-words.test.ts'),
  )
  expect(
    files.flatMap(file =>
      readFileSync(path.join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, at) => foundIn(line, `${file}:${at + 1}`)),
    ),
  ).toEqual([])
})
