import { expect, test } from 'vitest'
// #region usage
import { processRunner } from '@skills/runner-process'

const runner = processRunner({
  command: 'agent',
  args: [
    '--output',
    'json',
    ['--model', '{model}'],
    ['--system', '{system}'],
    ['--tools', '{tools}'],
    ['--without', '{withoutTools}'],
    ['--max-turns', '{maxSteps}'],
  ],
  format: 'json-lines',
})
// #endregion usage

test('it is a runner', () => {
  expect([runner.kind, runner.id]).toEqual(['runner', 'process'])
})
