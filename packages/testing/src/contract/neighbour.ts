import { defineProvider, loadResult, type LocalCommand } from '@skills/core'

const command: LocalCommand = {
  type: 'local',
  name: 'neighbour',
  displayName: 'neighbour',
  aliases: [],
  description: 'Stands beside.',
  hasUserSpecifiedDescription: true,
  source: 'builtin',
  loadedFrom: 'builtin',
  userInvocable: true,
  isHidden: false,
  isEnabled: () => true,
  call: () => undefined,
}

/** Source that is independent of the source under test. */
export const neighbour = defineProvider({
  kind: 'source',
  id: 'the-neighbour',
  setup: () => ({ source: 'builtin', list: () => loadResult({ commands: [command] }) }),
})
