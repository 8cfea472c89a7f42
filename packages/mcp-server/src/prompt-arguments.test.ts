import fc from 'fast-check'
import { expect, test } from 'vitest'
import { promptCommand } from '@skills/core'
import { splitArguments } from '@skills/expansion'
import { argumentLine, completions, promptArguments } from './prompt-arguments.js'

const command = (parts: Partial<Parameters<typeof promptCommand>[0]>) =>
  promptCommand({ name: 'a', source: 'user', description: 'A.', load: () => ({ template: '' }), ...parts })

test('each value is one word of the line, also with spaces or quotes', () => {
  const named = command({ argumentNames: ['a', 'b', 'c'] })
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.string({ unit: fc.constantFrom(...`'"\\ $\`\na`) }),
      (a, b, c) => {
        expect(splitArguments(argumentLine(named, { a, b, c }))).toEqual([a, b, c])
      },
    ),
  )
  expect(splitArguments(argumentLine(named, { b: 'x' }))).toEqual(['', 'x'])
  expect(argumentLine(named, {})).toBe('')
})

test('a skill without names has one argument for the whole line', () => {
  expect(promptArguments(command({ argumentHint: '[file]' }))).toEqual([
    { name: 'arguments', description: '[file]', required: false },
  ])
  expect(argumentLine(command({}), { arguments: 'one "two three"' })).toBe('one "two three"')
})

test('choices of the hint complete a value', () => {
  const hinted = command({ argumentNames: ['env', 'how'], argumentHint: '<env: staging | production> [fast|safe]' })
  expect(completions(hinted, 'env', '')).toEqual(['staging', 'production'])
  expect(completions(hinted, 'how', 's')).toEqual(['safe'])
  expect(completions(hinted, 'none', '')).toEqual([])
  expect(completions(command({ argumentHint: '<file>' }), 'arguments', '')).toEqual([])
})
