import { expect, it } from 'vitest'
import * as exported from './index.js'

it('is a gate and a source', () => {
  expect(Object.keys(exported)).toEqual(['activation'])
  expect(exported.activation().map(({ kind, id }) => `${kind} ${id}`)).toEqual(['gate conditional', 'source nested'])
})
