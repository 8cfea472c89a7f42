import { permissionContract } from '@skills/testing'
import { testContract } from '@skills/testing/vitest'
import { allowAll, permissionRules } from './index.js'
import type { NeutralRule } from '@skills/testing/internal'

function rulesOf(rules: readonly NeutralRule[], behavior: NeutralRule['behavior']): readonly string[] {
  return rules.filter(one => one.behavior === behavior).map(({ rule }) => rule)
}

testContract(
  'permission by rules',
  permissionContract(rules => ({
    provider: permissionRules({
      allow: rulesOf(rules, 'allow'),
      ask: rulesOf(rules, 'ask'),
      deny: rulesOf(rules, 'deny'),
    }),
  })),
)

testContract(
  'a host that wants no permissions',
  permissionContract(() => ({ provider: allowAll() }), {
    without: {
      rules: 'It takes none.',
      scripts: 'It takes no rules.',
      grants: 'It allows everything but what a server sends.',
      default: 'It allows everything but what a server sends.',
      suggestions: 'It never asks.',
    },
  }),
)
