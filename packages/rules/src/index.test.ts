import { expect, test } from 'vitest'
import * as exported from './index.js'

test('what the package exports is what is meant to be used', () => {
  expect(Object.keys(exported).toSorted()).toEqual([
    'ToolRules',
    'covers',
    'escapeContent',
    'fitsWildcard',
    'formatRule',
    'isShell',
    'namesTool',
    'parseRule',
    'splitAlternatives',
    'toolOf',
  ])
})
