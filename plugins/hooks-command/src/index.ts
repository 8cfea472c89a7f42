import { defineProvider, type Provider } from '@skills/core'
import { CommandHooks } from './command-hooks.js'
import { commandHooksOptions, type CommandHooksOptions } from './options.js'

export type { CommandHooksOptions } from './options.js'

/**
 * Makes the provider that runs the hooks of skills and of plugin manifests: `command` of the kind `hooks`. Throws
 * `E_INVALID_OPTION`. See docs/reference/hooks.md, "Hooks of skills".
 */
export function commandHooks(given?: CommandHooksOptions): Provider<'hooks', 'trust' | 'source' | 'gate'> {
  const checked = commandHooksOptions.read(given)
  return defineProvider({
    kind: 'hooks',
    id: 'command',
    wants: ['trust', 'source', 'gate'],
    async setup(ctx) {
      const hooks = new CommandHooks(ctx, checked)
      ctx.hook('session:start', event => hooks.sessionStarted(event))
      ctx.hook('session:end', event => hooks.sessionEnded(event))
      await ctx.effect('hooks', () => () => hooks.close())
      return hooks
    },
  })
}
