import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fieldCodes, frontmatterCodes } from './index.js'
import * as frontmatter from './index.js'

const sources = import.meta.dirname

// A change here is a change for everyone who uses the package: was it meant?
test('what the package exports', () => {
  expect(Object.keys(frontmatter).sort()).toEqual([
    'checkStandard', 'checkText', 'defaultLimits', 'describeProblem', 'fieldCodes', 'fieldOf', 'firstHeading', 'firstParagraph', 'frontmatterCodes', 'knownFields', 'literalColons', 'loadParser',
    'locateKey', 'needKeys', 'needsOf', 'parseFrontmatter', 'parseHead', 'parseYaml', 'placeOfProblem', 'readFields', 'readFlat', 'readFlatSkill', 'readLines', 'readRest', 'readerVersion', 'repairDocument', 'splitPaths', 'splitTools', 'standardKeys', 'textInRest', 'toolsInRest', 'updateFrontmatter',
    'writeDocument',
  ])
})

test('the codes of diagnostics', () => {
  expect(Object.keys(frontmatterCodes)).toEqual([
    'alias-bomb', 'binary-file', 'comment-in-value', 'continuation-at-margin', 'duplicate-key', 'empty-file', 'executable-frontmatter', 'fenced-in-code',
    'frontmatter-too-large', 'full-width-colon', 'glued-fence', 'glued-key', 'invalid-escape', 'invalid-utf8', 'invalid-yaml', 'leading-comment', 'leading-rule', 'misindented-key',
    'missing-opening-fence', 'not-a-mapping', 'reserved-character', 'tab-indentation', 'text-after-block-mark', 'text-after-value', 'unclosed-frontmatter',
    'unclosed-value', 'unquoted-text', 'unsafe-key', 'unsupported-engine', 'utf16-file',
  ])
  expect(Object.keys(fieldCodes)).toEqual([
    'argument-hint-too-long', 'description-too-long', 'field-given-twice', 'invalid-boolean', 'invalid-choice', 'invalid-list', 'invalid-map', 'invalid-text',
    'misspelt-field', 'name-too-long', 'pair-read-as-text', 'standard-body-long', 'standard-compatibility-long', 'standard-description-long',
    'standard-description-missing', 'standard-name-case', 'standard-name-characters', 'standard-name-folder', 'standard-name-hyphens', 'standard-name-long',
    'standard-name-missing', 'standard-unknown-key', 'unknown-choice', 'when-to-use-too-long',
  ])
})

test('the README explains every code', () => {
  const readme = readFileSync(`${sources}/../README.md`, 'utf8')
  for (const [code, sentence] of Object.entries({ ...frontmatterCodes, ...fieldCodes })) expect(readme).toContain(`| \`${code}\` | ${sentence} |`)
})

test('the YAML libraries are imported in one place, and on use', () => {
  const texts = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => ({ name, text: readFileSync(`${sources}/${name}`, 'utf8') }))
  const naming = (what: RegExp): readonly string[] => texts.filter(({ text }) => what.test(text)).map(({ name }) => name)
  expect(naming(/from '(?:js-yaml|gray-matter)'|import\('/)).toEqual(['yaml/aliases.ts', 'yaml/engine.ts', 'yaml/matter.ts', 'yaml/warnings.ts'])
  // What is imported on use gives gray-matter another name, and nothing else.
  expect(naming(/^(?:import|export) (?!type).*'(?:js-yaml|gray-matter)'/m)).toEqual(['yaml/matter.ts'])
  expect(naming(/^(?:import|export) .*\/matter\.js'/m)).toEqual([])
})

test('the flat path imports no library', () => {
  for (const name of ['flat/read-flat.ts', 'flat/reader.ts', 'flat/scalar.ts', 'flat/scan.ts']) {
    const imports = [...readFileSync(`${sources}/${name}`, 'utf8').matchAll(/^import .* from '(.*)'/gm)].map((match) => match[1]!)
    expect(imports.filter((specifier) => !specifier.startsWith('.')), name).toEqual([])
  }
})
