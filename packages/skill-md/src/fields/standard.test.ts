import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fieldOf, fieldTable, keysOf } from '@skills/core/fields'
import { readFields } from './read-fields.js'
import { checkStandard } from './standard.js'

function check(data: Record<string, unknown>, folderName = 'deploy', bodyLines = 10, bodyChars = 100) {
  return checkStandard({ name: 'deploy', description: 'Deploys.', ...data }, { folderName, bodyLines, bodyChars }).map(
    ({ severity, code, field }) => `${severity} ${code} ${field}`,
  )
}

test('a skill by the book', () => {
  expect(check({ license: 'MIT', compatibility: 'any', metadata: { a: 'b' }, 'allowed-tools': 'Read' })).toEqual([])
})

describe('the name', () => {
  test.each([
    ['deploy', 'deploy'],
    ['skill-v2', 'skill-v2'],
    ['技能', '技能'],
    ['café', 'café'],
    ['cafe\u0301', 'caf\u00e9'],
    ['a'.repeat(64), 'a'.repeat(64)],
    ['7', '7'],
  ])('%s is fine', (name, folder) => {
    expect(check({ name }, folder)).toEqual([])
  })

  test.each([
    ['MySkill', 'error standard-name-case name'],
    ['my--skill', 'error standard-name-hyphens name'],
    ['-my', 'error standard-name-hyphens name'],
    ['my-', 'error standard-name-hyphens name'],
    ['my_skill', 'error standard-name-characters name'],
    ['my skill', 'error standard-name-characters name'],
    ['a'.repeat(65), 'error standard-name-long name'],
    ['', 'error standard-name-missing name'],
  ])('%s is not', (name, problem) => {
    expect(check({ name }, name)).toEqual([problem])
  })

  test('has to be the folder name', () => {
    expect(check({}, 'other')).toEqual(['error standard-name-folder name'])
  })
})

test('the description is required, and has at most 1,024 characters', () => {
  expect(check({ description: ' ' })).toEqual(['error standard-description-missing description'])
  expect(check({ description: '😀'.repeat(1024) })).toEqual([])
  expect(check({ description: 'x'.repeat(1025) })).toEqual(['error standard-description-long description'])
})

test('compatibility has at most 500 characters', () => {
  expect(check({ compatibility: 'x'.repeat(500) })).toEqual([])
  expect(check({ compatibility: 'x'.repeat(501) })).toEqual(['error standard-compatibility-long compatibility'])
})

test('only six keys are allowed: what nothing reads is an error, what other programs read is said', () => {
  expect(check({ 'argument-hint': 'x', version: '1', 'x-note': 'y', tools: 'Read' })).toEqual([
    'info standard-unknown-key argument-hint',
    'info standard-unknown-key version',
    'error standard-unknown-key x-note',
    'info standard-unknown-key tools',
  ])
})

test('what a field would cost is said', () => {
  const [problem] = checkStandard(
    { name: 'deploy', description: 'Deploys.', 'disable-model-invocation': true },
    { folderName: 'deploy', bodyLines: 1 },
  )
  expect(problem).toMatchObject({
    severity: 'info',
    hint: 'Keep the key: some programs obey it. Below `metadata`, the key would have no effect: the model could invoke it.',
  })
})

describe('advice', () => {
  const values = fc.oneof(
    fc.constantFrom(
      'true',
      'false',
      'yes',
      'fork',
      'inline',
      'bash',
      'powershell',
      'high',
      'Read, Bash(git:*)',
      '*.css',
      'opus',
      'abort',
    ),
    fc.boolean(),
    fc.array(fc.constantFrom('Read', 'Write', '*.ts'), { maxLength: 3 }),
    fc.constant({ PreToolUse: [{ hooks: [] }] }),
  )
  const keys = fc.oneof(
    fc.constantFrom(...fieldTable.flatMap(keysOf)),
    fc.constantFrom(
      'allowedtool',
      'disablemodelinvoke',
      'deniedtools',
      'x-note',
      'category',
      'Paths',
      'DisableModelInvocation',
    ),
  )
  const data = fc.dictionary(keys, values, { maxKeys: 8 })

  test('that is followed changes nothing that a skill may do', () => {
    let followed = 0
    fc.assert(
      fc.property(data, given => {
        const { metadata: _, ...before } = readFields(given).fields
        const changed: Record<string, unknown> = { ...given }
        for (const { field, hint } of checkStandard(given, { folderName: 'deploy', bodyLines: 1 })) {
          if (hint?.startsWith('Move the key below `metadata`') === true) {
            delete changed[field]
            followed++
          }
        }
        for (const {
          code,
          field,
          keyPath: [key = ''],
        } of readFields(given).problems) {
          if (code !== 'field-given-twice') continue
          // The key that the message names as unused.
          const name = fieldOf(String(key))?.name
          const unused =
            key === name ? Object.keys(given).filter(one => one !== key && fieldOf(one)?.name === name) : [String(key)]
          for (const one of unused) delete changed[one]
          expect(field).toBe(key)
          followed++
        }
        const { metadata: _also, ...after } = readFields(changed).fields
        expect(after).toEqual(before)
      }),
      {
        numRuns: 1000,
        examples: [[{ allowed_tools: false, 'allowed-tools': { PreToolUse: [{ hooks: [] }] }, tools: 'true' }]],
      },
    )
    expect(followed).toBeGreaterThan(300)
  })
})

test('a long body is advice', () => {
  expect(check({}, 'deploy', 500, 20_000)).toEqual([])
  expect(check({}, 'deploy', 501)).toEqual(['info standard-body-long body'])
  expect(check({}, 'deploy', 1, 20_001)).toEqual(['info standard-body-long body'])
})
