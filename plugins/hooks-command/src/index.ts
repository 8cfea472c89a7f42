import { checkOptions, defineProvider, type Provider } from '@skills/core'
import { CommandHooks } from './command-hooks.js'
import { checkedOptions, type CommandHooksOptions } from './options.js'

export type { CommandHooksOptions } from './options.js'

/**
 * Runs the hooks that skills and the manifests of plugins declare: the provider `command` of the kind `hooks`.
 * Throws `E_INVALID_OPTION`. See docs/reference/hooks.md, "Hooks of skills".
 */
export function commandHooks(options: CommandHooksOptions = {}): Provider<'hooks', 'trust' | 'source' | 'gate'> {
  checkOptions<CommandHooksOptions>('commandHooks()', options, {
    maxContextChars: 1,
    matchLimitMs: 1,
    closeTimeoutMs: 1,
    program: 1,
    skillFolder: 1,
    timeoutMs: 1,
    maxOutputBytes: 1,
    graceMs: 1,
  })
  const checked = checkedOptions(options)
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
