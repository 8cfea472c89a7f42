import {
  promptCommand,
  SkillsError,
  type AnyProvider,
  type Context,
  type ErrorCode,
  type Kind,
  type ShellName,
} from '@skills/core'
import { budgetFormatter } from '@skills/formatter-budget'
import { expectTypeOf, test } from 'vitest'
import { alphabetical } from './alphabetical.js'
import { batchExecutor } from './batch-executor.js'
import { nodeShell } from './node-shell.js'

const load = () => ({ template: '' })

test('a word that a plugin declares is one of its kind, and another is none', () => {
  expectTypeOf([batchExecutor([]), nodeShell]).toExtend<readonly AnyProvider[]>()
  expectTypeOf<'batch'>().toExtend<Context>()
  expectTypeOf<'node'>().toExtend<ShellName>()
  expectTypeOf<'E_QUEUE_FULL'>().toExtend<ErrorCode>()
  expectTypeOf<'shell' | 'strategy' | 'executor'>().toExtend<Kind>()
  promptCommand({ name: 'a', source: 'user', load, context: 'batch', shell: 'node' })
  // @ts-expect-error -- no executor declares it
  promptCommand({ name: 'a', source: 'user', load, context: 'bach' })
  // @ts-expect-error -- no shell declares it
  promptCommand({ name: 'a', source: 'user', load, shell: 'fish' })
  // @ts-expect-error -- no package declares it
  void new SkillsError('E_QUEUE_EMPTY', 'There is nothing to do.')
})

test('a strategy that a plugin declares takes a budget and nothing of the others', () => {
  expectTypeOf(alphabetical).toExtend<AnyProvider>()
  budgetFormatter({ strategy: 'alphabetical', budget: 5 })
  // @ts-expect-error -- it has no escape
  budgetFormatter({ strategy: 'alphabetical', escape: 'tags' })
  // @ts-expect-error -- no plugin declares it
  budgetFormatter({ strategy: 'backwards' })
})
