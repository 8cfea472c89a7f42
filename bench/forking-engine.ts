import {
  createSkills,
  defineProvider,
  loadResult,
  promptCommand,
  type Host,
  type Plugin,
  type Skills,
} from '@skills/core'
import { invocationKinds } from '@skills/invocation'
import { expanderKind } from '@skills/expansion'
import { runsKind } from '@skills/runs'
import { memoryState, stateKind } from '@skills/state'

/**
 * Makes an engine with one skill, `work`, that is trusted, permitted and runs in a fork.
 * @param plugins the executor, the runs and what else a benchmark needs
 */
export function forkingEngine(host: Host, plugins: readonly Plugin[]): Skills {
  const command = promptCommand({
    name: 'work',
    source: 'user',
    context: 'fork',
    load: () => ({ template: 'Do it.' }),
    digest: () => 'd',
  })
  return createSkills({
    host,
    kinds: [...invocationKinds, expanderKind, stateKind, runsKind],
    onDiagnostic: () => {},
    plugins: [
      defineProvider({
        kind: 'source',
        id: 's',
        setup: () => ({ source: 'user', list: () => loadResult({ commands: [command] }) }),
      }),
      defineProvider({
        kind: 'trust',
        id: 't',
        setup: () => ({ judge: () => ({ level: 'trusted', isApproved: true }) }),
      }),
      defineProvider({
        kind: 'permission',
        id: 'p',
        setup: () => ({ check: () => ({ behavior: 'allow', message: '', decisionReason: { type: 'default' } }) }),
      }),
      memoryState(),
      ...plugins,
    ],
  })
}
