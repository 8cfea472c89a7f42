import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { fieldCodes, frontmatterCodes } from './index.js'
import * as exported from './index.js'

const sources = import.meta.dirname

// A change here affects everyone who uses the package: was it meant?
test('what the package exports', () => {
  expect(Object.keys(exported).sort()).toEqual([
    'checkStandard',
    'checkText',
    'commandOf',
    'commandParts',
    'commandReader',
    'describeField',
    'fieldCodes',
    'firstHeading',
    'firstParagraph',
    'frontmatterCodes',
    'loadParser',
    'needsOf',
    'parseFrontmatter',
    'parseHead',
    'parseYaml',
    'readFields',
    'readHead',
    'repairDocument',
    'skillSchema',
    'splitPaths',
    'splitTools',
    'updateFrontmatter',
    'writeDocument',
  ])
})

test('the codes of diagnostics', () => {
  expect(Object.keys(frontmatterCodes)).toEqual([
    'alias-bomb',
    'binary-file',
    'comment-in-value',
    'continuation-at-margin',
    'duplicate-key',
    'empty-file',
    'executable-frontmatter',
    'fenced-in-code',
    'frontmatter-too-large',
    'full-width-colon',
    'glued-fence',
    'glued-key',
    'invalid-escape',
    'invalid-utf8',
    'invalid-yaml',
    'leading-comment',
    'leading-rule',
    'misindented-key',
    'missing-opening-fence',
    'not-a-mapping',
    'reserved-character',
    'tab-indentation',
    'text-after-block-mark',
    'text-after-value',
    'unclosed-frontmatter',
    'unclosed-value',
    'unquoted-text',
    'unsafe-key',
    'unsupported-engine',
    'utf16-file',
  ])
  expect(Object.keys(fieldCodes)).toEqual([
    'argument-hint-too-long',
    'description-too-long',
    'field-given-twice',
    'field-too-long',
    'invalid-boolean',
    'invalid-choice',
    'invalid-list',
    'invalid-map',
    'invalid-text',
    'invalid-value',
    'misspelt-field',
    'name-too-long',
    'pair-read-as-text',
    'standard-body-long',
    'standard-compatibility-long',
    'standard-description-long',
    'standard-description-missing',
    'standard-name-case',
    'standard-name-characters',
    'standard-name-folder',
    'standard-name-hyphens',
    'standard-name-long',
    'standard-name-missing',
    'standard-unknown-key',
    'unknown-choice',
    'when-to-use-too-long',
  ])
})

test('the README explains every code', () => {
  const readme = readFileSync(`${sources}/../README.md`, 'utf8')
  for (const [code, sentence] of Object.entries({ ...frontmatterCodes, ...fieldCodes }))
    expect(readme).toContain(`| \`${code}\` | ${sentence} |`)
})

test('the YAML library is imported in one place, and on use', () => {
  const texts = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map(name => ({ name, text: readFileSync(`${sources}/${name}`, 'utf8') }))
  const naming = (what: RegExp): readonly string[] =>
    texts.filter(({ text }) => what.test(text)).map(({ name }) => name)
  expect(naming(/from 'js-yaml'|import\('js-yaml'/)).toEqual(['yaml/aliases.ts', 'yaml/engine.ts', 'yaml/warnings.ts'])
  expect(naming(/^(?:import|export) (?!type).*'js-yaml'/m)).toEqual([])
  expect(naming(/import\('\.\/plain\.js'\)/)).toEqual(['command/command-of.ts', 'command/skill-command.ts'])
})

test('what every list needs imports nothing of what only few files take', () => {
  const seen = new Set<string>()
  const follow = (name: string): void => {
    if (seen.has(name)) return
    seen.add(name)
    const text = readFileSync(`${sources}/${name}`, 'utf8')
    for (const [, target = ''] of text.matchAll(/^import (?!type).* from '(\.[^']*)\.js'/gm))
      follow(posix.join(posix.dirname(name), `${target}.ts`))
  }
  follow('command/command-of.ts')
  expect(
    [...seen].filter(name => /^yaml\/(?:engine|outline)|^parse\/(?:parser|repair|locate)|^write\//.test(name)),
  ).toEqual([])
})
