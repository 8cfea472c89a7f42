import { defineProvider, loadResult, promptCommand, type Plugin } from '@skills/core'
import { expandWith } from '../src/template/expand.js'

/**
 * Makes the plugins that invoke skills, apart from expanders: everything is trusted and allowed.
 * @param bodies bodies by name
 */
export function skillPlugins(bodies: Readonly<Record<string, string>>): readonly Plugin[] {
  const commands = Object.entries(bodies).map(([name, template]) =>
    promptCommand({ name, source: 'user', load: () => ({ template }) }),
  )
  return [
    defineProvider({
      kind: 'source',
      id: 'bodies',
      setup: () => ({ source: 'user', list: () => loadResult({ commands }) }),
    }),
    defineProvider({
      kind: 'trust',
      id: 'all',
      setup: () => ({ judge: () => ({ level: 'trusted', isApproved: true }) }),
    }),
    defineProvider({
      kind: 'permission',
      id: 'all',
      setup: () => ({
        check: () => ({ behavior: 'allow', message: 'Everything is allowed.', decisionReason: { type: 'host' } }),
      }),
    }),
    defineProvider({
      kind: 'executor',
      id: 'inline',
      needs: ['expander'],
      setup: ctx => ({
        async execute({ body, ...invocation }, { signal }) {
          const content =
            'template' in body
              ? (await expandWith(ctx.use('expander'), body.template, { ...invocation, host: ctx.host, signal })).text
              : body.blocks
          return {
            data: { success: true, commandName: invocation.command.name, status: 'inline' },
            newMessages: [{ type: 'user', content }],
          }
        },
      }),
    }),
  ]
}
