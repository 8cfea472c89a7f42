// #region usage
import { defineProvider } from '@skills/core'
import { expandWith, type ExpandContext } from '@skills/template'

/** Puts the date where a text has `{today}`. */
const todayExpander = defineProvider({
  kind: 'expander',
  id: 'today',
  setup: ({ host }) => ({
    claims: '{',
    lex: (text, at) => text.startsWith('{today}', at) ? { end: at + '{today}'.length } : undefined,
    evaluate: () => new Date(host.clock.now()).toISOString().slice(0, 10),
  }),
})

/** An executor asks the expanders of its engine. */
const printExecutor = defineProvider({
  kind: 'executor',
  id: 'inline',
  needs: ['expander'],
  setup: ctx => ({
    async execute({ body, ...invocation }, { signal }) {
      const context: ExpandContext = { ...invocation, host: ctx.host, signal }
      // Blocks are what they are; only a template is expanded.
      const content = 'template' in body ? (await expandWith(ctx.use('expander'), body.template, context)).text : body.blocks
      return { data: { success: true, commandName: invocation.command.name, status: 'inline' }, newMessages: [{ type: 'user', content }] }
    },
  }),
})
// #endregion usage

import { promptCommand } from '@skills/core'
import { fakeClock, fakeHost } from '@skills/testing'
import { expect, it } from 'vitest'
import { contextWith } from '../test/expanding.js'
import { expand, splitArguments, tokenize } from './index.js'

it('expands as the README shows', async () => {
  const unused = (): never => {
    throw new Error('not used')
  }
  const host = fakeHost({ clock: fakeClock(Date.UTC(2030, 0, 2)) })
  const context = { signal: new AbortController().signal, host, report: unused, hook: unused, effect: unused, invalidate: unused }
  const today = await todayExpander.setup({ ...context, use: unused })
  const executor = await printExecutor.setup({
    ...context,
    use: () => ({ ids: ['today'], each: async ask => [{ id: 'today', value: await ask(today, { id: 'today', signal: context.signal }) }], first: unused }),
  })
  const { args, trust, authorize, forbids, progress } = contextWith()
  const command = promptCommand({ name: 'plan', source: 'user', load: unused })
  const entry = { name: 'plan', command, provider: 'user', override: 'on', isQualified: false } as const
  const outcome = await executor.execute({ entry, command, args, trust, authorize, forbids, progress, skill: unused, ended: unused, caller: 'user', depth: 0, body: { template: 'It is {today}.' } }, { signal: context.signal })
  expect(outcome.newMessages).toEqual([{ type: 'user', content: 'It is 2030-01-02.' }])
  expect(tokenize('{today}', [{ id: 'today', value: today }], command)).toMatchObject([{ expander: 'today', start: 0, end: 7 }])
})

it('splits and expands by hand as the README says', async () => {
  expect(splitArguments('"hello world" don\'t')).toEqual(['hello world', "don't"])
  expect(await expand('text', [], contextWith())).toEqual({ text: 'text', tokens: [] })
})
