import { defineProvider, type Provider } from '@skills/core'
import type { Shell } from '@skills/expansion'

declare module '@skills/core' {
  interface Shells {
    node: true
  }
}

/** Shell that runs embedded commands as JavaScript. A reference is an expression; inside quotes it is left as it is. */
export const nodeShell: Provider<'shell'> = defineProvider({
  kind: 'shell',
  id: 'node',
  contract: 1,
  setup: (): Shell => ({
    tool: 'Node',
    quotings: (script, references) => ({
      quotings: references.map(({ start }) =>
        /^(?:[^"'`]|(["'`]).*?\1)*$/s.test(script.slice(0, start)) ? 'bare' : 'literal',
      ),
      lastCommand: 0,
    }),
    variable: name => `process.env.${name}`,
    call: script => ({ program: process.execPath, args: ['-e', script] }),
  }),
})
