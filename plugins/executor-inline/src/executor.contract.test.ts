import { executorContract } from '@skills/testing'
import { testContract } from '@skills/testing/vitest'
import { inlineExecutor, type InlineExecutorOptions } from './index.js'

const variants: readonly (readonly [title: string, options: InlineExecutorOptions])[] = [
  ['execution inline', {}],
  [
    'execution inline that labels by name, repeats itself and is strict',
    { label: 'name', repeated: 'whole', grants: 'session', strict: true, knownTools: ['Read', 'Grep'] },
  ],
]

for (const [title, options] of variants)
  testContract(
    title,
    executorContract(() => ({ provider: inlineExecutor(options) })),
  )
