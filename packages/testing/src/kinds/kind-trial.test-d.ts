import { expectTypeOf, test } from 'vitest'
import type { KindProvider } from '@skills/testing/internal'
import type { Executor, Runner } from '@skills/invocation'
import type { Permission } from '@skills/rules'
import type { Expander } from '@skills/expansion'
import type { Formatter } from '@skills/invocation/skill-tool'
import type { Provider } from '@skills/core'

test('a provider of a kind is one that its contract takes, also where it asks more', () => {
  expectTypeOf<Provider<'permission', 'trust'>>().toMatchTypeOf<KindProvider<Permission>>()
  expectTypeOf<Provider<'executor', 'expander'>>().toMatchTypeOf<KindProvider<Executor>>()
  expectTypeOf<Provider<'expander'>>().toMatchTypeOf<KindProvider<Expander>>()
  expectTypeOf<Provider<'runner'>>().toMatchTypeOf<KindProvider<Runner>>()
  expectTypeOf<Provider<'formatter'>>().toMatchTypeOf<KindProvider<Formatter>>()
})
