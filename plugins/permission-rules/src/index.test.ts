import { expect, it } from 'vitest'
import * as everything from './index.js'

it('exports exactly this', () => {
  expect(Object.keys(everything).toSorted()).toEqual(['allowAll', 'permissionRules', 'unreadableRules'])
})
