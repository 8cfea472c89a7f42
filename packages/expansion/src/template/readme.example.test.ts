// #region usage
import { defineProvider } from '@skills/core'
import { expandWith, type ExpandContext } from '@skills/expansion'
import type { Outcome } from '@skills/invocation'

/** Puts the date where a text has `{today}`. */
const todayExpander = defineProvider({
  kind: 'expander',
  id: 'today',
  setup: ({ host }) => ({
    claims: '{',
    lex: (text, at) => (text.startsWith('{today}', at) ? { end: at + '{today}'.length } : undefined),
    evaluate: () => new Date(host.clock.now()).toISOString().slice(0, 10),
  }),
})

/** An executor asks the expanders of its engine. */
const printExecutor = defineProvider({
  kind: 'executor',
  id: 'inline',
  needs: ['expander'],
  setup: ({ host, use }) => ({
    async execute(invocation, { signal }): Promise<Outcome> {
      signal.throwIfAborted()
      const { body, entry, toolUseId } = invocation
      const context: ExpandContext = { ...invocation, host, signal }
      // Blocks are what they are; only a template is expanded.
      const content =
        'template' in body ? (await expandWith(use('expander'), body.template, context)).text : body.blocks
      const answers = toolUseId === undefined ? {} : { toolUseId }
      return {
        data: { success: true, commandName: entry.name, status: 'inline' },
        // The first one is for people, the second for the model.
        newMessages: [
          { type: 'user', content: `/${entry.name}`, ...answers },
          { type: 'user', isMeta: true, content, ...answers },
        ],
      }
    },
  }),
})
// #endregion usage

import { createSkills, loadResult, promptCommand, type Provider } from '@skills/core'
import { invocationKinds, Invoker } from '@skills/invocation'
import { fakeClock, fakeHost } from '@skills/testing'
import { testExecutor, testExpander } from '@skills/testing/vitest'
import { expect, it } from 'vitest'
import { contextWith } from '../../test/expanding.js'
import { expand, expanderKind, splitArguments } from '../index.js'

testExpander(
  'the expander of the README',
  () => ({ provider: todayExpander, expand, samples: [{ template: 'It is {today}.', becomes: 'It is 2024-01-01.' }] }),
  { without: { bring: 'A date is all that it puts into a text.' } },
)
testExecutor('the executor of the README', () => ({ provider: printExecutor }), {
  without: { context: 'It changes neither tools nor model.' },
})

it('expands as the README shows', async () => {
  const command = promptCommand({ name: 'plan', source: 'user', load: () => ({ template: 'It is {today}.' }) })
  const permission: Provider<'permission'> = {
    kind: 'permission',
    id: 'all',
    setup: () => ({ check: () => ({ behavior: 'allow', message: 'Yes', decisionReason: { type: 'default' } }) }),
  }
  const source: Provider<'source'> = {
    kind: 'source',
    id: 'user',
    setup: () => ({ source: 'user', list: () => loadResult({ commands: [command] }) }),
  }
  const skills = createSkills({
    kinds: [...invocationKinds, expanderKind],
    plugins: [source, permission, todayExpander, printExecutor],
    host: fakeHost({ clock: fakeClock(Date.UTC(2030, 0, 2)) }),
    onDiagnostic: () => {},
  })
  try {
    const { newMessages } = await new Invoker(skills).invoke({ name: 'plan', caller: 'user' })
    expect(newMessages.filter(({ isMeta }) => isMeta === true)).toEqual([
      { type: 'user', isMeta: true, content: 'It is 2030-01-02.' },
    ])
  } finally {
    await skills.close()
  }
})

it('splits and expands by hand as the README says', async () => {
  expect(splitArguments('"hello world" don\'t')).toEqual(['hello world', "don't"])
  expect(await expand('text', [], contextWith())).toEqual({ text: 'text', tokens: [] })
})
