import { expect, test } from 'vitest'
import * as testing from './index.js'
import * as vitest from './vitest.js'

test('what the package exports is what is meant to be used', () => {
  expect(Object.keys(testing).toSorted()).toEqual([
    'ContractError', 'fakeClock', 'fakeHost', 'fileSourceContract', 'fileStore', 'runContract', 'sourceContract', 'tempTree', 'withoutRoot',
  ])
  expect(Object.keys(vitest)).toEqual(['testContract'])
})
