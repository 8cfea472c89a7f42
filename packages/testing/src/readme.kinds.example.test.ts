import { defineProvider, loadResult, promptCommand } from '@skills/core'
import { MemoryRemote } from '../test/memory-remote.js'
import { SmallFormatter } from '../test/small-formatter.js'
import { smallExecutor } from '../test/small-executor.js'
import { remoteSource } from '../test/remote-source.js'
import type { Provider } from '@skills/core'
import type { NeutralRule } from '@skills/testing/internal'
import { SmallPermission } from '../test/small-permission.js'
import { SmallRunner } from '../test/small-runner.js'
import type { RunnerScript } from '@skills/testing/internal'

const teamPermission = ({ rules }: { readonly rules: readonly NeutralRule[] }): Provider<'permission'> =>
  defineProvider({ kind: 'permission', id: 'team', setup: () => new SmallPermission(rules) })
const compactFormatter = ({ budget }: { readonly budget: number | undefined }): Provider<'formatter'> =>
  defineProvider({ kind: 'formatter', id: 'compact', setup: () => new SmallFormatter(budget) })
const plan = promptCommand({
  name: 'plan',
  source: 'own',
  description: 'Plans it.',
  contentLength: 8,
  load: () => ({ template: 'Plan it.' }),
})
const programCommands = defineProvider({
  kind: 'source',
  id: 'program',
  setup: () => ({ source: 'own', list: () => loadResult({ commands: [plan] }) }),
})
const quietExecutor = smallExecutor
const ownRunner = (script: RunnerScript): SmallRunner => new SmallRunner(script)

// #region expander-provider
import type { Lexed } from '@skills/expansion'

/** Replaces `%now%` with the time of the host, and `%note:name%` with the user's note of that name. */
function noteExpander(notes: ReadonlyMap<string, string>): Provider<'expander'> {
  return defineProvider({
    kind: 'expander',
    id: 'notes',
    setup: ({ host }) => ({
      claims: '%',
      lex(text, at): Lexed | undefined {
        const [found, name] = /^%(?:now|note:([a-z0-9]+))%/.exec(text.slice(at, at + 100)) ?? []
        return found === undefined ? undefined : { end: at + found.length, data: name }
      },
      evaluate({ data }, { trust }) {
        if (typeof data !== 'string') return new Date(host.clock.now()).toISOString()
        return trust === 'remote' ? undefined : notes.get(data)
      },
    }),
  })
}
// #endregion expander-provider

// #region expander
import { expand } from '@skills/expansion'
import { testExpander } from '@skills/testing/vitest'

testExpander('an expander of notes', () => {
  const notes = new Map([['one', 'First.']])
  return {
    provider: noteExpander(notes),
    expand,
    samples: [{ template: 'At %now%: %note:one%', becomes: 'At 2024-01-01T00:00:00.000Z: First.' }],
    bring(value) {
      notes.set(`n${notes.size}`, value)
      return { template: `%note:n${notes.size - 1}%` }
    },
  }
})
// #endregion expander

// #region permission
import { testPermission } from '@skills/testing/vitest'

testPermission('the permissions of a team', rules => ({ provider: teamPermission({ rules }) }))
// #endregion permission

// #region executor
import { testExecutor } from '@skills/testing/vitest'

testExecutor('a quiet executor', () => ({ provider: quietExecutor() }))
// #endregion executor

// #region formatter
import { testFormatter } from '@skills/testing/vitest'

testFormatter('a compact listing', budget => ({ provider: compactFormatter({ budget }) }))
// #endregion formatter

// #region runner
import { testRunner } from '@skills/testing/vitest'

testRunner('a runner of our own', script => ownRunner(script))
// #endregion runner

// #region fixed
import { testFixedSource } from '@skills/testing/vitest'

testFixedSource('the commands of a program', () => ({ provider: programCommands }))
// #endregion fixed

// #region remote
import { testRemoteSource } from '@skills/testing/vitest'

testRemoteSource('a source of a server', () => {
  const remote = new MemoryRemote()
  return { remote, provider: remoteSource(remote) }
})
// #endregion remote
