import { expect, test } from 'vitest'
import { sourceNames } from '../source.js'
import type { StandardSource } from './source-names.js'

test('the list has every name that core has for a source, and no other', () => {
  // A name that core adds or removes fails the type check here.
  const names: Readonly<Record<StandardSource, true>> = {
    managed: true,
    user: true,
    project: true,
    additional: true,
    plugin: true,
    bundled: true,
    mcp: true,
    builtin: true,
  }
  expect(sourceNames).toEqual(Object.keys(names))
})
